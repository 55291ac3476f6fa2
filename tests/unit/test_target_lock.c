/* SPDX-License-Identifier: BSD-3-Clause */
/* test_target_lock.c: locks of windows, against a plain model, and with threads. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "rma/lock.h"
#include "unit.h"

enum { CLAIMANTS = 12, ROUNDS = 200, STEPS = 400, THREADS = 6, TURNS = 3000 };

/* ---- one thread, all orders ---- */

enum state { OUTSIDE, QUEUED, INSIDE };

struct claimant {
    struct claim claim;
    enum state state;
    int told; /* calls of granted */
};

static void granted(struct claim *c)
{
    struct claimant *who = (struct claimant *)(void *)c;
    who->told++;
    memset(c, 0xee, sizeof *c); /* it is gone: the target lock may not look at it any more */
}

/* What must be: lists of claimants in the order in which they came. */
struct model {
    struct target_lock target_lock;
    struct claimant who[CLAIMANTS];
    enum lock_kind kind[CLAIMANTS];
    int queue[CLAIMANTS], queued, inside[3]; /* by kind */
};

static bool model_allows(const struct model *m, enum lock_kind kind)
{
    return m->inside[LOCK_EXCLUSIVE] == 0 && (kind == LOCK_SHARED || m->inside[LOCK_SHARED] == 0);
}

static void model_enter(struct model *m, int i)
{
    m->inside[m->kind[i]]++;
    m->who[i].state = INSIDE;
}

static void come(struct model *m, int i)
{
    m->kind[i] = below(2) ? LOCK_SHARED : LOCK_EXCLUSIVE;
    m->who[i].claim = (struct claim){.kind = m->kind[i], .granted = granted};
    m->who[i].told = 0;
    bool now = (m->queued == 0 || m->kind[i] == LOCK_SHARED) && model_allows(m, m->kind[i]);
    ck_assert_int_eq(target_lock_enter(&m->target_lock, &m->who[i].claim), now);
    if (now) {
        model_enter(m, i);
    } else {
        m->queue[m->queued++] = i;
        m->who[i].state = QUEUED;
    }
}

static void go(struct model *m, int i)
{
    int told[CLAIMANTS], n = 0;
    for (int k = 0; k < CLAIMANTS; k++)
        told[k] = m->who[k].told;
    m->who[i].state = OUTSIDE;
    m->inside[m->kind[i]]--;
    target_lock_leave(&m->target_lock, m->kind[i]);
    if (m->queued > 0 &&
        model_allows(m, m->kind[m->queue[0]])) { /* the head, and if that is shared all shared ones */
        enum lock_kind kind = m->kind[m->queue[0]];
        bool head = true;
        for (int k = 0; k < m->queued; k++) {
            int who = m->queue[k];
            if (m->kind[who] == kind && (kind == LOCK_SHARED || head)) {
                model_enter(m, who);
                told[who]++;
            } else {
                m->queue[n++] = who;
            }
            head = false;
        }
        m->queued = n;
    }
    for (int k = 0; k < CLAIMANTS; k++)
        ck_assert_int_eq(m->who[k].told, told[k]);
}

START_TEST(same_as_model)
{
    int longest = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct model m;
        memset(&m, 0, sizeof m);
        target_lock_init(&m.target_lock, NULL);
        for (int step = 0; step < STEPS; step++) {
            int i = below(CLAIMANTS);
            if (m.who[i].state == OUTSIDE)
                come(&m, i);
            else if (m.who[i].state == INSIDE)
                go(&m, i);
            int inside = m.inside[LOCK_SHARED] + m.inside[LOCK_EXCLUSIVE];
            ck_assert_int_eq(target_lock_idle(&m.target_lock), inside + m.queued == 0);
            ck_assert(inside > 0 || m.queued == 0);
            longest = m.queued > longest ? m.queued : longest;
        }
        for (int i = 0; !target_lock_idle(&m.target_lock); i = (i + 1) % CLAIMANTS)
            if (m.who[i].state == INSIDE)
                go(&m, i);
        for (int i = 0; i < CLAIMANTS; i++)
            ck_assert_int_eq(m.who[i].state, OUTSIDE);
    }
    ck_assert_int_ge(longest, CLAIMANTS / 2);
}
END_TEST

/* ---- threads ---- */

struct lock_request {
    struct claim claim;
    _Atomic bool mine;
};

static struct target_lock target_lock;
static long counter; /* changed by exclusive holders only */
static _Atomic int readers, writers, bad;

static void your_turn(struct claim *c)
{
    store_release(&((struct lock_request *)(void *)c)->mine, true);
}

static void enter(enum lock_kind kind)
{
    struct lock_request t = {.claim = {.kind = kind, .granted = your_turn}};
    if (!target_lock_enter(&target_lock, &t.claim))
        while (!load_acquire(&t.mine))
            sched_yield();
}

/* One writer alone, or readers only; what the one before has written is there. */
static void *user(void *seed)
{
    unsigned random = *(unsigned *)seed;
    for (int i = 0; i < TURNS; i++) {
        random = random * 1103515245 + 12345;
        if (random >> 16 & 1) {
            enter(LOCK_EXCLUSIVE);
            if (add_relaxed(&writers, 1) != 0 || load_relaxed(&readers) != 0)
                add_relaxed(&bad, 1);
            counter++;
            add_relaxed(&writers, -1);
            target_lock_leave(&target_lock, LOCK_EXCLUSIVE);
        } else {
            enter(LOCK_SHARED);
            add_relaxed(&readers, 1);
            long seen = counter;
            sched_yield();
            if (load_relaxed(&writers) != 0 || counter != seen)
                add_relaxed(&bad, 1);
            add_relaxed(&readers, -1);
            target_lock_leave(&target_lock, LOCK_SHARED);
        }
    }
    return NULL;
}

/* How often user() writes with this seed. */
static long writes(unsigned random)
{
    long n = 0;
    for (int i = 0; i < TURNS; i++) {
        random = random * 1103515245 + 12345;
        n += random >> 16 & 1;
    }
    return n;
}

START_TEST(threads)
{
    pthread_t thread[THREADS];
    unsigned seed[THREADS];
    long expected = 0;
    target_lock_init(&target_lock, NULL);
    for (int i = 0; i < THREADS; i++) {
        seed[i] = (unsigned)below(1 << 30);
        expected += writes(seed[i]);
        ck_assert_int_eq(pthread_create(&thread[i], NULL, user, &seed[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    ck_assert_int_eq(load_relaxed(&bad), 0);
    ck_assert_int_eq(counter, expected);
    ck_assert(target_lock_idle(&target_lock));
}
END_TEST

int main(void)
{
    const TTest *tests[] = {same_as_model, threads};
    return UNIT_MAIN("target lock", tests);
}
