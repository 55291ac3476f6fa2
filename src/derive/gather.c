/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/gather.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "derive/creation.h"
#include "p2p/p2p.h"

static bool flag_set(struct wait *w)
{
    return load_acquire((_Atomic bool *)w->arg);
}

static void wait_as(struct endpoint *endpoint, struct wait *w)
{
    endpoint_lock(endpoint);
    wait_until(endpoint, w);
    endpoint_unlock(endpoint);
}

void wait_flag(struct endpoint *endpoint, _Atomic bool *flag, enum wait_policy policy)
{
    wait_as(endpoint, &(struct wait){.done = flag_set, .arg = flag, .greedy = true, .policy = policy});
}

static void gather_tell(const struct wait *w, struct wait_info *about)
{
    const struct gather_slot *s = container_of((_Atomic bool *)w->arg, struct gather_slot, done);
    *about = (struct wait_info){s->call, s->view, MPI_UNDEFINED, MPI_UNDEFINED, false};
}

/* Until the leader is told that all are there, or the others what it has done. */
static void gather_await(struct gather_slot *s, enum wait_policy policy)
{
    struct wait w = {
        .done = flag_set, .arg = &s->done, .tell = gather_tell, .greedy = true, .policy = policy};
    wait_as(s->view->endpoint, &w);
}

/* The link to the local gather, or to where a new one is to be. */
static struct gather **gather_find(struct comm *c, int tag, uint64_t hash, int size)
{
    lock_assert_held(&c->lock);
    struct gather **at = &c->gathers;
    while (*at && ((*at)->tag != tag || (*at)->hash != hash || (*at)->size != size))
        at = &(*at)->next;
    return at;
}

static struct gather *gather_come(struct comm *c, int tag, uint64_t hash, int size, struct gather_slot *s)
{
    lock_assert_held(&c->lock);
    struct gather **at = gather_find(c, tag, hash, size), *m = *at;
    if (!m) {
        m = *at = &s->home;
        *m = (struct gather){.tag = tag, .hash = hash, .size = size};
    }
    m->mixed |= m->first && strcmp(m->first->call, s->call) != 0;
    s->next = m->first;
    m->first = s;
    if (++m->arrived == size)
        *at = m->next;
    return m;
}

struct gather *gather_enter(int tag, uint64_t hash, int size, int position, struct gather_slot *s, bool *last)
{
    struct comm *c = s->view->comm;
    s->position = position;
    lock_acquire(&c->lock);
    struct gather *m = gather_come(c, tag, hash, size, s);
    *last = m->arrived == size;
    lock_release(&c->lock);
    return m;
}

struct gather_slot *gather_find_slot(const struct gather *m, int position)
{
    struct gather_slot *s = m->first;
    while (s->position != position)
        s = s->next;
    return s;
}

void gather_sort(struct gather *m)
{
    m->slot = reserve_malloc((size_t)m->size * sizeof *m->slot);
    for (struct gather_slot *s = m->first; s && m->slot; s = s->next)
        m->slot[s->position] = s;
}

/* The last has come, and is not the leader. */
static void call_leader(struct gather_slot *leader)
{
    struct endpoint *endpoint = leader->view->endpoint;
    leader->leads = true;
    store_release(&leader->done, true); /* the local gather may be gone now */
    evcount_notify(&endpoint->evcount);
}

struct gather *gather_join(int tag, uint64_t hash, int size, int position, int leader, struct gather_slot *s)
{
    struct creation discord;
    bool last;
    struct gather *m = gather_enter(tag, hash, size, position, s, &last);
    bool mixed = last && m->mixed;
    if (mixed)
        creation_start(&discord, m, NULL); /* over when the own slot is */
    else if (last && position == leader)
        s->leads = true;
    else if (last)
        call_leader(gather_find_slot(m, leader));
    if (!last || !s->leads) /* before it waits only the last may look: the leader is told by another thread */
        gather_await(s, mixed ? POLICY_ELSEWHERE : POLICY_MESSAGE);
    if (!s->leads)
        return NULL;
    gather_sort(m);
    return m;
}

/* One that called another function; by the lowest rank. */
static const struct gather_slot *gather_find_other(const struct gather *m, const struct gather_slot *of)
{
    const struct gather_slot *found = NULL;
    for (const struct gather_slot *s = m->first; s; s = s->next)
        if (strcmp(s->call, of->call) != 0 && (!found || s->position < found->position))
            found = s;
    return found;
}

void gather_accuse(struct gather *m)
{
    assert(m->mixed);
    for (struct gather_slot *s = m->first; s; s = s->next) {
        const struct gather_slot *other = gather_find_other(m, s);
        if (s->raised)
            continue; /* it knows of a fault of its own */
        s->rc = MPI_ERR_ARG;
        s->culprit = other->view->rank;
        s->culprits_call = other->call;
    }
}

/* The slot that the local gather lives in may be gone as soon as it is done. */
void gather_end(struct gather *m)
{
    reserve_free(m->slot);
    for (struct gather_slot *s = m->first, *next; s; s = next) {
        struct endpoint *endpoint = s->view->endpoint;
        next = s->next;
        if (s->over) {
            s->over(s);
            continue;
        }
        store_release(&s->done, true);
        evcount_notify(&endpoint->evcount);
    }
}

const char *slot_why(const struct gather_slot *s, char room[SLOT_TEXT])
{
    if (s->culprits_call)
        snprintf(room, SLOT_TEXT, "endpoint %d called %s meanwhile", s->culprit, s->culprits_call);
    else if (s->why == lanes_none_left)
        snprintf(room, SLOT_TEXT, "%s; this process has %ld by way of ep", s->why, lanes_made());
    else
        return s->why;
    return room;
}

int slot_raise(struct where w, const struct gather_slot *s)
{
    char room[SLOT_TEXT];
    const char *why = slot_why(s, room);
    if (s->rc == MPI_SUCCESS || s->raised)
        return s->rc;
    if (why)
        return raise_error(w, s->rc, "%s", why);
    if (s->culprit >= 0)
        return raise_error(w, s->rc, "endpoint %d of those that take part had this error", s->culprit);
    return raise_error(w, s->rc, "it failed in one of the processes that take part");
}
