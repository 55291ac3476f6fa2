/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_bench.h: what the parts of the benchmark of OpenSHMEM share; shmem.c says what is measured. */
#ifndef BENCH_SHMEM_BENCH_H
#define BENCH_SHMEM_BENCH_H

#include "harness.h"

#include <shmem.h>
#include <stdint.h>

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
#define BENCH_TEAMS 1 /* OpenSHMEM 1.5: teams, put with signal */
#else
#define BENCH_TEAMS 0
#endif

enum {
    WINDOW = 64, /* operations until a quiet */
    RING = 16,   /* broadcasts until a sync: each has a buffer and a pSync of its own */
    LARGE = 1 << 20,
    COLL_MOST = 64 << 10,
    PAIR_MOST = 4 << 10
};

/* One PE. source, dest, words: symmetric, from the heap. */
struct pe {
    struct bench_options opt;
    int me, n, target; /* target: the last PE, which PE 0 works on */
    char *source, *dest;
    long *words; /* WINDOW of them */
    uint64_t *signal;
    double *times; /* of the PEs, at PE 0 */
    long serial;   /* calls of this cell so far; the same in all PEs */
    long own;      /* of the kernel: what this PE counted */
    bool wrong;    /* some data was not what it should be */
};

/* One line of the result. */
struct cell {
    const char *name;
    void (*call)(struct pe *, long bytes, long calls); /* the loop that is timed */
    /* Before the first call; has all arrived after the last? In all PEs, with barriers around. NULL: nothing. */
    void (*prepare)(struct pe *, long bytes);
    bool (*arrived)(struct pe *, long bytes);
    long bytes;
    int per_call; /* what a call's time is divided by; 0: the number of PEs */
    bool all;     /* all PEs call; else PE 0, and the others are in a barrier */
};

extern const struct cell access_cells[], atomic_cells[], coll_cells[]; /* the last one has no name */

/* Memory for the collectives' pSync and pWrk. */
void coll_begin(struct pe *p);

static inline long *first_word(char *at, long bytes)
{
    (void)bytes;
    return (long *)at;
}

static inline long *last_word(char *at, long bytes)
{
    return (long *)(at + bytes) - 1;
}

#endif
