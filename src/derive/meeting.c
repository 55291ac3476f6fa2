/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/meeting.h"

#include <stdlib.h>

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

/* The link to the meeting, or to where a new one is to be. comm->lock is held. */
static struct meeting **find(struct comm *c, int tag, uint64_t hash, int size)
{
    struct meeting **at = &c->meetings;
    while (*at && ((*at)->tag != tag || (*at)->hash != hash || (*at)->size != size))
        at = &(*at)->next;
    return at;
}

/* comm->lock is held. */
static struct meeting *come(struct comm *c, int tag, uint64_t hash, int size, struct slot *s)
{
    struct meeting **at = find(c, tag, hash, size), *m = *at;
    if (!m) {
        m = *at = &s->home;
        *m = (struct meeting){.tag = tag, .hash = hash, .size = size};
    }
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

static struct port *port_of(const struct meeting *m, int position)
{
    struct slot *s = m->first;
    while (s->position != position)
        s = s->next;
    return s->view->port;
}

void meeting_sort(struct meeting *m)
{
    m->slot = malloc((size_t)m->size * sizeof *m->slot);
    for (struct slot *s = m->first; s && m->slot; s = s->next)
        m->slot[s->position] = s;
}

struct meeting *meeting_join(int tag, uint64_t hash, int size, int position, int head, struct slot *s)
{
    bool last;
    struct meeting *m = meeting_come(tag, hash, size, position, s, &last);
    if (last && position != head) {
        struct port *port = port_of(m, head);
        store_release(&m->complete, true); /* m may be gone now */
        bell_ring(&port->bell);
    }
    if (!last || position != head)
        wait_flag(s->view->port, position == head ? &m->complete : &s->done, -1);
    if (position != head)
        return NULL;
    meeting_sort(m);
    return m;
}

/* The slot that the meeting lives in may be gone as soon as it is done. */
void meeting_end(struct meeting *m)
{
    free(m->slot);
    for (struct slot *s = m->first, *next; s; s = next) {
        struct port *port = s->view->port;
        next = s->next;
        store_release(&s->done, true);
        bell_ring(&port->bell);
    }
}
