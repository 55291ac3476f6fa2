/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who wants a held lock and does not get it by spinning puts itself into the list of a bucket, chosen by the lock's address. Under
 * the bucket's lock the word goes to WANTED, so the holder cannot miss it; the holder then gives the lock,
 * still held, to the first in the list (the word stays WANTED while there are more).
 *
 * word: acquire in try and in crt_cond's wait, release in unlock and in the signal.
 */
#include "crt/mutex.h"

#include "crt/cond.h"
#include "crt/sched.h"

enum { FREE = 0, HELD = 1, WANTED = 2 };
enum { BUCKETS = 64, SPINS = 50 };

struct waiting {
    struct node node;
    struct mutex *mutex;
    crt_cond_t cond;
};

static struct bucket {
    struct lock lock;
    struct list waiting;
} buckets[BUCKETS];

static struct bucket *bucket_of(struct mutex *m)
{
    return &buckets[((uintptr_t)m >> 4) * 0x9e3779b97f4a7c15u >> 58];
}

bool mutex_try(struct mutex *m)
{
    unsigned old = FREE;
    return cas_acq_rel(&m->word, &old, HELD);
}

static void wait_for(crt_cond_t *cond)
{
    struct worker *w = worker_here();
    if (!w)
        crt_wait(cond);
    else
        sched_wait_lock(w, cond);
}

static void lock_slow(struct mutex *m)
{
    struct bucket *b = bucket_of(m);
    struct waiting self = {.mutex = m};
    lock_acquire(&b->lock);
    if (swap_acquire(&m->word, WANTED) == FREE) {
        /* Got it; others of the list are of other locks, or this would not have been free. */
        store_relaxed(&m->word, HELD);
        lock_release(&b->lock);
        return;
    }
    list_append(&b->waiting, &self.node);
    lock_release(&b->lock);
    wait_for(&self.cond);
}

void mutex_lock(struct mutex *m)
{
    for (int i = 0; i < SPINS; i++) {
        if (mutex_try(m))
            return;
        cpu_pause();
    }
    lock_slow(m);
}

static struct waiting *next_of(struct node *n, struct mutex *m)
{
    while (n && container_of(n, struct waiting, node)->mutex != m)
        n = n->next;
    return n ? container_of(n, struct waiting, node) : NULL;
}

void mutex_unlock(struct mutex *m)
{
    unsigned old = HELD;
    if (cas_acq_rel(&m->word, &old, FREE))
        return;
    struct bucket *b = bucket_of(m);
    lock_acquire(&b->lock);
    struct waiting *next = next_of(b->waiting.first, m);
    list_remove(&b->waiting, &next->node);
    if (!next_of(b->waiting.first, m))
        store_relaxed(&m->word, HELD);
    lock_release(&b->lock);
    crt_signal(&next->cond);
}
