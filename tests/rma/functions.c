/* SPDX-License-Identifier: BSD-3-Clause */
/* functions.c: every function of communication and synchronisation at least once, with data that are checked (MPI 11.3, 11.5). */
#include "share.h"
#include <string.h>

/* ---- Communication, to everybody in turn ---- */

enum { SLOT = 64 }; /* bytes that an origin has at each target */

/* Call the ten functions on the slot at target, which holds 8 longs of 0. */
static void use_all(const share *a, int target)
{
    MPI_Aint at = share_at(a, target, (size_t)a->rank * SLOT);
    long v[8], got[8] = {0}, one = 1, zero = 0, old = -1;
    ep_request r[4];
    ep_win win = a->win;
    for (int i = 0; i < 8; i++)
        v[i] = 1000 * a->rank + 10 * target + i;
    EXPECT_OK(ep_put(v, 8, MPI_LONG, target, at, 8, MPI_LONG, win));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT_OK(ep_get(got, 8, MPI_LONG, target, at, 8, MPI_LONG, win));
    EXPECT_OK(ep_win_flush_local(target, win));
    EXPECT(memcmp(v, got, sizeof v) == 0);
    EXPECT_OK(ep_accumulate(v, 8, MPI_LONG, target, at, 8, MPI_LONG, MPI_SUM, win));
    EXPECT_OK(ep_get_accumulate(v, 8, MPI_LONG, got, 8, MPI_LONG, target, at, 8, MPI_LONG, MPI_PROD, win));
    EXPECT_OK(ep_win_flush_all(win));
    for (int i = 0; i < 8; i++)
        EXPECT_EQ(got[i], 2 * v[i]);
    EXPECT_OK(ep_fetch_and_op(&one, &old, MPI_LONG, target, at, MPI_SUM, win));
    EXPECT_OK(ep_win_flush_local_all(win));
    EXPECT_EQ(old, 2 * v[0] * v[0]);
    one = old + 1;
    EXPECT_OK(ep_compare_and_swap(&zero, &one, &old, MPI_LONG, target, at, win));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT_EQ(old, one);
    EXPECT_OK(ep_rput(v, 1, MPI_LONG, target, at + 8, 1, MPI_LONG, win, &r[0]));
    EXPECT_OK(ep_raccumulate(v, 1, MPI_LONG, target, at + 16, 1, MPI_LONG, MPI_REPLACE, win, &r[1]));
    EXPECT_OK(ep_rget(&got[0], 1, MPI_LONG, target, at, 1, MPI_LONG, win, &r[2]));
    EXPECT_OK(ep_rget_accumulate(NULL, 0, MPI_LONG, &got[3], 2, MPI_LONG, target, at + 24, 2, MPI_LONG,
                                 MPI_NO_OP, win, &r[3]));
    EXPECT_OK(ep_waitall(4, r, EP_STATUSES_IGNORE));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT_EQ(got[0], 0);
    EXPECT_EQ(got[3], 2 * v[3] * v[3]);
    EXPECT_EQ(got[4], 2 * v[4] * v[4]);
    EXPECT_OK(ep_get(got, 3, MPI_LONG, target, at, 3, MPI_LONG, win));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT(got[0] == 0 && got[1] == v[0] && got[2] == v[0]);
}

static void communication(team_t *t, void *arg)
{
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, (size_t)t->size * SLOT))
            return;
        for (int i = 0; i < t->size; i++) {
            int target = (t->rank + i) % t->size;
            EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, target, 0, a.win));
            use_all(&a, target);
            EXPECT_OK(ep_win_unlock(target, a.win));
        }
        EXPECT_OK(ep_win_lock_all(0, a.win));
        EXPECT_OK(ep_barrier(t->comm));
        EXPECT_OK(ep_win_sync(a.win));
        EXPECT_OK(ep_win_unlock_all(a.win));
        for (int r = 0; r < t->size; r++) {
            long v[8];
            memcpy(v, a.base + r * SLOT, sizeof v);
            long first = 1000L * r + 10 * t->rank;
            EXPECT(v[0] == 0 && v[1] == first && v[2] == first);
            EXPECT_EQ(v[7], 2 * (first + 7) * (first + 7));
        }
        share_free(&a);
    }
}

/* ---- Synchronisation: a put to the next endpoint, in each kind of epoch ---- */

enum { BY_FENCE, BY_PSCW, BY_PSCW_TEST, BY_LOCK, BY_LOCK_ALL, WAYS };

static void put_next(const share *a, int way, int value)
{
    int next = (a->rank + 1) % a->size, before = (a->rank + a->size - 1) % a->size, flag = 0;
    ep_group all, to, from;
    EXPECT_OK(ep_win_get_group(a->win, &all));
    EXPECT_OK(ep_group_incl(all, 1, &next, &to));
    EXPECT_OK(ep_group_incl(all, 1, &before, &from));
    if (way == BY_FENCE)
        EXPECT_OK(ep_win_fence(MPI_MODE_NOPRECEDE, a->win));
    else if (way == BY_LOCK)
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, next, 0, a->win));
    else if (way == BY_LOCK_ALL)
        EXPECT_OK(ep_win_lock_all(0, a->win));
    else {
        EXPECT_OK(ep_win_post(from, 0, a->win));
        EXPECT_OK(ep_win_start(to, 0, a->win));
    }
    EXPECT_OK(ep_put(&value, 1, MPI_INT, next, share_at(a, next, 0), 1, MPI_INT, a->win));
    if (way == BY_FENCE)
        EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a->win));
    else if (way == BY_LOCK)
        EXPECT_OK(ep_win_unlock(next, a->win));
    else if (way == BY_LOCK_ALL)
        EXPECT_OK(ep_win_unlock_all(a->win));
    else {
        EXPECT_OK(ep_win_complete(a->win));
        if (way == BY_PSCW)
            EXPECT_OK(ep_win_wait(a->win));
        while (way == BY_PSCW_TEST && !flag)
            EXPECT_OK(ep_win_test(a->win, &flag));
    }
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_group_free(&to));
    EXPECT_OK(ep_group_free(&from));
}

static void synchronisation(team_t *t, void *arg)
{
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, 2 * sizeof(int)))
            return;
        for (int i = 0; i < 3 * WAYS; i++) {
            put_next(&a, i % WAYS, 100 * i + t->rank);
            EXPECT_OK(ep_barrier(t->comm));
            EXPECT_EQ(*(int *)a.base, 100 * i + (t->rank + t->size - 1) % t->size);
            EXPECT_OK(ep_barrier(t->comm));
        }
        share_free(&a);
    }
}

/* Nobody is a target in each kind of epoch. */
static void nobody(team_t *t, void *arg)
{
    const int p = MPI_PROC_NULL;
    long x = 5, y = 6, z = 7;
    ep_request r[4];
    ep_status s[4];
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, 64))
        return;
    for (int way = 0; way < 2; way++) {
        EXPECT_OK(way ? ep_win_lock_all(0, a.win) : ep_win_fence(0, a.win));
        EXPECT_OK(ep_put(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, a.win));
        EXPECT_OK(ep_get(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, a.win));
        EXPECT_OK(ep_accumulate(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, MPI_SUM, a.win));
        EXPECT_OK(ep_get_accumulate(&x, 1, MPI_LONG, &y, 1, MPI_LONG, p, 0, 1, MPI_LONG, MPI_SUM, a.win));
        EXPECT_OK(ep_fetch_and_op(&x, &y, MPI_LONG, p, 0, MPI_SUM, a.win));
        EXPECT_OK(ep_compare_and_swap(&x, &y, &z, MPI_LONG, p, 0, a.win));
        EXPECT_OK(way ? ep_win_flush_all(a.win) : ep_win_fence(MPI_MODE_NOSUCCEED, a.win));
    }
    EXPECT_OK(ep_rput(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, a.win, &r[0]));
    EXPECT_OK(ep_rget(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, a.win, &r[1]));
    EXPECT_OK(ep_raccumulate(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, MPI_SUM, a.win, &r[2]));
    EXPECT_OK(ep_rget_accumulate(&x, 1, MPI_LONG, &y, 1, MPI_LONG, p, 0, 1, MPI_LONG, MPI_SUM, a.win, &r[3]));
    for (int i = 0; i < 4; i++)
        EXPECT(r[i] != EP_REQUEST_NULL);
    EXPECT_OK(ep_waitall(4, r, s));
    EXPECT_OK(ep_win_unlock_all(a.win));
    EXPECT(x == 5 && y == 6 && z == 7);
    share_free(&a);
}

static const harness_test tests[] = {
    {"communication", communication, NULL},
    {"synchronisation", synchronisation, NULL},
    {"nobody", nobody, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma functions", tests);
}
