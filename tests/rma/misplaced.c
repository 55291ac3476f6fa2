/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * misplaced.c: calls that do not fit to the epoch that the endpoint is in get MPI_ERR_RMA_SYNC and change nothing: the
 * epoch goes on, others do not notice, nobody hangs (MPI 11.5, 11.6).
 *
 * MPI itself does not see them: Open MPI takes a second lock of a target without a word.
 */
#include "share.h"
#include "wrong.h"
#include <string.h>

enum { SYNC = MPI_ERR_RMA_SYNC };

/* The calls that need an access epoch to target. None has an effect. */
static void no_access(const team_t *t, const share *a, int target)
{
    MPI_Aint at = share_at(a, target, 0);
    long x = 7, y = 8, z = 9;
    WRONG(t, ep_put(&x, 1, MPI_LONG, target, at, 1, MPI_LONG, a->win), SYNC, "");
    WRONG(t, ep_get(&x, 1, MPI_LONG, target, at, 1, MPI_LONG, a->win), SYNC, "");
    WRONG(t, ep_accumulate(&x, 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_SUM, a->win), SYNC, "");
    WRONG(t, ep_get_accumulate(&x, 1, MPI_LONG, &y, 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_SUM, a->win),
          SYNC, "");
    WRONG(t, ep_fetch_and_op(&x, &y, MPI_LONG, target, at, MPI_REPLACE, a->win), SYNC, "");
    WRONG(t, ep_compare_and_swap(&x, &y, &z, MPI_LONG, target, at, a->win), SYNC, "");
    EXPECT(x == 7 && y == 8 && z == 9);
}

/* Those that need a lock of target. */
static void no_lock(const team_t *t, const share *a, int target)
{
    MPI_Aint at = share_at(a, target, 0);
    ep_request r = EP_REQUEST_NULL;
    long x = 7, y = 8;
    WRONG(t, ep_rput(&x, 1, MPI_LONG, target, at, 1, MPI_LONG, a->win, &r), SYNC, "");
    WRONG(t, ep_rget(&x, 1, MPI_LONG, target, at, 1, MPI_LONG, a->win, &r), SYNC, "");
    WRONG(t, ep_raccumulate(&x, 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_SUM, a->win, &r), SYNC, "");
    WRONG(t,
          ep_rget_accumulate(&x, 1, MPI_LONG, &y, 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_SUM, a->win, &r),
          SYNC, "");
    WRONG(t, ep_win_flush(target, a->win), SYNC, "");
    WRONG(t, ep_win_flush_local(target, a->win), SYNC, "");
    WRONG(t, ep_win_unlock(target, a->win), SYNC, "");
    EXPECT(x == 7 && y == 8 && r == EP_REQUEST_NULL);
}

static void no_passive(const team_t *t, const share *a)
{
    WRONG(t, ep_win_flush_all(a->win), SYNC, "");
    WRONG(t, ep_win_flush_local_all(a->win), SYNC, "");
    WRONG(t, ep_win_unlock_all(a->win), SYNC, "");
}

/* All that begins an access epoch. The text names what is open. */
static void no_other(const team_t *t, const share *a, int other, const char *open)
{
    WRONG(t, ep_win_lock(MPI_LOCK_SHARED, other, 0, a->win), SYNC, open);
    WRONG(t, ep_win_lock_all(0, a->win), SYNC, open);
    WRONG(t, ep_win_start(EP_GROUP_EMPTY, 0, a->win), SYNC, open);
}

static void nothing_open(team_t *t, share *a, int target)
{
    int flag = 5;
    no_access(t, a, target);
    no_lock(t, a, target);
    no_passive(t, a);
    WRONG(t, ep_win_complete(a->win), SYNC, "ep_win_start");
    WRONG(t, ep_win_wait(a->win), SYNC, "ep_win_post");
    WRONG(t, ep_win_test(a->win, &flag), SYNC, "ep_win_post");
}

static void in_lock(team_t *t, share *a, int target)
{
    int other = (target + 1) % t->size;
    ep_win same = a->win;
    EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, target, 0, a->win));
    WRONG(t, ep_win_lock(MPI_LOCK_SHARED, target, 0, a->win), SYNC, "locked already");
    WRONG(t, ep_win_lock(MPI_LOCK_EXCLUSIVE, target, MPI_MODE_NOCHECK, a->win), SYNC, "locked already");
    no_access(t, a, other);
    no_lock(t, a, other);
    WRONG(t, ep_win_lock_all(0, a->win), SYNC, "ep_win_lock");
    WRONG(t, ep_win_start(EP_GROUP_EMPTY, 0, a->win), SYNC, "ep_win_lock");
    WRONG(t, ep_win_fence(0, a->win), SYNC, "ep_win_lock");
    WRONG(t, ep_win_unlock_all(a->win), SYNC, "");
    WRONG(t, ep_win_complete(a->win), SYNC, "");
    WRONG(t, ep_win_free(&a->win), SYNC, "ep_win_lock");
    EXPECT(a->win == same);
    EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, other, 0, a->win)); /* of another target */
    add(a, target, 0, 1);
    add(a, other, 0, 1);
    EXPECT_OK(ep_win_unlock(target, a->win));
    no_access(t, a, target);
    EXPECT_OK(ep_win_unlock(other, a->win));
    no_access(t, a, other);
}

static void in_lock_all(team_t *t, share *a, int target)
{
    for (int nocheck = 0; nocheck < 2; nocheck++) {
        EXPECT_OK(ep_win_lock_all(nocheck ? MPI_MODE_NOCHECK : 0, a->win));
        no_other(t, a, target, "ep_win_lock_all");
        WRONG(t, ep_win_unlock(target, a->win), SYNC, "");
        WRONG(t, ep_win_fence(0, a->win), SYNC, "ep_win_lock_all");
        WRONG(t, ep_win_free(&a->win), SYNC, "ep_win_lock_all");
        add(a, target, 0, 1);
        EXPECT_OK(ep_win_unlock_all(a->win));
        WRONG(t, ep_win_unlock_all(a->win), SYNC, "");
    }
}

static void in_start(team_t *t, share *a, int target)
{
    /* to the target, from whoever has me as target */
    int other = (target + 1) % t->size, from = (2 * t->rank + t->size - target) % t->size;
    ep_group all, to, by;
    long one = 1;
    EXPECT_OK(ep_win_get_group(a->win, &all));
    EXPECT_OK(ep_group_incl(all, 1, &target, &to));
    EXPECT_OK(ep_group_incl(all, 1, &from, &by));
    EXPECT_OK(ep_win_post(by, 0, a->win));
    WRONG(t, ep_win_post(by, 0, a->win), SYNC, "ep_win_post");
    WRONG(t, ep_win_free(&a->win), SYNC, "ep_win_post");
    EXPECT_OK(ep_win_start(to, 0, a->win));
    WRONG(t, ep_win_fence(0, a->win), SYNC, "");
    no_other(t, a, target, "ep_win_start");
    no_access(t, a, other);
    no_lock(t, a, target);
    no_passive(t, a);
    EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, target, share_at(a, target, 0), 1, MPI_LONG, MPI_SUM, a->win));
    EXPECT_OK(ep_win_complete(a->win));
    WRONG(t, ep_win_complete(a->win), SYNC, "");
    no_access(t, a, target);
    EXPECT_OK(ep_win_wait(a->win));
    WRONG(t, ep_win_wait(a->win), SYNC, "");
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_group_free(&to));
    EXPECT_OK(ep_group_free(&by));
}

static void in_fence(team_t *t, share *a, int target)
{
    long one = 1;
    EXPECT_OK(ep_win_fence(0, a->win));
    no_lock(t, a, target); /* nothing accessed yet */
    EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, target, share_at(a, target, 0), 1, MPI_LONG, MPI_SUM, a->win));
    no_lock(t, a, target);
    no_passive(t, a);
    no_other(t, a, target, "ep_win_fence");
    WRONG(t, ep_win_complete(a->win), SYNC, "");
    EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a->win));
    no_access(t, a, target);
}

/* In each kind of epoch, with targets near and far: what was allowed has been done, and nothing else. */
static void misplaced(team_t *t, void *arg)
{
    static void (*const all[])(team_t *, share *, int) = {nothing_open, in_lock, in_lock_all, in_start,
                                                          in_fence};
    static const int added[] = {0, 2, 2, 1, 1};
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        long found = 0;
        if (!share_make(&a, t->comm, kind, 64))
            return;
        for (int i = 0; i < 5; i++)
            for (int far = 0; far < 2; far++) {
                all[i](t, &a, (t->rank + (far ? t->size / 2 : 1)) % t->size);
                EXPECT_OK(ep_barrier(t->comm));
                memcpy(&found, a.base, sizeof found);
                EXPECT_EQ(found, added[i]);
                memset(a.base, 0, sizeof found);
                EXPECT_OK(ep_barrier(t->comm));
            }
        expect_works(t, &a);
        share_free(&a);
    }
}

static const harness_test tests[] = {{"misplaced", misplaced, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma misplaced", tests);
}
