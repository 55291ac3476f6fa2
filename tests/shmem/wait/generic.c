/* SPDX-License-Identifier: BSD-3-Clause */
/* C11's generic names of waits and tests for several variables. */
#include "check.h"
#include "types.h"

enum { N = 4 };

#define DEFINE(name, T, before, after) \
    static T w_##name[N]; \
    static void try_##name(void) \
    { \
        size_t indices[N]; \
        T values[N] = {5, 6, 7, 8}; \
        const int status[N] = {0, 1, 1, 0}; \
        shmem_barrier_all(); \
        for (int i = 0; i < N; i++) \
            shmem_p(&w_##name[i], (T)(5 + i), right_of(1)); \
        shmem_wait_until_all_vector(w_##name, N, NULL, SHMEM_CMP_EQ, values); \
        shmem_wait_until_all(w_##name, N, NULL, SHMEM_CMP_GE, (T)5); \
        CHECK_OF(#name, shmem_wait_until_any(w_##name, N, status, SHMEM_CMP_GT, (T)5) == 3, 0); \
        CHECK_OF(#name, shmem_wait_until_any_vector(w_##name, N, status, SHMEM_CMP_EQ, values) % 3 == 0, 0); \
        CHECK_OF(#name, shmem_wait_until_some(w_##name, N, indices, status, SHMEM_CMP_LT, (T)7) == 1 && indices[0] == 0, 0); \
        CHECK_OF(#name, shmem_wait_until_some_vector(w_##name, N, indices, NULL, SHMEM_CMP_EQ, values) == 4, 0); \
        CHECK_OF(#name, shmem_test_all(w_##name, N, NULL, SHMEM_CMP_GT, (T)5) == 0, 0); \
        CHECK_OF(#name, shmem_test_all_vector(w_##name, N, NULL, SHMEM_CMP_EQ, values) == 1, 0); \
        CHECK_OF(#name, shmem_test_any(w_##name, N, status, SHMEM_CMP_EQ, (T)6) == SIZE_MAX, 0); \
        CHECK_OF(#name, shmem_test_any_vector(w_##name, N, status, SHMEM_CMP_EQ, values) % 3 == 0, 0); \
        CHECK_OF(#name, shmem_test_some(w_##name, N, indices, status, SHMEM_CMP_EQ, (T)8) == 1 && indices[0] == 3, 0); \
        CHECK_OF(#name, shmem_test_some_vector(w_##name, N, indices, NULL, SHMEM_CMP_NE, values) == 0, 0); \
    }
WAIT_TYPES(DEFINE)
#define ROW(name, T, before, after) try_##name,
static void (*const tries[])(void) = {WAIT_TYPES(ROW)};

int main(void)
{
    shmem_init();
    for (size_t k = 0; k < COUNT(tries); k++)
        tries[k]();
    return check_end();
}
