/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fence.c: fences (MPI 11.5.1).
 *
 * Catches: data that come after the fence, own stores that others do not see, epochs that go on after they were closed, little
 * data that go by MPI's windows.
 */
#include "share.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- What this process has MPI do ---- */

static atomic_int natives, messages;

int MPI_Put(const void *from, int n, MPI_Datatype type, int rank, MPI_Aint at, int m, MPI_Datatype there,
            MPI_Win win)
{
    atomic_fetch_add(&natives, 1);
    return PMPI_Put(from, n, type, rank, at, m, there, win);
}

int MPI_Get(void *to, int n, MPI_Datatype type, int rank, MPI_Aint at, int m, MPI_Datatype there, MPI_Win win)
{
    atomic_fetch_add(&natives, 1);
    return PMPI_Get(to, n, type, rank, at, m, there, win);
}

int MPI_Isend(const void *from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    atomic_fetch_add(&messages, 1);
    return PMPI_Isend(from, n, type, to, tag, comm, request);
}

/* ---- Tests ---- */

static void empty(team_t *t, void *arg)
{
    static const int asserts[] = {0, MPI_MODE_NOPRECEDE, MPI_MODE_NOSTORE | MPI_MODE_NOPUT,
                                  MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, MPI_MODE_NOSUCCEED};
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, 0))
            return;
        for (int i = 0; i < 50; i++)
            EXPECT_OK(ep_win_fence(i % 7 < 5 ? asserts[i % 7] : 0, a.win));
        share_free(&a);
    }
}

/* Everybody comes later by a random amount of work; what each stored before the fence all get after it. */
static void stores(team_t *t, void *arg)
{
    int n = times(t, 60);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        long *got = xmalloc((size_t)t->size * sizeof *got);
        if (!share_make(&a, t->comm, kind, 2 * sizeof(long)))
            return;
        long *own = (long *)a.base;
        for (int i = 0; i < n; i++) {
            int flag;
            for (int late = random_below(&t->random, 20); late > 0; late--)
                EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, EP_STATUS_IGNORE));
            own[i % 2] = 1000 * i + t->rank;
            EXPECT_OK(ep_win_fence(0, a.win));
            for (int r = 0; r < t->size; r++)
                EXPECT_OK(ep_get(&got[r], 1, MPI_LONG, r, share_at(&a, r, i % 2 * sizeof(long)), 1, MPI_LONG,
                                 a.win));
            EXPECT_OK(ep_win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, a.win));
            for (int r = 0; r < t->size; r++)
                EXPECT_EQ(got[r], 1000 * i + r);
        }
        EXPECT_OK(ep_win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, a.win));
        share_free(&a);
        free(got);
    }
}

/* What an owner stored before the fence that begins an epoch does not overwrite what others put after it. */
static void stores_before(team_t *t, void *arg)
{
    int n = times(t, 60), next = (t->rank + 1) % t->size;
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, sizeof(long)))
            return;
        for (long i = 0; i < n; i++) {
            int flag;
            for (int late = t->rank % 2 ? random_below(&t->random, 200) : 0; late > 0; late--)
                EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, EP_STATUS_IGNORE));
            *(volatile long *)(void *)a.base = -1;
            EXPECT_OK(ep_win_fence(MPI_MODE_NOPRECEDE, a.win));
            EXPECT_OK(ep_put(&i, 1, MPI_LONG, next, share_at(&a, next, 0), 1, MPI_LONG, a.win));
            EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a.win));
            EXPECT_EQ(*(long *)(void *)a.base, i);
        }
        share_free(&a);
    }
}

/* A ring: what came in the last epoch goes on in the next. */
static void ring(team_t *t, void *arg)
{
    int n = times(t, 60), next = (t->rank + 1) % t->size;
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        long v[2] = {t->rank, 0};
        if (!share_make(&a, t->comm, kind, 2 * sizeof v))
            return;
        EXPECT_OK(ep_win_fence(MPI_MODE_NOPRECEDE, a.win));
        for (int i = 0; i < n; i++) { /* the half that is written alternates, so stale data show */
            EXPECT_OK(ep_put(v, 2, MPI_LONG, next, share_at(&a, next, i % 2 * sizeof v), 2, MPI_LONG, a.win));
            EXPECT_OK(ep_win_fence(i == n - 1 ? MPI_MODE_NOSUCCEED : 0, a.win));
            memcpy(v, a.base + i % 2 * sizeof v, sizeof v);
            EXPECT_EQ(v[0], (t->rank + (long)t->size * n - i - 1) % t->size);
            EXPECT_EQ(v[1]++, i);
        }
        share_free(&a);
    }
}

/* So many longs to and from everybody. How often this process has called MPI's windows for it. */
static int exchanged_natively(team_t *t, const share *a, int longs)
{
    size_t half = (size_t)longs * sizeof(long), all = (size_t)t->size * half;
    long *from = xmalloc(all), *to = xmalloc(all);
    EXPECT_OK(ep_win_fence(0, a->win));
    int before = atomic_load(&natives);
    team_barrier(t);
    for (int r = 0; r < t->size; r++) {
        for (int k = 0; k < longs; k++)
            from[r * longs + k] = 100 * t->rank + r + k;
        EXPECT_OK(ep_put(&from[r * longs], longs, MPI_LONG, r, share_at(a, r, (size_t)t->rank * half), longs,
                         MPI_LONG, a->win));
    }
    EXPECT_OK(ep_win_fence(0, a->win));
    for (int r = 0; r < t->size; r++)
        EXPECT_OK(ep_get(&to[r * longs], longs, MPI_LONG, r, share_at(a, r, (size_t)t->rank * half), longs,
                         MPI_LONG, a->win));
    EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a->win));
    EXPECT(memcmp(from, to, all) == 0);
    for (int r = 0; r < t->size; r++)
        EXPECT_EQ(((const long *)(void *)a->base)[r * longs + longs - 1], 100 * r + t->rank + longs - 1);
    int calls = atomic_load(&natives) - before;
    team_barrier(t);
    free(from);
    free(to);
    return calls;
}

/* Up to 8 KiB go as messages to processes that share memory with this one, and only those. */
static void little(team_t *t, void *arg)
{
    enum { LONGS = 1024 };
    const char *way = getenv("EP_RMA");
    int native = way && strcmp(way, "native") == 0;
    long one = 1;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, ((size_t)t->size * LONGS + t->size) * sizeof(long)))
        return;
    int before = atomic_load(&messages);
    EXPECT_OK(ep_win_fence(0, a.win));
    for (int r = 0; r < t->size; r++) /* never by MPI's windows */
        EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, r, share_at(&a, r, 0), 1, MPI_LONG, MPI_SUM, a.win));
    EXPECT_OK(ep_win_fence(0, a.win));
    int memory = atomic_load(&messages) == before;
    team_barrier(t);
    int few = exchanged_natively(t, &a, 1), many = exchanged_natively(t, &a, LONGS);
    if (memory && !native)
        EXPECT_EQ(few + many, 0);
    share_free(&a);
}

/* All to all, sizes from nothing to several messages, puts and sums in one epoch. */
static void all_to_all(team_t *t, void *arg)
{
    enum { LONGS = 1200 };
    int n = times(t, 12);
    long *mine = xmalloc(LONGS * sizeof *mine), one = 1;
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, ((size_t)t->size * LONGS + 1) * sizeof(long)))
            return;
        EXPECT_OK(ep_win_fence(0, a.win));
        for (int i = 0; i < n; i++) {
            size_t counter = (size_t)t->size * LONGS * sizeof(long);
            int length = i % 6 ? LONGS >> 2 * (5 - i % 6) : 0;
            for (int k = 0; k < LONGS; k++)
                mine[k] = 10000L * i + t->rank + k;
            for (int r = 0; r < t->size; r++) {
                size_t slot = (size_t)t->rank * LONGS * sizeof(long);
                EXPECT_OK(ep_put(mine, length, MPI_LONG, r, share_at(&a, r, slot), length, MPI_LONG, a.win));
                EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, r, share_at(&a, r, counter), 1, MPI_LONG, MPI_SUM,
                                        a.win));
            }
            EXPECT_OK(ep_win_fence(MPI_MODE_NOSTORE, a.win));
            const long *own = (const long *)a.base;
            EXPECT_EQ(own[t->size * LONGS], (long)t->size * (i + 1));
            for (int r = 0; r < t->size; r++)
                for (int k = 0; k < length; k++)
                    EXPECT(own[r * LONGS + k] == 10000L * i + r + k);
            EXPECT_OK(ep_win_fence(0, a.win)); /* all have looked */
        }
        EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a.win));
        share_free(&a);
    }
    free(mine);
}

/* A matrix is transposed: each puts its row as a column of everybody's. */
static void transposed(team_t *t, void *arg)
{
    int n = t->size;
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        MPI_Datatype column;
        int *row = xmalloc((size_t)n * sizeof *row);
        if (!share_make(&a, t->comm, kind, (size_t)n * (size_t)n * sizeof(int)))
            return;
        MPI_Type_vector(n, 1, n, MPI_INT, &column);
        MPI_Type_commit(&column);
        for (int k = 0; k < n; k++)
            row[k] = 100 * t->rank + k;
        EXPECT_OK(ep_win_fence(0, a.win));
        for (int r = 0; r < n; r++)
            EXPECT_OK(
                ep_put(row, n, MPI_INT, r, share_at(&a, r, (size_t)t->rank * sizeof(int)), 1, column, a.win));
        MPI_Type_free(&column);
        EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a.win));
        for (int k = 0; k < n * n; k++)
            EXPECT_EQ(((int *)a.base)[k], 100 * (k % n) + k / n);
        share_free(&a);
        free(row);
    }
}

/* Epochs of all kinds follow each other on one window. */
static void kinds_of_epochs(team_t *t, void *arg)
{
    int n = times(t, 20), next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    ep_group all, to, from;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, (int)(harness_seed() % KINDS), sizeof(long)))
        return;
    EXPECT_OK(ep_win_get_group(a.win, &all));
    EXPECT_OK(ep_group_incl(all, 1, &next, &to));
    EXPECT_OK(ep_group_incl(all, 1, &before, &from));
    for (int i = 0; i < n; i++) {
        long v = -1, one = 1;
        EXPECT_OK(ep_win_fence(0, a.win));
        EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, next, share_at(&a, next, 0), 1, MPI_LONG, MPI_SUM, a.win));
        EXPECT_OK(ep_win_fence(0, a.win)); /* nothing follows: others may begin */
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, next, 0, a.win));
        add(&a, next, 0, 1);
        EXPECT_OK(ep_win_unlock(next, a.win));
        EXPECT_OK(ep_win_fence(0, a.win));
        EXPECT_OK(ep_win_post(from, 0, a.win));
        EXPECT_OK(ep_win_start(to, 0, a.win));
        EXPECT_OK(ep_get(&v, 1, MPI_LONG, next, share_at(&a, next, 0), 1, MPI_LONG, a.win));
        EXPECT_OK(ep_win_complete(a.win));
        EXPECT_OK(ep_win_wait(a.win));
        EXPECT_EQ(v, 2 * (i + 1));
    }
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_group_free(&to));
    EXPECT_OK(ep_group_free(&from));
    share_free(&a);
}

static const harness_test tests[] = {
    {"empty", empty, NULL},
    {"stores", stores, NULL},
    {"stores before", stores_before, NULL},
    {"ring", ring, NULL},
    {"all to all", all_to_all, NULL},
    {"little", little, NULL},
    {"transposed", transposed, NULL},
    {"kinds of epochs", kinds_of_epochs, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma fence", tests);
}
