/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_access.c: puts and gets. */
#include "shmem_bench.h"

#include <string.h>

static long global[WINDOW]; /* symmetric, as all static variables */

static void clear_global(struct pe *p, long bytes)
{
    (void)p, (void)bytes;
    memset(global, 0, sizeof global);
}

/* What PE's memory has in its word i before it is got. */
static long value_at(int pe, long i)
{
    return 1000 * (pe + 1) + i;
}

/* Call s (from 0) of a window wrote s * WINDOW + i to word i. */
static bool window_is(const struct pe *p, const long *words)
{
    for (long i = 0; i < WINDOW; i++)
        if (words[i] != (p->me == p->target ? (p->serial - 1) * WINDOW + i : 0))
            return false;
    return true;
}

static bool window_arrived(struct pe *p, long bytes)
{
    (void)bytes;
    return window_is(p, p->words);
}

static bool global_arrived(struct pe *p, long bytes)
{
    (void)bytes;
    return window_is(p, global);
}

static void p_window(struct pe *p, long *words, long calls)
{
    for (long s = p->serial; s < p->serial + calls; s++) {
        for (long i = 0; i < WINDOW; i++)
            shmem_long_p(&words[i], s * WINDOW + i, p->target);
        shmem_quiet();
    }
}

static void p_heap(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    p_window(p, p->words, calls);
}

static void p_static(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    p_window(p, global, calls);
}

static void put_nbi(struct pe *p, long bytes, long calls)
{
    long *from = (long *)p->source;
    for (long s = p->serial; s < p->serial + calls; s++) {
        for (long i = 0; i < WINDOW; i++) {
            from[i] = s * WINDOW + i;
            shmem_putmem_nbi(&p->words[i], &from[i], (size_t)bytes, p->target);
        }
        shmem_quiet();
    }
}

static void fill_words(struct pe *p, long bytes)
{
    (void)bytes;
    for (long i = 0; i < WINDOW; i++)
        p->words[i] = value_at(p->me, i);
}

static void g(struct pe *p, long bytes, long calls)
{
    (void)bytes;
    for (long c = 0; c < calls; c++)
        p->wrong |= shmem_long_g(&p->words[c % WINDOW], p->target) != value_at(p->target, c % WINDOW);
}

static void get_nbi(struct pe *p, long bytes, long calls)
{
    long *to = (long *)p->source;
    for (long c = 0; c < calls; c++) {
        to[0] = to[WINDOW - 1] = 0;
        for (long i = 0; i < WINDOW; i++)
            shmem_getmem_nbi(&to[i], &p->words[i], (size_t)bytes, p->target);
        shmem_quiet();
        p->wrong |= to[0] != value_at(p->target, 0) || to[WINDOW - 1] != value_at(p->target, WINDOW - 1);
    }
}

/* The first and the last word are new in each call, those between are the PE's number and so say whose they are. */
static void fill(struct pe *p, long bytes)
{
    bench_write(p->source, (size_t)bytes, (unsigned long)p->me + 1);
    memset(p->dest, 0, (size_t)bytes);
}

static bool middle_is(const char *at, long bytes, int pe)
{
    const long *word = (const long *)at;
    for (long i = 1; i < bytes / (long)sizeof(long) - 1; i++)
        if (word[i] != pe + 1)
            return false;
    return true;
}

static void put(struct pe *p, long bytes, long calls)
{
    long *first = first_word(p->source, bytes), *last = last_word(p->source, bytes);
    for (long s = p->serial; s < p->serial + calls; s++) {
        *first = *last = s + 1;
        shmem_putmem(p->dest, p->source, (size_t)bytes, p->target);
        shmem_quiet();
    }
}

static bool put_arrived(struct pe *p, long bytes)
{
    if (p->me != p->target)
        return *first_word(p->dest, bytes) == 0;
    return *first_word(p->dest, bytes) == p->serial && *last_word(p->dest, bytes) == p->serial &&
           middle_is(p->dest, bytes, 0);
}

static void get(struct pe *p, long bytes, long calls)
{
    long *first = first_word(p->dest, bytes), *last = last_word(p->dest, bytes);
    for (long c = 0; c < calls; c++) {
        *first = *last = 0;
        shmem_getmem(p->dest, p->source, (size_t)bytes, p->target);
        p->wrong |= *first != p->target + 1 || *last != p->target + 1;
    }
}

static bool get_arrived(struct pe *p, long bytes)
{
    return p->me != 0 || middle_is(p->dest, bytes, p->target);
}

/* The call of serial s (from 0) is over for all when PE 0 has its signal back. */
static void pass(const struct pe *p, long bytes, uint64_t value)
{
    int next = (p->me + 1) % p->n;
    *first_word(p->source, bytes) = *last_word(p->source, bytes) = (long)value;
#if BENCH_TEAMS
    shmem_putmem_signal(p->dest, p->source, (size_t)bytes, p->signal, value, SHMEM_SIGNAL_SET, next);
#else
    shmem_putmem(p->dest, p->source, (size_t)bytes, next);
    shmem_fence();
    shmem_uint64_p(p->signal, value, next);
#endif
}

static void await(struct pe *p, long bytes, uint64_t value)
{
#if BENCH_TEAMS
    shmem_signal_wait_until(p->signal, SHMEM_CMP_EQ, value);
#else
    shmem_uint64_wait_until(p->signal, SHMEM_CMP_EQ, value);
#endif
    p->wrong |= *first_word(p->dest, bytes) != (long)value || *last_word(p->dest, bytes) != (long)value;
}

static void ring(struct pe *p, long bytes, long calls)
{
    for (long s = p->serial; s < p->serial + calls; s++) {
        uint64_t value = (uint64_t)s + 1;
        if (p->me == 0)
            pass(p, bytes, value);
        await(p, bytes, value);
        if (p->me != 0)
            pass(p, bytes, value);
    }
}

static bool ring_arrived(struct pe *p, long bytes)
{
    return middle_is(p->dest, bytes, (p->me + p->n - 1) % p->n);
}

const struct cell access_cells[] = {
    {.name = "p", p_heap, NULL, window_arrived, 8, WINDOW, false},
    {.name = "p_static", p_static, clear_global, global_arrived, 8, WINDOW, false},
    {.name = "g", g, fill_words, NULL, 8, 1, false},
    {.name = "put_nbi", put_nbi, NULL, window_arrived, 8, WINDOW, false},
    {.name = "get_nbi", get_nbi, fill_words, NULL, 8, WINDOW, false},
    {.name = "put", put, fill, put_arrived, 8, 1, false},
    {.name = "put", put, fill, put_arrived, 1 << 10, 1, false},
    {.name = "put", put, fill, put_arrived, 64 << 10, 1, false},
    {.name = "put", put, fill, put_arrived, LARGE, 1, false},
    {.name = "get", get, fill, get_arrived, 8, 1, false},
    {.name = "get", get, fill, get_arrived, 1 << 10, 1, false},
    {.name = "get", get, fill, get_arrived, 64 << 10, 1, false},
    {.name = "get", get, fill, get_arrived, LARGE, 1, false},
    {.name = "ring", ring, fill, ring_arrived, 8, 0, true},
    {.name = "ring", ring, fill, ring_arrived, 1 << 10, 0, true},
    {.name = "ring", ring, fill, ring_arrived, 64 << 10, 0, true},
    {.name = NULL},
};
