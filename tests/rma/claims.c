/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * claims.c: whoever waits for a lock gets it, and nobody else has to wait for that. The watchdog ends what hangs.
 *
 * Catches: writers whom readers keep out; cycles of waiting locks; two threads of one endpoint that lock different targets
 * and lose count, or of which one's flush waits for the other's lock; locks that a wrong unlock gives away.
 */
#include "share.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- Readers and writers ---- */

/* All but one look under lock_all, again and again and so that there is always one who has the lock, until the one has
 * written often enough under its exclusive lock. */
static void kept_out(team_t *t, void *arg)
{
    int n = times(t, 60), target = t->size - 1;
    (void)arg;
    for (int kind = CREATED; kind <= ALLOCATED; kind++) {
        share a;
        long v[2] = {0}, before = 0;
        if (!share_make(&a, t->comm, kind, sizeof v))
            return;
        for (long i = 1; i <= n && t->rank == 0; i++) {
            v[0] = v[1] = i;
            EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a.win));
            EXPECT_OK(ep_put(v, 2, MPI_LONG, target, share_at(&a, target, 0), 2, MPI_LONG, a.win));
            EXPECT_OK(ep_win_unlock(target, a.win));
        }
        /* that it gets in while they look is likely, but promised is only that it does when they stop */
        for (int k = 0; t->rank && before < n && k < 100 * n; k++) {
            EXPECT_OK(ep_win_lock_all(0, a.win));
            for (int i = 0; i < 30; i++) {
                EXPECT_OK(ep_get(v, 2, MPI_LONG, target, share_at(&a, target, 0), 2, MPI_LONG, a.win));
                EXPECT_OK(ep_win_flush(target, a.win));
                EXPECT(v[0] == v[1] && (i ? v[0] == before : v[0] >= before));
                before = v[0];
            }
            EXPECT_OK(ep_win_unlock_all(a.win));
        }
        share_free(&a);
    }
}

/* The first and the last rank share each other's memory, got their own first, and wait for each other in between: no writer
 * who waits may keep them from that. */
static void share_both(team_t *t, const share *a, int all)
{
    int other = t->size - 1 - t->rank;
    long got;
    if (all)
        EXPECT_OK(ep_win_lock_all(0, a->win));
    else
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, t->rank, 0, a->win));
    EXPECT_OK(ep_recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_sendrecv(NULL, 0, MPI_INT, other, 2, NULL, 0, MPI_INT, other, 2, t->comm, EP_STATUS_IGNORE));
    for (int i = random_below(&t->random, 20); i > 0; i--)
        sched_yield(); /* the writers should be waiting by now, in some of the rounds */
    if (!all)
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, other, 0, a->win));
    EXPECT_OK(ep_get(&got, 1, MPI_LONG, other, share_at(a, other, 0), 1, MPI_LONG, a->win));
    if (all) {
        EXPECT_OK(ep_win_unlock_all(a->win));
        return;
    }
    EXPECT_OK(ep_win_unlock(t->rank, a->win));
    EXPECT_OK(ep_win_unlock(other, a->win));
}

/* Each of those two waits for what the other has, behind somebody who waits for it. */
static void cycle(team_t *t, void *arg)
{
    int n = times(t, 100), last = t->size - 1;
    int target = t->rank < t->size / 2 ? 0 : last, tells = t->rank == 1 || t->rank == last - 1;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, sizeof(long)))
        return;
    for (int i = 0; i < n; i++) {
        EXPECT_OK(ep_barrier(t->comm));
        if (t->rank == 0 || t->rank == last) {
            share_both(t, &a, i % 2);
            continue;
        }
        if (tells)
            EXPECT_OK(ep_send(NULL, 0, MPI_INT, target, 1, t->comm));
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a.win));
        EXPECT_OK(ep_win_unlock(target, a.win));
    }
    share_free(&a);
}

/* ---- Two threads of one endpoint ---- */

/* The other thread of an endpoint. */
typedef struct second {
    team_t *t;
    share *a;
    int target, n;
    void (*work)(struct second *me);
    atomic_int begun, stop;
    ep_request done; /* what the first thread waits for, inside ep: at FUNNELED the second needs it there */
    pthread_t thread;
} second;

static void *second_main(void *arg)
{
    second *me = arg;
    team_adopt(me->t);
    me->work(me);
    EXPECT_OK(ep_grequest_complete(me->done));
    return NULL;
}

static int second_begin(second *me)
{
    me->done = pending_request();
    return EXPECT_EQ(pthread_create(&me->thread, NULL, second_main, me), 0);
}

static void second_join(second *me)
{
    EXPECT_OK(ep_wait(&me->done, EP_STATUS_IGNORE));
    EXPECT_EQ(pthread_join(me->thread, NULL), 0);
}

/* Get, + 1, put: only a lock makes it whole. */
static void increment(const share *a, int target)
{
    long v = -1;
    EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a->win));
    EXPECT_OK(ep_get(&v, 1, MPI_LONG, target, share_at(a, target, 0), 1, MPI_LONG, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    v++;
    EXPECT_OK(ep_put(&v, 1, MPI_LONG, target, share_at(a, target, 0), 1, MPI_LONG, a->win));
    EXPECT_OK(ep_win_unlock(target, a->win));
}

static void increment_all(second *me)
{
    atomic_store(&me->begun, 1);
    for (int i = 0; i < me->n; i++)
        increment(me->a, me->target);
}

/* Each counts at a target of its own: neither ends the other's epoch, nor leaves one open. */
static void targets(team_t *t, void *arg)
{
    int n = times(t, t->processes == 1 ? 4000 : 100);
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, sizeof(long)))
        return;
    second two = {.t = t, .a = &a, .target = (t->rank + 1) % t->size, .n = n, .work = increment_all};
    if (second_begin(&two)) {
        for (int i = 0; i < n; i++)
            increment(&a, t->rank);
        second_join(&two);
    }
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_EQ(*(long *)a.base, 2 * n);
    share_free(&a);
}

/* Rank 0 flushes one target while its other thread waits for the lock of another, which somebody gives back only when
 * the flush is through. */
static void flush_beside_claim(team_t *t, void *arg)
{
    enum { WORDS = 128 }; /* a message in 64 is one that ep wants to hear of */
    int n = times(t, 40), flushed = t->size - 2, claimed = t->size - 1;
    const long one = 1;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, WORDS * sizeof one))
        return;
    for (int i = 0; i < n; i++) {
        if (t->rank == 1)
            EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, claimed, 0, a.win));
        EXPECT_OK(ep_barrier(t->comm));
        if (t->rank == 1) {
            EXPECT_OK(ep_recv(NULL, 0, MPI_INT, 0, 1, t->comm, EP_STATUS_IGNORE));
            EXPECT_OK(ep_win_unlock(claimed, a.win));
        } else if (t->rank == 0) {
            second two = {.t = t, .a = &a, .target = claimed, .n = 1, .work = increment_all};
            int puts = 1 + (i % 2 ? 62 + random_below(&t->random, 4) : random_below(&t->random, WORDS));
            EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, flushed, 0, a.win));
            for (int k = 0; k < puts; k++)
                EXPECT_OK(ep_put(&one, 1, MPI_LONG, flushed, share_at(&a, flushed, (size_t)k * sizeof one), 1,
                                 MPI_LONG, a.win));
            if (second_begin(&two)) {
                while (!atomic_load(&two.begun))
                    sched_yield();
                for (int k = random_below(&t->random, 10); k > 0; k--)
                    sched_yield(); /* it should be waiting by now, in some of the rounds */
                EXPECT_OK(ep_win_flush(flushed, a.win));
                EXPECT_OK(ep_send(NULL, 0, MPI_INT, 1, 1, t->comm));
                second_join(&two);
            }
            EXPECT_OK(ep_win_unlock(flushed, a.win));
        }
        EXPECT_OK(ep_barrier(t->comm));
    }
    EXPECT_EQ(*(long *)a.base, t->rank == claimed ? n : t->rank == flushed);
    share_free(&a);
}

static void get_on_and_on(second *me)
{
    long words[512];
    while (!atomic_load(&me->stop)) {
        EXPECT_OK(ep_get(words, 512, MPI_LONG, me->target, share_at(me->a, me->target, 0), 512, MPI_LONG,
                         me->a->win));
        atomic_store(&me->begun, 1);
    }
    EXPECT_OK(ep_win_flush_local(me->target, me->a->win));
}

/* What was put is there after the flush, though the endpoint's other thread always has something under way. */
static void flush_beside_gets(team_t *t, void *arg)
{
    enum { BYTES = 513 * sizeof(long), AT = 512 * sizeof(long) };
    int last = t->size - 1;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, BYTES))
        return;
    EXPECT_OK(ep_win_lock_all(0, a.win));
    EXPECT_OK(ep_barrier(t->comm));
    second two = {.t = t, .a = &a, .target = last, .work = get_on_and_on};
    if (t->rank == 0 && second_begin(&two)) {
        for (long i = 1; i <= times(t, 10); i++) {
            EXPECT_OK(ep_put(&i, 1, MPI_LONG, last, share_at(&a, last, AT), 1, MPI_LONG, a.win));
            EXPECT_OK(ep_win_flush(last, a.win));
            EXPECT_EQ(look(&a, last, AT), i);
        }
        atomic_store(&two.stop, 1);
        second_join(&two);
    }
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_win_unlock_all(a.win));
    share_free(&a);
}

/* Unlocking what the other thread only waits for is an error, which gives nobody's lock away. */
static void unlock_too_early(team_t *t, void *arg)
{
    int last = t->size - 1;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, sizeof(long)))
        return;
    if (t->rank == last)
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, a.win));
    EXPECT_OK(ep_barrier(t->comm));
    if (t->rank == 0) {
        second two = {.t = t, .a = &a, .target = 1, .n = 1, .work = increment_all};
        int begun = second_begin(&two);
        for (int i = 0; i < 300; i++) {
            EXPECT_RC(ep_win_unlock(1, a.win), MPI_ERR_RMA_SYNC);
            sched_yield();
        }
        EXPECT_OK(ep_send(NULL, 0, MPI_INT, last, 1, t->comm));
        if (begun)
            second_join(&two);
    } else if (t->rank == last) {
        long v = 41;
        EXPECT_OK(ep_recv(NULL, 0, MPI_INT, 0, 1, t->comm, EP_STATUS_IGNORE));
        EXPECT_EQ(look(&a, 1, 0), 0);
        EXPECT_OK(ep_put(&v, 1, MPI_LONG, 1, share_at(&a, 1, 0), 1, MPI_LONG, a.win));
        EXPECT_OK(ep_win_unlock(1, a.win));
    }
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_EQ(*(long *)a.base, t->rank == 1 ? 42 : 0);
    share_free(&a);
}

static const harness_test tests[] = {
    {"kept out", kept_out, NULL},
    {"cycle", cycle, NULL},
    {"targets", targets, NULL},
    {"flush beside claim", flush_beside_claim, NULL},
    {"flush beside gets", flush_beside_gets, NULL},
    {"unlock too early", unlock_too_early, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma claims", tests);
}
