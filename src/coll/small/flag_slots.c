/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/small/flag_slots.h"

#include <stdlib.h>
#include <string.h>

static struct flag_slots *flag_slots_allocate(const struct comm *c)
{
    size_t size = sizeof(struct flag_slots) + (size_t)c->nlocal * sizeof(struct column);
    size_t boards = c->nproc > 1 ? RING * BOARD_BYTES : 0;
    struct flag_slots *flag_slots = aligned_alloc(_Alignof(struct flag_slots), size + boards);
    if (!flag_slots)
        return NULL;
    memset(flag_slots, 0, size);
    flag_slots->n = c->nlocal;
    flag_slots->crowded = wait_crowded();
    flag_slots->boards = (char *)flag_slots + size;
    return flag_slots;
}

bool flag_slots_make(struct comm *c)
{
    lock_acquire(&c->lock);
    struct flag_slots *flag_slots = load_relaxed(&c->coll->flag_slots);
    if (!flag_slots && !load_relaxed(&c->coll->no_flag_slots)) {
        flag_slots = flag_slots_allocate(c);
        store_relaxed(&c->coll->no_flag_slots, !flag_slots);
        store_release(&c->coll->flag_slots, flag_slots);
    }
    lock_release(&c->lock);
    return flag_slots;
}

bool flag_slots_prepare(struct comm *c)
{
    lock_acquire(&c->lock);
    if (!c->coll->flag_slots_prepared)
        c->coll->flag_slots_prepared = flag_slots_allocate(c);
    bool ok = c->coll->flag_slots_prepared;
    lock_release(&c->lock);
    return ok;
}

void flag_slots_settle(struct comm *c, bool used)
{
    lock_acquire(&c->lock);
    if (!used)
        free(c->coll->flag_slots_prepared);
    else if (c->coll->flag_slots_prepared)
        store_release(&c->coll->flag_slots, c->coll->flag_slots_prepared);
    c->coll->flag_slots_prepared = NULL;
    store_relaxed(&c->coll->no_flag_slots, !used);
    lock_release(&c->lock);
}

void flag_slots_notify(struct small_call *t)
{
    for (int i = 0; i < t->flag_slots->n; i++)
        if (load_relaxed(&t->flag_slots->column[i].awaits) == t->view->index)
            evcount_notify(&t->view->comm->local[i]->endpoint->evcount);
}

struct look {
    const struct small_call *small;
    int index;                /* local, of whom it looks at */
    _Atomic uint64_t *number; /* release small_post, small_end; acquire flag_slots_look */
    uint64_t least;
};

static bool flag_slots_look(void *look)
{
    const struct look *l = look;
    return load_acquire(l->number) >= l->least;
}

static bool flag_slots_done(struct wait *w)
{
    return flag_slots_look(w->arg);
}

static void flag_slots_tell(const struct wait *w, struct wait_info *about)
{
    const struct look *l = w->arg;
    ep_comm view = l->small->view;
    *about =
        (struct wait_info){l->small->name, view, view->comm->local[l->index]->rank, MPI_UNDEFINED, false};
}

/* Wait as all blocked calls do. */
static void await_long(struct small_call *t, int index, struct look *l)
{
    struct wait w = {.done = flag_slots_done,
                     .arg = l,
                     .tell = flag_slots_tell,
                     .greedy = true,
                     .policy = POLICY_MANY};
    struct endpoint *endpoint = t->view->endpoint;
    store_relaxed(&t->mine->awaits, index);
    add_relaxed(&t->flag_slots->sleepers, 1);
    endpoint_lock(endpoint);
    wait_until(endpoint, &w);
    endpoint_unlock(endpoint);
    add_relaxed(&t->flag_slots->sleepers, -1);
}

uint64_t small_await_slow(struct small_call *t, int index, _Atomic uint64_t *number, uint64_t least)
{
    struct look l = {t, index, number, least};
    if (!wait_for(flag_slots_look, &l, POLICY_FLAG_SLOTS))
        await_long(t, index, &l);
    return load_acquire(number);
}

void small_wait_free(struct small_call *t)
{
    uint64_t least = t->call - RING + 1, known = t->call;
    for (int i = 0; i < t->flag_slots->n; i++) {
        if (i == t->view->index)
            continue;
        uint64_t finished = small_await(t, i, &t->flag_slots->column[i].finished, least);
        known = finished < known ? finished : known;
    }
    t->mine->known = known;
}
