/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomics beside puts and gets of words: a get of a word finds no half of one, loads of the owner see what others do, and words that lie
 * side by side do not disturb each other. */
#include "check.h"

enum { ROUNDS = 1500, WORDS = 64 };

static uint64_t whole;        /* both halves are always the same */
static uint32_t beside[WORDS]; /* one of each PE */
static int64_t counter;
static uint64_t stack_top, next_of[16 * 8];

static uint64_t both(uint32_t half)
{
    return (uint64_t)half << 32 | half;
}

static void words(int pe)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t mine = both((uint32_t)pattern(shmem_my_pe(), (size_t)i, 1)), seen;
        switch (i % 4) {
        case 0: shmem_uint64_put(&whole, &mine, 1, pe); break;
        case 1: shmem_uint64_p(&whole, mine, pe); break;
        case 2: shmem_uint64_atomic_set(&whole, mine, pe); break;
        default: shmem_uint64_atomic_swap(&whole, mine, pe); break;
        }
        switch (i % 3) {
        case 0: shmem_uint64_get(&seen, &whole, 1, pe); break;
        case 1: seen = shmem_uint64_g(&whole, pe); break;
        default: seen = shmem_uint64_atomic_fetch(&whole, pe); break;
        }
        CHECK_AT(seen == both((uint32_t)seen), i);
    }
}

static void neighbours(int pe)
{
    int me = shmem_my_pe();

    for (int i = 0; i < ROUNDS; i++) {
        CHECK_AT(shmem_uint32_atomic_fetch(&beside[me], pe) == (uint32_t)i * 3, i);
        shmem_uint32_atomic_inc(&beside[me], pe);
        shmem_quiet();
        CHECK_AT(shmem_uint32_g(&beside[me], pe) == (uint32_t)i * 3 + 1, i);
        shmem_uint32_p(&beside[me], (uint32_t)i * 3 + 2, pe);
        shmem_quiet();
        CHECK_AT(shmem_uint32_atomic_fetch_add(&beside[me], 1, pe) == (uint32_t)i * 3 + 2, i);
    }
}

/* The owner adds, too, and looks by load: it never falls. */
static void owner(void)
{
    int64_t last = 0;

    for (int i = 0; i < ROUNDS; i++) {
        shmem_int64_atomic_add(&counter, 1 + i % 3, right_of(1));
        shmem_int64_atomic_add(&counter, 1, shmem_my_pe());
        int64_t now = *(volatile int64_t *)&counter;
        CHECK_AT(now >= last, i);
        last = now;
    }
    shmem_barrier_all();
    CHECK_AT(counter == ROUNDS * 3, counter);
}

/* A stack of numbers at PE 0, pushed by all with compare_swap; then it has each number once. */
static void stack(void)
{
    int me = shmem_my_pe(), n = shmem_n_pes();

    for (int i = 0; i < 8; i++) {
        uint64_t mine = (uint64_t)(me * 8 + i + 1), top = shmem_uint64_atomic_fetch(&stack_top, 0), old;
        for (;; top = old) {
            shmem_uint64_p(&next_of[mine - 1], top, 0);
            shmem_fence();
            old = shmem_uint64_atomic_compare_swap(&stack_top, top, mine, 0);
            if (old == top)
                break;
        }
    }
    shmem_barrier_all();
    char seen[16 * 8] = {0};
    int depth = 0;
    for (uint64_t at = shmem_uint64_g(&stack_top, 0); at; at = shmem_uint64_g(&next_of[at - 1], 0), depth++) {
        CHECK_AT(at <= (uint64_t)n * 8 && !seen[at - 1], at);
        seen[at - 1] = 1;
    }
    CHECK_AT(depth == n * 8, depth);
}

int main(void)
{
    shmem_init();
    words(0);
    neighbours(right_of(1));
    owner();
    stack();
    return check_end();
}
