/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pscw.c: post, start, complete, wait and test (MPI 11.5.2).
 *
 * Catches: a post or a complete of one epoch that is counted for another, groups that wait for the wrong endpoints, waits
 * that end before the data are there, synchronisation of one endpoint that disturbs another one of its process.
 */
#include "share.h"
#include <stdlib.h>
#include <string.h>

/* ---- Who accesses whom: known to all, by chance ---- */

enum { MOST = 64 };

typedef struct {
    ep_group post, start;
    int from[MOST], nfrom; /* who accesses me */
    int to[MOST], nto;     /* whom I access */
} partners;

static int accesses(uint64_t epoch, int origin, int target, int percent)
{
    uint64_t state = harness_seed() + epoch * 1000003u + (uint64_t)(origin * MOST + target);
    return random_below(&state, 100) < percent;
}

/* The order of a group is of no importance. */
static void shuffle(team_t *t, int list[], int n)
{
    for (int i = n - 1; i > 0; i--) {
        int k = random_below(&t->random, i + 1), x = list[i];
        list[i] = list[k];
        list[k] = x;
    }
}

static void choose(team_t *t, ep_win win, uint64_t epoch, int percent, partners *p)
{
    ep_group all;
    p->nfrom = p->nto = 0;
    for (int r = 0; r < t->size; r++) {
        if (accesses(epoch, r, t->rank, percent))
            p->from[p->nfrom++] = r;
        if (accesses(epoch, t->rank, r, percent))
            p->to[p->nto++] = r;
    }
    shuffle(t, p->from, p->nfrom);
    shuffle(t, p->to, p->nto);
    EXPECT_OK(ep_win_get_group(win, &all));
    EXPECT_OK(ep_group_incl(all, p->nfrom, p->from, &p->post));
    EXPECT_OK(ep_group_incl(all, p->nto, p->to, &p->start));
    EXPECT_OK(ep_group_free(&all));
}

static void forget_groups(partners *p)
{
    EXPECT_OK(ep_group_free(&p->post));
    EXPECT_OK(ep_group_free(&p->start));
}

static void wait_exposure(team_t *t, ep_win win)
{
    int flag = 0;
    if (random_below(&t->random, 2))
        EXPECT_OK(ep_win_wait(win));
    else
        while (!flag)
            EXPECT_OK(ep_win_test(win, &flag));
}

/* What epoch e's origins put into the slot of 2 longs that each has here is there; others' slots are as they were. */
static void expect_slots(const share *a, const partners *p, long e)
{
    for (int i = 0; i < p->nfrom; i++) {
        long v[2];
        memcpy(v, a->base + p->from[i] * 16, sizeof v);
        EXPECT_EQ(v[0], e);
        EXPECT_EQ(v[1] - p->from[i], e);
    }
}

static void put_slots(const share *a, const partners *p, const long value[2])
{
    for (int i = 0; i < p->nto; i++)
        EXPECT_OK(ep_put(value, 2, MPI_LONG, p->to[i], share_at(a, p->to[i], (size_t)a->rank * 16), 2,
                         MPI_LONG, a->win));
}

/* Epochs follow each other as fast as each endpoint's partners allow; the fast are many epochs ahead of the slow. */
static void random_groups(team_t *t, void *arg)
{
    int n = times(t, 150);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        static const int percents[KINDS] = {20, 50, 100, 35};
        share a;
        if (!share_make(&a, t->comm, kind, (size_t)t->size * 16))
            return;
        for (int e = 1; e <= n; e++) {
            partners p;
            long value[2] = {e, e + t->rank};
            choose(t, a.win, (uint64_t)e + 1000u * (unsigned)kind, percents[kind], &p);
            EXPECT_OK(ep_win_post(p.post, e % 5 ? 0 : MPI_MODE_NOSTORE, a.win));
            EXPECT_OK(ep_win_start(p.start, 0, a.win));
            forget_groups(&p);
            put_slots(&a, &p, value);
            EXPECT_OK(ep_win_complete(a.win));
            wait_exposure(t, a.win);
            expect_slots(&a, &p, e);
        }
        EXPECT_OK(ep_barrier(t->comm));
        share_free(&a);
    }
}

/* Two windows, their epochs interleaved in different orders. */
static void two_windows(team_t *t, void *arg)
{
    int n = times(t, 60);
    share a[2];
    (void)arg;
    if (!share_make(&a[0], t->comm, CREATED, (size_t)t->size * 16) ||
        !share_make(&a[1], t->comm, ALLOCATED, (size_t)t->size * 16))
        return;
    for (int e = 1; e <= n; e++) {
        partners p[2];
        long value[2] = {e, e + t->rank};
        int x = (e + t->rank) % 2, y = e / 2 % 2;
        for (int w = 0; w < 2; w++)
            choose(t, a[w].win, (uint64_t)(2 * e + w), 50, &p[w]);
        EXPECT_OK(ep_win_post(p[x].post, 0, a[x].win));
        EXPECT_OK(ep_win_post(p[!x].post, 0, a[!x].win));
        EXPECT_OK(ep_win_start(p[y].start, 0, a[y].win));
        EXPECT_OK(ep_win_start(p[!y].start, 0, a[!y].win));
        for (int w = 0; w < 2; w++)
            put_slots(&a[w], &p[w], value);
        EXPECT_OK(ep_win_complete(a[x].win));
        EXPECT_OK(ep_win_complete(a[!x].win));
        for (int w = 0; w < 2; w++) {
            wait_exposure(t, a[w].win);
            expect_slots(&a[w], &p[w], e);
            forget_groups(&p[w]);
        }
    }
    share_free(&a[1]);
    share_free(&a[0]);
}

/* ---- A pipeline: one exposes only, one accesses only, the rest both; nothing keeps them together ---- */

static void pipeline(team_t *t, void *arg)
{
    enum { LONGS = 1500 };
    int n = times(t, 40), next = t->rank + 1, before = t->rank - 1;
    share a;
    ep_group all, to = EP_GROUP_NULL, from = EP_GROUP_NULL;
    (void)arg;
    if (!share_make(&a, t->comm, (int)(harness_seed() % KINDS), LONGS * sizeof(long)))
        return;
    long *own = (long *)a.base, *copy = xmalloc(LONGS * sizeof *copy);
    EXPECT_OK(ep_win_get_group(a.win, &all));
    if (next < t->size)
        EXPECT_OK(ep_group_incl(all, 1, &next, &to));
    if (before >= 0)
        EXPECT_OK(ep_group_incl(all, 1, &before, &from));
    for (int e = 0; e < n; e++) {
        if (before >= 0) {
            EXPECT_OK(ep_win_post(from, 0, a.win));
            wait_exposure(t, a.win);
            EXPECT_EQ(own[0], e + before);
            EXPECT_EQ(own[LONGS - 1], e + before);
        }
        for (int i = 0; i < LONGS; i++)
            copy[i] = before >= 0 ? own[i] + 1 : e;
        if (next < t->size) {
            EXPECT_OK(ep_win_start(to, 0, a.win));
            EXPECT_OK(ep_put(copy, LONGS, MPI_LONG, next, share_at(&a, next, 0), LONGS, MPI_LONG, a.win));
            EXPECT_OK(ep_win_complete(a.win));
        }
    }
    if (to != EP_GROUP_NULL)
        EXPECT_OK(ep_group_free(&to));
    if (from != EP_GROUP_NULL)
        EXPECT_OK(ep_group_free(&from));
    EXPECT_OK(ep_group_free(&all));
    share_free(&a);
    free(copy);
}

/* ---- Assertions, empty groups, all operations ---- */

static void asserted(team_t *t, void *arg)
{
    ep_group all = EP_GROUP_NULL;
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        int flag = 0;
        if (!share_make(&a, t->comm, kind, sizeof(long)))
            return;
        EXPECT_OK(ep_win_get_group(a.win, &all));
        for (long e = 0; e < 4; e++) {
            long got[MOST], one = 1;
            EXPECT_OK(ep_win_post(all, MPI_MODE_NOCHECK | (e == 1 ? MPI_MODE_NOPUT : 0), a.win));
            EXPECT_OK(ep_barrier(t->comm)); /* all have posted */
            EXPECT_OK(ep_win_start(all, MPI_MODE_NOCHECK, a.win));
            for (int r = 0; r < t->size; r++)
                if (e == 1)
                    EXPECT_OK(ep_get(&got[r], 1, MPI_LONG, r, share_at(&a, r, 0), 1, MPI_LONG, a.win));
                else
                    EXPECT_OK(
                        ep_accumulate(&one, 1, MPI_LONG, r, share_at(&a, r, 0), 1, MPI_LONG, MPI_SUM, a.win));
            EXPECT_OK(ep_win_complete(a.win));
            for (int r = 0; r < t->size && e == 1; r++)
                EXPECT_EQ(got[r], t->size);
            EXPECT_OK(ep_win_wait(a.win));
            EXPECT_EQ(*(long *)a.base, t->size * (e < 1 ? e + 1 : e));
        }
        EXPECT_OK(ep_win_post(EP_GROUP_EMPTY, 0, a.win));
        EXPECT_OK(ep_win_start(EP_GROUP_EMPTY, 0, a.win));
        EXPECT_OK(ep_win_complete(a.win));
        EXPECT_OK(ep_win_test(a.win, &flag));
        EXPECT(flag);
        EXPECT_OK(ep_group_free(&all));
        share_free(&a);
    }
}

/* ---- Endpoints of one process in different kinds of epochs on one window ---- */

/* Of four endpoints one accesses, one exposes, one locks and the last is locked and does nothing. In another round of
 * roles they are others. Targets are in the same process or in another one. */
static void play(team_t *t, const share *a, int role, const int who[4], long round)
{
    ep_group all, one;
    long value = -1;
    EXPECT_OK(ep_win_get_group(a->win, &all));
    EXPECT_OK(ep_group_incl(all, 1, &who[role ^ 1], &one));
    if (role == 0) {
        EXPECT_OK(ep_win_start(one, 0, a->win));
        EXPECT_OK(ep_put(&round, 1, MPI_LONG, who[1], share_at(a, who[1], 0), 1, MPI_LONG, a->win));
        EXPECT_OK(ep_win_complete(a->win));
    } else if (role == 1) {
        EXPECT_OK(ep_win_post(one, 0, a->win));
        wait_exposure(t, a->win);
        EXPECT_EQ(*(long *)a->base, round);
    } else if (role == 2) {
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, who[3], 0, a->win));
        EXPECT_OK(ep_get(&value, 1, MPI_LONG, who[3], share_at(a, who[3], 8), 1, MPI_LONG, a->win));
        EXPECT_OK(ep_win_flush(who[3], a->win));
        value++;
        EXPECT_OK(ep_put(&value, 1, MPI_LONG, who[3], share_at(a, who[3], 8), 1, MPI_LONG, a->win));
        EXPECT_OK(ep_win_unlock(who[3], a->win));
    }
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_group_free(&one));
}

static void modes(team_t *t, void *arg)
{
    int rounds = times(t, 50), step = t->size / 4;
    (void)arg;
    for (int kind = 0; kind < KINDS && step; kind++) {
        share a;
        long value[2];
        if (!share_make(&a, t->comm, kind, 2 * sizeof(long)))
            return;
        for (int round = 0; round < rounds; round++) {
            /* the four of a group are neighbours in odd kinds, far apart in the others */
            int group = kind % 2 ? t->rank / 4 : t->rank % step, at = kind % 2 ? t->rank % 4 : t->rank / step;
            int who[4], role = (at + round / 5) % 4;
            for (int k = 0; k < 4; k++) {
                int place = (k + 4 - round / 5 % 4) % 4;
                who[k] = kind % 2 ? 4 * group + place : group + place * step;
            }
            if (t->rank < 4 * step)
                play(t, &a, role, who, round + 1);
            if (round % 5 == 4) /* others' roles change */
                EXPECT_OK(ep_barrier(t->comm));
        }
        EXPECT_OK(ep_barrier(t->comm));
        memcpy(value, a.base, sizeof value);
        long sum = 0;
        EXPECT_OK(ep_allreduce(&value[1], &sum, 1, MPI_LONG, MPI_SUM, t->comm));
        EXPECT_EQ(sum, (long)rounds * step);
        EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a.win));
        share_free(&a);
    }
}

static const harness_test tests[] = {
    {"random groups", random_groups, NULL},
    {"two windows", two_windows, NULL},
    {"pipeline", pipeline, NULL},
    {"asserted", asserted, NULL},
    {"modes", modes, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma pscw", tests);
}
