/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who wants a held lock and does not get it by spinning puts itself into the list of a bucket, chosen by the lock's address. Under
 * the bucket's lock the word goes to WANTED, so the holder cannot miss it; the holder then gives the lock,
 * still held, to the first in the list (the word stays WANTED while there are more).
 *
 * A task whose thread is in a region within cannot run before that ends, and what runs there may want the same lock. So such
 * a worker is marked as away and its tasks are passed over; where there are no others the lock is free, and they ask for it
 * again when the region has ended. A task that was given the lock before runs before the region begins.
 *
 * word: acquire in try and in crt_cond's wait, release in unlock and in the signal.
 */
#include "crt/team/mutex.h"

#include "crt/cond.h"
#include "crt/team/sched.h"

enum { FREE = 0, HELD = 1, WANTED = 2 };
enum { BUCKETS = 64 };

struct mutex_waiting {
    struct node node;
    struct mutex *mutex;
    struct worker *worker; /* or NULL: a thread */
    crt_cond_t cond;
};

static struct bucket {
    struct lock lock;
    struct list waiting;
} buckets[BUCKETS];

__attribute__((constructor)) static void buckets_start(void)
{
    for (int i = 0; i < BUCKETS; i++)
        lock_init(&buckets[i].lock, LOCK_BUCKET);
}

static struct bucket *bucket_of(struct mutex *m)
{
    return &buckets[((uintptr_t)m >> 4) * 0x9e3779b97f4a7c15u >> 58];
}

static bool mutex_take_free(struct mutex *m)
{
    unsigned old = FREE;
    return cas_acq_rel(&m->word, &old, HELD);
}

static bool mutex_look(void *m)
{
    return mutex_take_free(m);
}

bool mutex_try(struct mutex *m)
{
    if (mutex_take_free(m))
        return true;
    /* The holder may be a task of this thread, and the caller try until it has the lock. */
    struct worker *w = worker_here();
    if (w)
        sched_yield_lock(w);
    return mutex_take_free(m);
}

static struct mutex_waiting *waiting_at(struct node *n)
{
    return n ? container_of(n, struct mutex_waiting, node) : NULL;
}

/* From n on the first that waits for m, or NULL. */
static struct mutex_waiting *mutex_next_of(struct node *n, const struct mutex *m)
{
    while (n && waiting_at(n)->mutex != m)
        n = n->next;
    return waiting_at(n);
}

static bool is_away(const struct mutex_waiting *x)
{
    return x->worker && load_relaxed(&x->worker->away);
}

/* The same for one that may be given the lock. */
static struct mutex_waiting *next_present(struct node *n, const struct mutex *m)
{
    struct mutex_waiting *x = mutex_next_of(n, m);
    while (x && is_away(x))
        x = mutex_next_of(x->node.next, m);
    return x;
}

/* Take m if it is free, else see to it that its holder will look at the list. */
static bool mutex_ask(struct bucket *b, struct mutex *m)
{
    lock_assert_held(&b->lock);
    if (swap_acquire(&m->word, WANTED) != FREE)
        return false;
    if (!mutex_next_of(b->waiting.first, m))
        store_relaxed(&m->word, HELD);
    return true;
}

static void mutex_wait_for(struct mutex_waiting *self)
{
    struct worker *w = self->worker;
    if (!w) {
        crt_wait(&self->cond);
        return;
    }
    sched_wait_lock(w, &self->cond);
    atomic_fetch_sub_explicit(&w->granted, 1, memory_order_relaxed);
}

/* x, which waits, has the lock. x's worker may be gone after crt_signal(&x->cond). */
static void mutex_grant(struct bucket *b, struct mutex_waiting *x)
{
    lock_assert_held(&b->lock);
    list_remove(&b->waiting, &x->node);
    if (x->worker)
        add_relaxed(&x->worker->granted, 1);
}

static void lock_slow(struct mutex *m)
{
    struct bucket *b = bucket_of(m);
    struct mutex_waiting self = {.mutex = m, .worker = worker_here()};
    lock_acquire(&b->lock);
    bool taken = mutex_ask(b, m);
    if (!taken)
        list_append(&b->waiting, &self.node);
    lock_release(&b->lock);
    if (!taken)
        mutex_wait_for(&self);
}

void mutex_lock(struct mutex *m)
{
    if (!mutex_take_free(m) && !wait_for(mutex_look, m, POLICY_MUTEX))
        lock_slow(m);
}

void mutex_unlock(struct mutex *m)
{
    unsigned old = HELD;
    if (cas_acq_rel(&m->word, &old, FREE))
        return;
    struct bucket *b = bucket_of(m);
    lock_acquire(&b->lock);
    struct mutex_waiting *next = next_present(b->waiting.first, m);
    if (next)
        mutex_grant(b, next);
    if (!next)
        store_release(&m->word, FREE);
    else if (!mutex_next_of(b->waiting.first, m))
        store_relaxed(&m->word, HELD);
    lock_release(&b->lock);
    if (next)
        crt_signal(&next->cond);
}

/* ---- Regions within ---- */

/* Who unlocks reads it with a bucket's lock held: after this it does so in all of them. */
static void set_away(struct worker *w)
{
    store_relaxed(&w->away, true);
    for (int i = 0; i < BUCKETS; i++) {
        lock_acquire(&buckets[i].lock);
        lock_release(&buckets[i].lock);
    }
}

static bool mutex_away(void *worker)
{
    struct worker *w = worker;
    set_away(w);
    if (load_relaxed(&w->granted) == 0)
        return true;
    mutex_return(w);
    return false;
}

/* Those that were given locks run. */
static bool run_granted(void *worker)
{
    sched_yield_task(worker, false);
    return false;
}

void mutex_leave(struct worker *w)
{
    if (w->locks > 0)
        wait_serving(mutex_away, run_granted, w, POLICY_SHORTLY);
}

/* Those of w in this bucket wait again; who finds its lock free has it. */
static void ask_again(struct bucket *b, struct worker *w)
{
    for (struct node *n = b->waiting.first, *next; n; n = next) {
        struct mutex_waiting *x = waiting_at(n);
        next = n->next;
        if (x->worker != w || !mutex_ask(b, x->mutex))
            continue;
        mutex_grant(b, x);
        if (!mutex_next_of(b->waiting.first, x->mutex))
            store_relaxed(&x->mutex->word, HELD);
        crt_signal(&x->cond); /* which runs later, on this thread */
    }
}

void mutex_return(struct worker *w)
{
    if (!load_relaxed(&w->away))
        return;
    store_relaxed(&w->away, false);
    for (int i = 0; i < BUCKETS; i++) {
        lock_acquire(&buckets[i].lock);
        ask_again(&buckets[i], w);
        lock_release(&buckets[i].lock);
    }
}
