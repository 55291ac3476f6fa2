/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_until and test of one variable: all types, all comparisons, those of signed and unsigned numbers apart; typed and C11's generics. */
#include "check.h"
#include "types.h"

static const int comparisons[] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE};

#define HOLDS(cmp, a, b) \
    ((cmp) == SHMEM_CMP_EQ   ? (a) == (b) \
     : (cmp) == SHMEM_CMP_NE ? (a) != (b) \
     : (cmp) == SHMEM_CMP_GT ? (a) > (b) \
     : (cmp) == SHMEM_CMP_GE ? (a) >= (b) \
     : (cmp) == SHMEM_CMP_LT ? (a) < (b) \
                             : (a) <= (b))

/* Every pair of these, which are negative or large at either end. */
#define DEFINE(name, T, before, after) \
    static T w_##name; \
    static void test_##name(void) \
    { \
        const T values[] = {0, 1, 2, (T)-1, (T)-2, (T)((T)1 << (sizeof(T) * 8 - 2)), (T)100}; \
        for (size_t i = 0; i < COUNT(values); i++) \
            for (size_t j = 0; j < COUNT(values); j++) \
                for (size_t k = 0; k < COUNT(comparisons); k++) { \
                    int cmp = comparisons[k], holds = HOLDS(cmp, values[i], values[j]); \
                    w_##name = values[i]; \
                    CHECK_OF(#name, !shmem_##name##_test(&w_##name, cmp, values[j]) == !holds, cmp * 100 + (int)(i * 10 + j)); \
                    CHECK_OF(#name, !shmem_test(&w_##name, cmp, values[j]) == !holds, cmp); \
                    if (holds) { \
                        shmem_##name##_wait_until(&w_##name, cmp, values[j]); \
                        shmem_wait_until(&w_##name, cmp, values[j]); \
                    } \
                } \
        w_##name = 0; \
        shmem_barrier_all(); \
    } \
    static void pass_##name(int round) /* around all PEs, and what is beside it is not looked at */ \
    { \
        static T ring[3]; \
        T value = (T)(round + 1); \
        ring[0] = ring[2] = (T)-1; \
        if (round == 0) \
            shmem_barrier_all(); \
        if (shmem_my_pe() == 0) \
            shmem_##name##_p(&ring[1], value, right_of(1)); \
        if (round % 2) \
            shmem_##name##_wait_until(&ring[1], SHMEM_CMP_EQ, value); \
        else \
            while (!shmem_##name##_test(&ring[1], SHMEM_CMP_GE, value)) \
                rest(); \
        CHECK_OF(#name, ring[1] == value, round); \
        if (shmem_my_pe() != 0) \
            shmem_##name##_p(&ring[1], value, right_of(1)); \
    }
WAIT_TYPES(DEFINE)

#define ROW_TEST(name, T, before, after) test_##name,
static void (*const tests[])(void) = {WAIT_TYPES(ROW_TEST)};
#define ROW_PASS(name, T, before, after) pass_##name,
static void (*const passes[])(int round) = {WAIT_TYPES(ROW_PASS)};

static uint64_t sig;
static void signals(void)
{
    for (size_t k = 0; k < COUNT(comparisons); k++) {
        sig = 0x8000000000000005u; /* unsigned */
        for (uint64_t value = sig - 1; value <= sig + 1; value++)
            if (HOLDS(comparisons[k], sig, value))
                CHECK_AT(shmem_signal_wait_until(&sig, comparisons[k], value) == sig, k);
        if (comparisons[k] == SHMEM_CMP_GT)
            CHECK(shmem_signal_wait_until(&sig, SHMEM_CMP_GT, 7) == sig);
    }
    CHECK(shmem_signal_fetch(&sig) == sig);
}

int main(void)
{
    shmem_init();
    for (size_t k = 0; k < COUNT(tests); k++)
        tests[k]();
    for (size_t k = 0; k < COUNT(passes); k++)
        for (int round = 0; round < 6; round++)
            passes[k](round);
    signals();
    return check_end();
}
