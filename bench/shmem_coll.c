/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_coll.c: collectives of all PEs. */
#include "shmem_bench.h"

#include <string.h>

#define SYNC_SIZE(name)                                                                                      \
    ((int)SHMEM_##name##_SYNC_SIZE > SHMEM_BARRIER_SYNC_SIZE ? (int)SHMEM_##name##_SYNC_SIZE                 \
                                                             : (int)SHMEM_BARRIER_SYNC_SIZE)
enum {
    SYNC_A = SYNC_SIZE(REDUCE) > SYNC_SIZE(COLLECT) ? SYNC_SIZE(REDUCE) : SYNC_SIZE(COLLECT),
    SYNC_B = SYNC_SIZE(BCAST) > SYNC_SIZE(ALLTOALL) ? SYNC_SIZE(BCAST) : SYNC_SIZE(ALLTOALL),
    SYNC = SYNC_A > SYNC_B ? SYNC_A : SYNC_B,
    HALF = COLL_MOST / 8 / 2 + 1,
    WORK = HALF > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? HALF : SHMEM_REDUCE_MIN_WRKDATA_SIZE
};
static long sync_words[RING][SYNC];
static double work[2][WORK];

void coll_begin(struct pe *p)
{
    (void)p;
    for (int i = 0; i < RING; i++)
        for (int k = 0; k < SYNC; k++)
            sync_words[i][k] = SHMEM_SYNC_VALUE;
}

/* ---- Data: the first and the last word of what a PE sends say who it is and which call this is ---- */

static long mark(int pe, long s)
{
    return s * 100 + pe;
}

static void set_ends(char *at, long bytes, long value)
{
    *first_word(at, bytes) = *last_word(at, bytes) = value;
}

static bool ends_are(char *at, long bytes, long value)
{
    return *first_word(at, bytes) == value && *last_word(at, bytes) == value;
}

static void clear(struct pe *p, long bytes)
{
    (void)bytes;
    memset(p->source, 0, COLL_MOST);
    memset(p->dest, 0, COLL_MOST);
}

/* ---- Barriers ---- */

static void barrier(struct pe *p, long bytes, long calls)
{
    (void)p, (void)bytes;
    for (long c = 0; c < calls; c++)
        shmem_barrier_all();
}

static void sync_all(struct pe *p, long bytes, long calls)
{
    (void)p, (void)bytes;
    for (long c = 0; c < calls; c++)
        shmem_sync_all();
}

/* ---- Operations. s: the call's serial number; each in the form for active sets and for teams ---- */

struct operation {
    int slots;
    void (*set)(struct pe *, char *dest, long bytes, int slot);
    void (*team)(struct pe *, char *dest, long bytes, int slot);
    void (*before)(struct pe *, long bytes, long s);
    bool (*right)(struct pe *, char *dest, long bytes, long s);
    long (*room)(struct pe *, long bytes); /* of a slot of dest */
};

static inline void repeat(struct pe *p, long bytes, long calls, const struct operation *op, bool team)
{
    for (long s = p->serial; s < p->serial + calls; s++) {
        int slot = (int)(s % op->slots);
        char *dest = p->dest + slot * op->room(p, bytes);
        op->before(p, bytes, s);
        (team ? op->team : op->set)(p, dest, bytes, slot);
        p->wrong |= !op->right(p, dest, bytes, s);
        if (op->slots == RING && slot == RING - 1)
            shmem_sync_all();
    }
}

static long room_once(struct pe *p, long bytes)
{
    (void)p;
    return bytes;
}

static long room_each(struct pe *p, long bytes)
{
    return p->n * bytes;
}

/* The source of the root alone; its dest has nothing with active sets. */
static void broadcast_before(struct pe *p, long bytes, long s)
{
    if (p->me == 0)
        set_ends(p->source, bytes, mark(0, s));
}

static bool broadcast_right(struct pe *p, char *dest, long bytes, long s)
{
    return p->me == 0 || ends_are(dest, bytes, mark(0, s));
}

static void broadcast_set(struct pe *p, char *dest, long bytes, int slot)
{
    shmem_broadcast64(dest, p->source, (size_t)bytes / 8, 0, 0, 0, p->n, sync_words[slot]);
}

static void each_before(struct pe *p, long bytes, long s)
{
    set_ends(p->source, bytes, mark(p->me, s));
}

static bool fcollect_right(struct pe *p, char *dest, long bytes, long s)
{
    for (int i = 0; i < p->n; i++)
        if (!ends_are(dest + i * bytes, bytes, mark(i, s)))
            return false;
    return true;
}

static void fcollect_set(struct pe *p, char *dest, long bytes, int slot)
{
    shmem_fcollect64(dest, p->source, (size_t)bytes / 8, 0, 0, p->n, sync_words[slot]);
}

static void alltoall_before(struct pe *p, long bytes, long s)
{
    for (int i = 0; i < p->n; i++)
        set_ends(p->source + i * bytes, bytes, mark(p->me, s) + 7 * i);
}

static bool alltoall_right(struct pe *p, char *dest, long bytes, long s)
{
    for (int i = 0; i < p->n; i++)
        if (!ends_are(dest + i * bytes, bytes, mark(i, s) + 7 * p->me))
            return false;
    return true;
}

static void alltoall_set(struct pe *p, char *dest, long bytes, int slot)
{
    shmem_alltoall64(dest, p->source, (size_t)bytes / 8, 0, 0, p->n, sync_words[slot]);
}

static void reduce_before(struct pe *p, long bytes, long s)
{
    double *first = (double *)first_word(p->source, bytes), *last = (double *)last_word(p->source, bytes);
    *first = *last = (double)mark(p->me, s);
}

static bool reduce_right(struct pe *p, char *dest, long bytes, long s)
{
    double sum = (double)(p->n * mark(0, s) + p->n * (p->n - 1) / 2);
    return *(double *)first_word(dest, bytes) == sum && *(double *)last_word(dest, bytes) == sum;
}

static void reduce_set(struct pe *p, char *dest, long bytes, int slot)
{
    shmem_double_sum_to_all((double *)dest, (double *)p->source, (int)(bytes / 8), 0, 0, p->n, work[slot],
                            sync_words[slot]);
}

#if BENCH_TEAMS
static void broadcast_team(struct pe *p, char *dest, long bytes, int slot)
{
    (void)slot;
    shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, p->source, (size_t)bytes, 0);
}

static void fcollect_team(struct pe *p, char *dest, long bytes, int slot)
{
    (void)slot;
    shmem_fcollectmem(SHMEM_TEAM_WORLD, dest, p->source, (size_t)bytes);
}

static void alltoall_team(struct pe *p, char *dest, long bytes, int slot)
{
    (void)slot;
    shmem_alltoallmem(SHMEM_TEAM_WORLD, dest, p->source, (size_t)bytes);
}

static void reduce_team(struct pe *p, char *dest, long bytes, int slot)
{
    (void)slot;
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, (double *)dest, (double *)p->source, (size_t)bytes / 8);
}
#define TEAM(function) function
#else
#define TEAM(function) NULL
#endif

static const struct operation
    broadcast_op = {RING, broadcast_set, TEAM(broadcast_team), broadcast_before, broadcast_right, room_once},
    reduce_op = {2, reduce_set, TEAM(reduce_team), reduce_before, reduce_right, room_once},
    fcollect_op = {2, fcollect_set, TEAM(fcollect_team), each_before, fcollect_right, room_each},
    alltoall_op = {2, alltoall_set, TEAM(alltoall_team), alltoall_before, alltoall_right, room_each};

static void broadcast(struct pe *p, long bytes, long calls)
{
    repeat(p, bytes, calls, &broadcast_op, false);
}

static void reduce(struct pe *p, long bytes, long calls)
{
    repeat(p, bytes, calls, &reduce_op, false);
}

static void fcollect(struct pe *p, long bytes, long calls)
{
    repeat(p, bytes, calls, &fcollect_op, false);
}

static void alltoall(struct pe *p, long bytes, long calls)
{
    repeat(p, bytes, calls, &alltoall_op, false);
}

#if BENCH_TEAMS
static void team_broadcast(struct pe *p, long bytes, long calls)
{
    repeat(p, bytes, calls, &broadcast_op, true);
}

static void team_reduce(struct pe *p, long bytes, long calls)
{
    repeat(p, bytes, calls, &reduce_op, true);
}

static void team_fcollect(struct pe *p, long bytes, long calls)
{
    repeat(p, bytes, calls, &fcollect_op, true);
}

static void team_alltoall(struct pe *p, long bytes, long calls)
{
    repeat(p, bytes, calls, &alltoall_op, true);
}
#endif

const struct cell coll_cells[] = {
    {.name = "barrier", barrier, NULL, NULL, 0, 1, true},
    {.name = "sync", sync_all, NULL, NULL, 0, 1, true},
    {.name = "broadcast", broadcast, clear, NULL, 8, 1, true},
    {.name = "broadcast", broadcast, clear, NULL, COLL_MOST, 1, true},
    {.name = "reduce", reduce, clear, NULL, 8, 1, true},
    {.name = "reduce", reduce, clear, NULL, COLL_MOST, 1, true},
    {.name = "fcollect", fcollect, clear, NULL, 8, 1, true},
    {.name = "fcollect", fcollect, clear, NULL, COLL_MOST, 1, true},
    {.name = "alltoall", alltoall, clear, NULL, 8, 1, true},
    {.name = "alltoall", alltoall, clear, NULL, PAIR_MOST, 1, true},
#if BENCH_TEAMS
    {.name = "team_broadcast", team_broadcast, clear, NULL, 8, 1, true},
    {.name = "team_broadcast", team_broadcast, clear, NULL, COLL_MOST, 1, true},
    {.name = "team_reduce", team_reduce, clear, NULL, 8, 1, true},
    {.name = "team_reduce", team_reduce, clear, NULL, COLL_MOST, 1, true},
    {.name = "team_fcollect", team_fcollect, clear, NULL, 8, 1, true},
    {.name = "team_fcollect", team_fcollect, clear, NULL, COLL_MOST, 1, true},
    {.name = "team_alltoall", team_alltoall, clear, NULL, 8, 1, true},
    {.name = "team_alltoall", team_alltoall, clear, NULL, PAIR_MOST, 1, true},
#endif
    {.name = NULL},
};
