/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_atomic.c: atomic memory operations and locks. */
#include "shmem_bench.h"

static long global, lock_word;

static void clear_global(struct pe *p, long bytes)
{
    (void)p, (void)bytes;
    global = 0;
}

static bool is_at_target(const struct pe *p, long found)
{
    return found == (p->me == p->target ? p->serial : 0);
}

static bool word_arrived(struct pe *p, long bytes)
{
    (void)bytes;
    return is_at_target(p, p->words[0]);
}

static bool int_arrived(struct pe *p, long bytes)
{
    (void)bytes;
    return is_at_target(p, *(int *)p->words);
}

static bool global_arrived(struct pe *p, long bytes)
{
    (void)bytes;
    return is_at_target(p, global);
}

static bool adds_arrived(struct pe *p, long bytes)
{
    (void)bytes;
    return p->words[0] == (p->me == p->target ? WINDOW * p->serial : 0);
}

static void fetch_add(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    for (long s = p->serial; s < p->serial + calls; s++)
        p->wrong |= shmem_long_atomic_fetch_add(p->words, 1, p->target) != s;
}

static void fetch_add_static(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    for (long s = p->serial; s < p->serial + calls; s++)
        p->wrong |= shmem_long_atomic_fetch_add(&global, 1, p->target) != s;
}

static void fetch_add4(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    for (long s = p->serial; s < p->serial + calls; s++)
        p->wrong |= shmem_int_atomic_fetch_add((int *)p->words, 1, p->target) != (int)s;
}

static void add(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    for (long c = 0; c < calls; c++) {
        for (int i = 0; i < WINDOW; i++)
            shmem_long_atomic_add(p->words, 1, p->target);
        shmem_quiet();
    }
}

static void cas(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    for (long s = p->serial; s < p->serial + calls; s++)
        p->wrong |= shmem_long_atomic_compare_swap(p->words, s, s + 1, p->target) != s;
}

static void swap(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    for (long s = p->serial; s < p->serial + calls; s++)
        p->wrong |= shmem_long_atomic_swap(p->words, s + 1, p->target) != s;
}

static void lock(struct pe *p, long bytes, long calls)
{
    (void)p, (void)bytes;
    for (long c = 0; c < calls; c++) {
        shmem_set_lock(&lock_word);
        shmem_clear_lock(&lock_word);
    }
}

static void fetch_add_all(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    long before = -1;
    for (long c = 0; c < calls; c++) {
        long found = shmem_long_atomic_fetch_add(p->words, 1, 0);
        p->wrong |= found <= before;
        before = found;
    }
}

static bool sum_arrived(struct pe *p, long bytes)
{
    (void)bytes;
    return p->words[0] == (p->me == 0 ? p->n * p->serial : 0);
}

/* As when a word is counted up by hand: those that come too late begin with what they have found. */
static void cas_all(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    long guess = 0;
    for (long c = 0; c < calls; c++) {
        long found = shmem_long_atomic_compare_swap(p->words, guess, guess + 1, 0);
        p->own += found == guess;
        guess = found == guess ? found + 1 : found;
    }
}

static bool successes_arrived(struct pe *p, long bytes)
{
    (void)bytes;
    shmem_long_atomic_add(&p->words[1], p->own, 0);
    shmem_barrier_all();
    return p->me != 0 || p->words[0] == p->words[1];
}

const struct cell atomic_cells[] = {
    {.name = "fetch_add", fetch_add, NULL, word_arrived, 8, 1, false},
    {.name = "fetch_add_static", fetch_add_static, clear_global, global_arrived, 8, 1, false},
    {.name = "fetch_add4", fetch_add4, NULL, int_arrived, 4, 1, false},
    {.name = "add", add, NULL, adds_arrived, 8, WINDOW, false},
    {.name = "cas", cas, NULL, word_arrived, 8, 1, false},
    {.name = "swap", swap, NULL, word_arrived, 8, 1, false},
    {.name = "lock", lock, NULL, NULL, 8, 1, false},
    {.name = "fetch_add_all", fetch_add_all, NULL, sum_arrived, 8, 1, true},
    {.name = "cas_all", cas_all, NULL, successes_arrived, 8, 1, true},
    {.name = NULL},
};
