/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: flags -Wno-deprecated-declarations */
/* The deprecated names of atomic operations, typed and as C11 generics. */
#include "check.h"

#define INTEGERS(X) X(int, int) X(long, long) X(longlong, long long)
#define EXTENDED(X) INTEGERS(X) X(float, float) X(double, double)

#define DEFINE_EXTENDED(name, T) \
    static T x_##name; \
    static void extended_##name(int pe) \
    { \
        x_##name = 1; \
        shmem_barrier_all(); \
        shmem_##name##_set(&x_##name, (T)(pe + 2), pe), shmem_quiet(); \
        CHECK(shmem_##name##_fetch(&x_##name, pe) == (T)(pe + 2)); \
        CHECK(shmem_##name##_swap(&x_##name, (T)(pe + 3), pe) == (T)(pe + 2)); \
        shmem_set(&x_##name, (T)(pe + 4), pe), shmem_quiet(); \
        CHECK(shmem_fetch(&x_##name, pe) == (T)(pe + 4)); \
        CHECK(shmem_swap(&x_##name, (T)(pe + 5), pe) == (T)(pe + 4)); \
        shmem_barrier_all(); \
        CHECK_OF(#name, x_##name == (T)(shmem_my_pe() + 5), pe); \
    }
EXTENDED(DEFINE_EXTENDED)

#define DEFINE_STANDARD(name, T) \
    static void standard_##name(int pe) \
    { \
        (void)pe; \
        x_##name = 10; \
        shmem_barrier_all(); \
        T last = 0; \
        for (int i = 0; i < 200; i++) { /* all at PE 0 */ \
            T old = shmem_##name##_finc(&x_##name, 0); \
            CHECK_OF(#name, old > last, i); \
            last = shmem_##name##_fadd(&x_##name, 4, 0); \
            CHECK_OF(#name, last > old, i); \
            shmem_##name##_inc(&x_##name, 0); \
            shmem_##name##_add(&x_##name, 2, 0); \
            shmem_inc(&x_##name, 0); \
            shmem_add(&x_##name, 2, 0); \
            CHECK(shmem_finc(&x_##name, 0) > last); \
            CHECK(shmem_fadd(&x_##name, 3, 0) > last); \
        } \
        shmem_barrier_all(); \
        CHECK_OF(#name, x_##name == (shmem_my_pe() ? 10 : 10 + 200 * 15 * shmem_n_pes()), 0); \
        shmem_barrier_all(); \
        x_##name = (T)shmem_my_pe(); \
        shmem_barrier_all(); \
        CHECK(shmem_##name##_cswap(&x_##name, (T)pe + 1, -1, pe) == (T)pe); \
        CHECK(shmem_##name##_cswap(&x_##name, (T)pe, -2, pe) == (T)pe); \
        CHECK(shmem_cswap(&x_##name, (T)pe, -3, pe) == -2); \
        CHECK(shmem_cswap(&x_##name, -2, -4, pe) == -2); \
        shmem_barrier_all(); \
        CHECK_OF(#name, x_##name == -4, pe); \
    }
INTEGERS(DEFINE_STANDARD)

#define ROW_EXTENDED(name, T) extended_##name,
#define ROW_STANDARD(name, T) standard_##name,
static void (*const tries[])(int pe) = {EXTENDED(ROW_EXTENDED) INTEGERS(ROW_STANDARD)};

int main(void)
{
    shmem_init();
    for (size_t k = 0; k < COUNT(tries); k++)
        tries[k](right_of((int)k + 1));
    return check_end();
}
