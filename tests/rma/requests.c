/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * requests.c: requests of one-sided calls among others, and what may be freed while an operation is pending (MPI 11.3.5).
 *
 * Catches: a request that completes before its data are there or never, one that a wait takes for another, a datatype or a
 * request whose memory is used after it was freed.
 */
#include "share.h"
#include <stdlib.h>
#include <string.h>

enum { LONGS = 3000, MIX = 7 };

/* Requests of all kinds to one target, and messages to the next endpoint and from the one before. Where the results will
 * be: got[0] rget, got[1] rget_accumulate, got[2] receive. */
static void start_mix(team_t *t, const share *a, int target, int n, const long *mine, long got[3][LONGS],
                      ep_request r[MIX])
{
    size_t slot = (size_t)a->rank * LONGS * sizeof(long), own = a->bytes / 2;
    MPI_Aint at = share_at(a, target, slot), constant = share_at(a, target, own);
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    EXPECT_OK(ep_rput(mine, n, MPI_LONG, target, at, n, MPI_LONG, a->win, &r[0]));
    EXPECT_OK(ep_irecv(got[2], n, MPI_LONG, before, 5, t->comm, &r[1]));
    EXPECT_OK(ep_rget(got[0], n, MPI_LONG, target, constant, n, MPI_LONG, a->win, &r[2]));
    r[3] = pending_request();
    EXPECT_OK(ep_rget_accumulate(NULL, 0, MPI_LONG, got[1], n, MPI_LONG, target, constant, n, MPI_LONG,
                                 MPI_NO_OP, a->win, &r[4]));
    EXPECT_OK(ep_raccumulate(mine, 1, MPI_LONG, target, share_at(a, target, a->bytes - 8), 1, MPI_LONG,
                             MPI_SUM, a->win, &r[5]));
    EXPECT_OK(ep_isend(mine, n, MPI_LONG, next, 5, t->comm, &r[6]));
}

static int complete_mix(team_t *t, int how, ep_request r[MIX])
{
    ep_request general = r[3];
    int index = -1, done = 0, told = 0, some[MIX], n;
    ep_status s[MIX];
    if (how == 0) {
        EXPECT_OK(ep_grequest_complete(general));
        return EXPECT_OK(ep_waitall(MIX, r, s)) &&
               EXPECT_EQ(s[1].MPI_SOURCE, (t->rank + t->size - 1) % t->size);
    }
    while (done < MIX) {
        if (done == MIX - 1 && !told++)
            EXPECT_OK(ep_grequest_complete(general)); /* the last */
        if (how == 1) {
            EXPECT_OK(ep_waitany(MIX, r, &index, s));
            EXPECT(index != MPI_UNDEFINED && r[index] == EP_REQUEST_NULL);
            done++;
        } else {
            EXPECT_OK(how == 2 ? ep_testsome(MIX, r, &n, some, s) : ep_waitsome(MIX, r, &n, some, s));
            if (!EXPECT(n != MPI_UNDEFINED))
                return 0;
            done += n;
        }
    }
    EXPECT_OK(ep_waitany(MIX, r, &index, s));
    return EXPECT_EQ(index, MPI_UNDEFINED);
}

static void mixed(team_t *t, void *arg)
{
    long(*got)[LONGS] = xmalloc(3 * sizeof *got), *mine = xmalloc(sizeof *got);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        size_t half = ((size_t)t->size * LONGS + 1) * sizeof(long), others = half / 8;
        if (!share_make(&a, t->comm, kind, 2 * half))
            return;
        for (size_t i = 0; i + 1 < others; i++)
            ((long *)(void *)a.base)[others + i] = (long)i + 10 * t->rank;
        EXPECT_OK(ep_barrier(t->comm));
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 0; i < 8; i++) {
            ep_request r[MIX];
            int target = (t->rank + i) % t->size, n = i % 2 ? LONGS : 10;
            for (int k = 0; k < n; k++)
                mine[k] = 1 + k * i;
            memset(got, 0, 3 * sizeof *got);
            start_mix(t, &a, target, n, mine, got, r);
            if (!complete_mix(t, i % 4, r))
                return;
            for (int k = 0; k < n; k++)
                EXPECT(got[0][k] == k + 10 * target && got[1][k] == got[0][k] && got[2][k] == mine[k]);
            EXPECT_OK(ep_win_flush(target, a.win));
            EXPECT_OK(ep_get(got[0], n, MPI_LONG, target, share_at(&a, target, (size_t)t->rank * LONGS * 8),
                             n, MPI_LONG, a.win));
            EXPECT_OK(ep_win_flush(target, a.win));
            EXPECT(memcmp(got[0], mine, (size_t)n * sizeof(long)) == 0);
        }
        EXPECT_OK(ep_barrier(t->comm));
        EXPECT_EQ(look(&a, t->rank, a.bytes - 8), 8);
        EXPECT_OK(ep_win_unlock_all(a.win));
        share_free(&a);
    }
    free(got);
    free(mine);
}

/* Many at a time; each buffer may be used again when its request is complete. */
static void many(team_t *t, void *arg)
{
    enum { MANY = 200 };
    (void)arg;
    for (int kind = 0; kind < KINDS; kind += 3) {
        share a;
        ep_request r[MANY];
        long v[MANY], got[MANY];
        int target = (t->rank + t->size / 2) % t->size, flag = 0;
        if (!share_make(&a, t->comm, kind, MANY * sizeof(long)))
            return;
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a.win));
        for (int i = 0; i < MANY; i++) {
            v[i] = 3 * i;
            EXPECT_OK(ep_rput(&v[i], 1, MPI_LONG, target, share_at(&a, target, (size_t)i * 8), 1, MPI_LONG,
                              a.win, &r[i]));
        }
        while (!flag)
            EXPECT_OK(ep_testall(MANY, r, &flag, EP_STATUSES_IGNORE));
        memset(v, -1, sizeof v);
        EXPECT_OK(ep_win_flush(target, a.win));
        for (int i = 0; i < MANY; i++)
            EXPECT_OK(ep_rget(&got[i], 1, MPI_LONG, target, share_at(&a, target, (size_t)i * 8), 1, MPI_LONG,
                              a.win, &r[i]));
        for (int i = MANY - 1; i >= 0; i--) {
            EXPECT_OK(ep_wait(&r[i], EP_STATUS_IGNORE));
            EXPECT_EQ(got[i], 3 * i);
        }
        EXPECT_OK(ep_win_unlock(target, a.win));
        share_free(&a);
    }
}

/* Requests of one-sided calls can neither be freed nor cancelled (MPI 11.3.5), also those of operations that were complete at
 * once: an attempt changes nothing, and is an error of the window. */
static void not_freed(team_t *t, void *arg)
{
    int target = (t->rank + t->size / 2) % t->size;
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        ep_request r[5];
        long *v = xmalloc(LONGS * sizeof *v), *got = xmalloc(LONGS * sizeof *got), last = 0;
        if (!share_make(&a, t->comm, kind, (LONGS + 1) * sizeof *v))
            return;
        MPI_Aint at = share_at(&a, target, 0), end = share_at(&a, target, LONGS * sizeof *v);
        for (int i = 0; i < LONGS; i++)
            v[i] = i - t->rank;
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a.win));
        EXPECT_OK(ep_accumulate(v, LONGS, MPI_LONG, target, at, LONGS, MPI_LONG, MPI_REPLACE, a.win));
        EXPECT_OK(ep_rget_accumulate(v, LONGS, MPI_LONG, got, LONGS, MPI_LONG, target, at, LONGS, MPI_LONG,
                                     MPI_SUM, a.win, &r[0]));
        EXPECT_OK(ep_raccumulate(v, LONGS, MPI_LONG, target, at, LONGS, MPI_LONG, MPI_SUM, a.win, &r[1]));
        EXPECT_OK(ep_rput(&last, 1, MPI_LONG, target, end, 1, MPI_LONG, a.win, &r[2]));
        EXPECT_OK(ep_rput(v, 0, MPI_LONG, MPI_PROC_NULL, 0, 0, MPI_LONG, a.win, &r[3]));
        EXPECT_OK(ep_rget(&last, 1, MPI_LONG, target, end, 1, MPI_LONG, a.win, &r[4]));
        for (int i = 0; i < 5; i++) {
            EXPECT_EQ(ep_request_free(&r[i]), MPI_ERR_REQUEST);
            EXPECT_EQ(ep_cancel(&r[i]), MPI_ERR_REQUEST);
            EXPECT(r[i] != EP_REQUEST_NULL);
        }
        EXPECT_OK(ep_waitall(5, r, EP_STATUSES_IGNORE));
        EXPECT_OK(ep_win_flush_local(target, a.win));
        EXPECT(memcmp(v, got, LONGS * sizeof *v) == 0);
        EXPECT_OK(ep_win_unlock(target, a.win));
        EXPECT_OK(ep_barrier(t->comm));
        int origin = (t->rank + t->size - t->size / 2) % t->size;
        for (int i = 0; i < LONGS; i++)
            EXPECT(((long *)(void *)a.base)[i] == 3 * (i - origin));
        share_free(&a);
        free(v);
        free(got);
    }
}

/* The datatypes of an operation are freed right after the call, and others made in their place. */
static void freed_types(team_t *t, void *arg)
{
    enum { N = 900 };
    int target = (t->rank + t->size / 2) % t->size, n = times(t, 20);
    static const int zero[2 * N];
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        int *v = xmalloc(2 * N * sizeof *v), *got = xmalloc(2 * N * sizeof *got);
        if (!share_make(&a, t->comm, kind, 3 * N * sizeof *v))
            return;
        MPI_Aint at = share_at(&a, target, 0);
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 0; i < n; i++) {
            MPI_Datatype here, there, other;
            MPI_Type_vector(N, 1, 2, MPI_INT, &here);
            MPI_Type_vector(N, 1, 3, MPI_INT, &there);
            MPI_Type_commit(&here);
            MPI_Type_commit(&there);
            for (int k = 0; k < 2 * N; k++)
                v[k] = i + k;
            memcpy(got, zero, sizeof zero);
            EXPECT_OK(ep_put(v, 1, here, target, at, 1, there, a.win));
            EXPECT_OK(ep_win_flush(target, a.win));
            EXPECT_OK(ep_get(got, 1, here, target, at, 1, there, a.win));
            MPI_Type_free(&here);
            MPI_Type_free(&there);
            MPI_Type_contiguous(3, MPI_CHAR, &other);
            MPI_Type_commit(&other);
            EXPECT_OK(ep_win_flush_local(target, a.win));
            MPI_Type_free(&other);
            for (int k = 0; k < 2 * N; k++)
                EXPECT(got[k] == (k % 2 ? 0 : i + k));
        }
        EXPECT_OK(ep_win_unlock_all(a.win));
        share_free(&a);
        free(v);
        free(got);
    }
}

static const harness_test tests[] = {
    {"mixed", mixed, NULL},
    {"many", many, NULL},
    {"not freed", not_freed, NULL},
    {"freed types", freed_types, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma requests", tests);
}
