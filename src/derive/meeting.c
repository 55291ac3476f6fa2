/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/meeting.h"

#include <stdlib.h>
#include <string.h>

#include "derive/discord.h"
#include "p2p/p2p.h"

static bool flag_set(struct wait *w)
{
    return load_acquire((_Atomic bool *)w->arg);
}

void wait_flag(struct port *port, _Atomic bool *flag, long limit)
{
    struct wait w = {.done = flag_set, .arg = flag, .greedy = true, .limit = limit};
    port_lock(port);
    wait_until(port, &w);
    port_unlock(port);
}

/* The link to the meeting, or to where a new one is to be. */
static struct meeting **find(struct comm *c, int tag, uint64_t hash, int size)
{
    lock_assert_held(&c->lock);
    struct meeting **at = &c->meetings;
    while (*at && ((*at)->tag != tag || (*at)->hash != hash || (*at)->size != size))
        at = &(*at)->next;
    return at;
}

static struct meeting *come(struct comm *c, int tag, uint64_t hash, int size, struct slot *s)
{
    lock_assert_held(&c->lock);
    struct meeting **at = find(c, tag, hash, size), *m = *at;
    if (!m) {
        m = *at = &s->home;
        *m = (struct meeting){.tag = tag, .hash = hash, .size = size};
    }
    m->mixed |= m->first && strcmp(m->first->call, s->call) != 0;
    s->next = m->first;
    m->first = s;
    if (++m->arrived == size)
        *at = m->next;
    return m;
}

struct meeting *meeting_come(int tag, uint64_t hash, int size, int position, struct slot *s, bool *last)
{
    struct comm *c = s->view->comm;
    s->position = position;
    lock_acquire(&c->lock);
    struct meeting *m = come(c, tag, hash, size, s);
    *last = m->arrived == size;
    lock_release(&c->lock);
    return m;
}

struct slot *meeting_slot(const struct meeting *m, int position)
{
    struct slot *s = m->first;
    while (s->position != position)
        s = s->next;
    return s;
}

void meeting_sort(struct meeting *m)
{
    m->slot = reserve_malloc((size_t)m->size * sizeof *m->slot);
    for (struct slot *s = m->first; s && m->slot; s = s->next)
        m->slot[s->position] = s;
}

/* The last has come, and is not the head. */
static void call_head(struct slot *head)
{
    struct port *port = head->view->port;
    head->leads = true;
    store_release(&head->done, true); /* the meeting may be gone now */
    bell_ring(&port->bell);
}

struct meeting *meeting_join(int tag, uint64_t hash, int size, int position, int head, struct slot *s)
{
    struct discord d;
    bool last;
    struct meeting *m = meeting_come(tag, hash, size, position, s, &last);
    bool mixed = last && m->mixed;
    if (mixed)
        discord_begin(&d, m);
    else if (last && position == head)
        s->leads = true;
    else if (last)
        call_head(meeting_slot(m, head));
    if (!last || !s->leads) /* before it waits only the last may look: the head is told by another thread */
        wait_flag(s->view->port, &s->done, mixed ? WORK_NS : -1);
    if (!s->leads)
        return NULL;
    meeting_sort(m);
    return m;
}

/* The slot that the meeting lives in may be gone as soon as it is done. */
void meeting_end(struct meeting *m)
{
    reserve_free(m->slot);
    for (struct slot *s = m->first, *next; s; s = next) {
        struct port *port = s->view->port;
        next = s->next;
        store_release(&s->done, true);
        bell_ring(&port->bell);
    }
}
