/* SPDX-License-Identifier: BSD-3-Clause */
/* Function and argument are one object behind one pointer, so that a caller never sees the function of one
 * setting with the argument of another. Old settings are kept: a thread may still be inside. */
#include "crt/poll.h"

#include <crt.h>
#include <errno.h>
#include <stdlib.h>

#include "base/base.h"

struct poll {
    int (*fn)(void *arg);
    void *arg;
    struct poll *older;
};

static _Atomic(struct poll *) current; /* release crt_set_poll, acquire call and poll_is_set */

void crt_set_poll(int (*fn)(void *arg), void *arg)
{
    struct poll *p =
        reserve_malloc(sizeof *p); /* few, and kept: without it nobody would be told of anything */
    if (!p)
        return;
    *p = (struct poll){fn, arg, load_relaxed(&current)};
    store_release(&current, p);
    if (fn)
        thread_ring_all(); /* those that sleep because there was nothing to poll */
}

static _Atomic(void (*)(void)) after;

void poll_set_after(void (*fn)(void))
{
    store_release(&after, fn);
}

static void run_after(void)
{
    void (*fn)(void) = load_acquire(&after);
    if (fn)
        fn();
}

bool poll_is_set(void)
{
    struct poll *p = load_acquire(&current);
    return p && p->fn;
}

static bool poll_call_one(void)
{
    struct poll *p = load_acquire(&current);
    int saved = errno; /* of a task that is not suspended */
    bool any = p && p->fn && p->fn(p->arg);
    errno = saved;
    return any;
}

bool poll_call(void)
{
    bool any = poll_call_one();
    run_after();
    return any;
}

static struct {
    struct lock lock; /* of what follows */
    struct thread *poller;
    struct list sleepers;
    _Atomic bool taken; /* poller is set; read without the lock; relaxed */
    struct lock busy;   /* somebody is in the poll function */
} role = {.lock = LOCK_FREE(ROLE), .busy = LOCK_FREE(POLLING)};

bool poll_try(struct thread *t)
{
    bool any = false;
    if (poll_is_set() && (!load_relaxed(&role.taken) || load_relaxed(&t->polls)) && lock_try(&role.busy)) {
        t->in_poll = true;
        any = poll_call_one();
        poll_let_go(t);
        run_after();
    }
    t->polled = clock_ticks();
    return any;
}

void poll_let_go_slow(struct thread *t)
{
    t->in_poll = false;
    lock_release(&role.busy);
}

bool poll_look(struct thread *t)
{
    uint64_t now = clock_ticks();
    bool shortly = now - t->looked < clock_ticks_of(POLL_BUSY_NS / 8);
    t->looked = now;
    t->looks = shortly ? (2 * t->looks + 1) % 8 : 0; /* 1, 3, 7 */
    t->looks_left = t->looks;
    return poll_was_before(t, POLL_BUSY_NS);
}

static void give_to(struct thread *t)
{
    lock_assert_held(&role.lock);
    role.poller = t;
    store_relaxed(&role.taken, t != NULL);
    if (t)
        store_relaxed(&t->polls, true);
}

bool poll_sleep(struct thread *t)
{
    lock_acquire(&role.lock);
    bool other = role.poller && role.poller != t;
    if (other) {
        list_append(&role.sleepers, &t->sleeper);
        t->sleeping = true;
    } else {
        give_to(t);
    }
    lock_release(&role.lock);
    return other;
}

void poll_awake(struct thread *t)
{
    lock_acquire(&role.lock);
    if (t->sleeping)
        list_remove(&role.sleepers, &t->sleeper);
    t->sleeping = false;
    lock_release(&role.lock);
}

void poll_resign(struct thread *t)
{
    lock_acquire(&role.lock);
    store_relaxed(&t->polls, false);
    struct node *n = list_pop(&role.sleepers);
    struct thread *next = n ? container_of(n, struct thread, sleeper) : NULL;
    if (next)
        next->sleeping = false;
    give_to(next);
    lock_release(&role.lock);
    if (next)
        evcount_notify(&next->evcount);
}
