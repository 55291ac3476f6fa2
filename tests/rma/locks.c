/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * locks.c: what locks promise (MPI 11.5.3).
 *
 * Catches: updates that are lost under an exclusive lock (with a window per origin 17-34 % of them are), readers who see a
 * writer's work half done, data that are not there yet when the lock is handed on, claims that are never granted.
 */
#include "share.h"
#include <stdlib.h>
#include <string.h>

/* How many updates in all; a variant asks for a million. */
static int updates(const team_t *t, int normal)
{
    const char *given = getenv("EP_TEST_UPDATES");
    return given ? atoi(given) / t->size : times(t, normal);
}

static long get_long(const share *a, int target, size_t offset)
{
    long value = -1;
    EXPECT_OK(ep_get(&value, 1, MPI_LONG, target, share_at(a, target, offset), 1, MPI_LONG, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    return value;
}

/* Complete when the lock is let go, or at a flush. */
static void put_long(const share *a, int target, size_t offset, const long *value)
{
    EXPECT_OK(ep_put(value, 1, MPI_LONG, target, share_at(a, target, offset), 1, MPI_LONG, a->win));
}

/* Get, + 1, put: only a lock makes it whole. */
static void increment(const share *a, int target, size_t offset)
{
    long value;
    EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a->win));
    value = get_long(a, target, offset) + 1;
    put_long(a, target, offset, &value);
    EXPECT_OK(ep_win_unlock(target, a->win));
}

static void update(team_t *t, void *arg)
{
    int n = updates(t, 600);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        long sum = 0, mine;
        if (!share_make(&a, t->comm, kind, sizeof(long)))
            return;
        for (int i = 0; i < n; i++)
            increment(&a, i % 2 ? 0 : random_below(&t->random, t->size), 0);
        EXPECT_OK(ep_barrier(t->comm));
        mine = *(long *)a.base;
        EXPECT_OK(ep_allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, t->comm));
        EXPECT_EQ(sum, (long)n * t->size);
        share_free(&a);
        if (getenv("EP_TEST_UPDATES"))
            break;
    }
}

/* The owner uses load and store under the lock of its own memory. */
static void owner(team_t *t, void *arg)
{
    int n = times(t, 300);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, sizeof(long)))
            return;
        volatile long *own = (volatile long *)a.base;
        for (int i = 0; i < n; i++) {
            increment(&a, (t->rank + i) % t->size, 0);
            EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, t->rank, 0, a.win));
            *own = *own + 1;
            EXPECT_OK(ep_win_unlock(t->rank, a.win));
        }
        EXPECT_OK(ep_barrier(t->comm));
        long sum = 0, mine = *own;
        EXPECT_OK(ep_allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, t->comm));
        EXPECT_EQ(sum, 2L * n * t->size);
        share_free(&a);
    }
}

/* Two words that are equal whenever somebody has the lock. Some write; some of the readers have locked all. */
static void readers(team_t *t, void *arg)
{
    enum { FAR_OFF = 10000, WRITE = 0, READ = 1, READ_ALL = 2 };
    int n = times(t, 200), wrote = 0, all = 0;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, (int)(harness_seed() % KINDS), FAR_OFF + sizeof(long)))
        return;
    for (int i = 0; i < n; i++) {
        int target = random_below(&t->random, 2) * (t->size - 1), what = random_below(&t->random, 3);
        long one = 1;
        if (what == READ_ALL)
            EXPECT_OK(ep_win_lock_all(0, a.win));
        else
            EXPECT_OK(ep_win_lock(what == READ ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, a.win));
        long x = get_long(&a, target, 0);
        EXPECT_EQ(get_long(&a, target, FAR_OFF), x);
        if (what == WRITE) {
            wrote++;
            x++;
            put_long(&a, target, 0, &x);
            EXPECT_OK(ep_win_flush(target, a.win));
            EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, target, share_at(&a, target, FAR_OFF), 1, MPI_LONG,
                                    MPI_SUM, a.win));
        }
        EXPECT_OK(what == READ_ALL ? ep_win_unlock_all(a.win) : ep_win_unlock(target, a.win));
    }
    EXPECT_OK(ep_allreduce(&wrote, &all, 1, MPI_INT, MPI_SUM, t->comm));
    EXPECT_OK(ep_win_lock_all(0, a.win));
    EXPECT_EQ(get_long(&a, 0, FAR_OFF) + get_long(&a, t->size - 1, FAR_OFF), all);
    EXPECT_OK(ep_win_unlock_all(a.win));
    share_free(&a);
}

static void audit(const share *a)
{
    long sum = 0;
    for (int r = 0; r < a->size; r++)
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, r, 0, a->win));
    for (int r = 0; r < a->size; r++)
        sum += get_long(a, r, 0);
    for (int r = 0; r < a->size; r++)
        EXPECT_OK(ep_win_unlock((r + a->rank) % a->size, a->win));
    EXPECT_EQ(sum, 0);
}

/* Accounts: money goes from one to another under two locks, taken in the order of ranks. */
static void several(team_t *t, void *arg)
{
    int n = times(t, 100);
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, (int)(harness_seed() / 5 % KINDS), sizeof(long)))
        return;
    for (int i = 0; i < n; i++) {
        int one = random_below(&t->random, t->size), other = random_below(&t->random, t->size);
        if (one == other) {
            audit(&a);
            continue;
        }
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, one < other ? one : other, 0, a.win));
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, one < other ? other : one, 0, a.win));
        long x = get_long(&a, one, 0) - 1 - t->rank, y = get_long(&a, other, 0) + 1 + t->rank;
        put_long(&a, one, 0, &x);
        put_long(&a, other, 0, &y);
        EXPECT_OK(ep_win_unlock(one, a.win));
        EXPECT_OK(ep_win_unlock(other, a.win));
    }
    share_free(&a);
}

/* Others see to it that nobody comes in between: no lock is needed. */
static void nocheck(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size;
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, 2 * sizeof(long)))
            return;
        for (long i = 1; i <= 5; i++) {
            EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, next, MPI_MODE_NOCHECK, a.win));
            put_long(&a, next, 0, &i);
            EXPECT_OK(ep_win_unlock(next, a.win));
            EXPECT_OK(ep_barrier(t->comm));
            EXPECT_OK(ep_win_lock_all(MPI_MODE_NOCHECK, a.win));
            for (int r = 0; r < t->size; r++) {
                EXPECT_EQ(get_long(&a, r, 0), i);
                EXPECT_EQ(add(&a, r, 8, 1) / t->size, i - 1);
            }
            EXPECT_OK(ep_win_unlock_all(a.win));
            EXPECT_OK(ep_barrier(t->comm));
        }
        share_free(&a);
    }
}

/* A token goes around: what one put is there when the next has the lock. The other words change with it. */
static void hand_over(team_t *t, void *arg)
{
    enum { LONGS = 300 };
    int laps = times(t, 20);
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, (int)(harness_seed() / 7 % KINDS), LONGS * sizeof(long)))
        return;
    for (int holder = 0, done = 0; done < laps;) {
        long v[LONGS];
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, holder, 0, a.win));
        EXPECT_OK(ep_get(v, LONGS, MPI_LONG, holder, share_at(&a, holder, 0), LONGS, MPI_LONG, a.win));
        EXPECT_OK(ep_win_flush_local(holder, a.win));
        if (v[0] % t->size == t->rank) {
            for (int i = LONGS - 1; i >= 0; i--) {
                EXPECT_EQ(v[i], v[0]);
                v[i]++;
            }
            EXPECT_OK(ep_put(v, LONGS, MPI_LONG, holder, share_at(&a, holder, 0), LONGS, MPI_LONG, a.win));
            done++;
        }
        EXPECT_OK(ep_win_unlock(holder, a.win));
    }
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_EQ(*(long *)a.base, t->rank ? 0 : (long)laps * t->size);
    share_free(&a);
}

/* Much data under the lock: all of it is there before the next has it. Owners look at their memory themselves. */
static void large(team_t *t, void *arg)
{
    enum { LONGS = 12500 };
    int n = times(t, 25);
    long *v = xmalloc(LONGS * sizeof *v);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, LONGS * sizeof *v))
            return;
        for (long i = 0; i < n; i++) {
            int target = (int)(i + t->rank) % 2 * (t->size - 1);
            EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a.win));
            if (target == t->rank)
                memcpy(v, a.base, LONGS * sizeof *v);
            else
                EXPECT_OK(
                    ep_get(v, LONGS, MPI_LONG, target, share_at(&a, target, 0), LONGS, MPI_LONG, a.win));
            EXPECT_OK(ep_win_flush(target, a.win));
            for (int k = LONGS - 1; k >= 0; k--) {
                EXPECT(v[k] == v[0]);
                v[k] = i * t->size + t->rank;
            }
            EXPECT_OK(ep_put(v, LONGS, MPI_LONG, target, share_at(&a, target, 0), LONGS, MPI_LONG, a.win));
            EXPECT_OK(ep_win_unlock(target, a.win));
        }
        EXPECT_OK(ep_barrier(t->comm));
        share_free(&a);
    }
    free(v);
}

/* Shared holders come and go without a pause until the last writer has been let in. */
static void fair(team_t *t, void *arg)
{
    int n = times(t, 10), writer = t->rank % 2;
    long wanted = (long)n * (t->size / 2), found;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, 2 * sizeof(long)))
        return;
    for (int i = 0; i < n && writer; i++)
        increment(&a, 0, 0);
    do {
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, 0, 0, a.win));
        found = get_long(&a, 0, 0);
        EXPECT_OK(ep_win_unlock(0, a.win));
    } while (found < wanted);
    EXPECT_EQ(found, wanted);
    share_free(&a);
}

static const harness_test tests[] = {
    {"update", update, NULL},   {"owner", owner, NULL},     {"readers", readers, NULL},
    {"several", several, NULL}, {"nocheck", nocheck, NULL}, {"hand over", hand_over, NULL},
    {"large", large, NULL},     {"fair", fair, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma locks", tests);
}
