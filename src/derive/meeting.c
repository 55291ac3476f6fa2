/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/meeting.h"

#include <stdlib.h>

#include "p2p/p2p.h"

static bool flag_set(struct wait *w)
{
    return load_acquire((_Atomic bool *)w->arg);
}

void wait_flag(struct port *port, _Atomic bool *flag)
{
    struct wait w = {.done = flag_set, .arg = flag, .greedy = true, .limit = -1};
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
static struct meeting *come(struct comm *c, int tag, uint64_t hash, int size, int position, struct slot *s)
{
    struct meeting **at = find(c, tag, hash, size);
    if (!*at) {
        *at = calloc(1, sizeof **at + (size_t)size * sizeof(struct slot *));
        if (!*at)
            return NULL;
        (*at)->tag = tag;
        (*at)->hash = hash;
        (*at)->size = size;
    }
    struct meeting *m = *at;
    m->slot[position] = s;
    if (++m->arrived == size)
        *at = m->next;
    return m;
}

struct meeting *meeting_come(int tag, uint64_t hash, int size, int position, struct slot *s, bool *last)
{
    struct comm *c = s->view->comm;
    lock_acquire(&c->lock);
    struct meeting *m = come(c, tag, hash, size, position, s);
    *last = m && m->arrived == size;
    lock_release(&c->lock);
    return m;
}

struct meeting *meeting_join(int tag, uint64_t hash, int size, int position, int head, struct slot *s)
{
    bool last;
    struct meeting *m = meeting_come(tag, hash, size, position, s, &last);
    if (!m) {
        s->rc = MPI_ERR_NO_MEM;
        s->why = "no memory to begin a collective call";
        return NULL;
    }
    if (last && position != head) {
        struct port *port = m->slot[head]->view->port;
        store_release(&m->complete, true); /* m may be gone now */
        bell_ring(&port->bell);
    }
    if (!last || position != head)
        wait_flag(s->view->port, position == head ? &m->complete : &s->done);
    return position == head ? m : NULL;
}

void meeting_no_memory(struct meeting *m)
{
    for (int i = 0; i < m->size; i++) {
        m->slot[i]->rc = MPI_ERR_NO_MEM;
        m->slot[i]->why = "no memory for a collective call";
    }
}

void meeting_end(struct meeting *m)
{
    for (int i = 0; i < m->size; i++) {
        struct port *port = m->slot[i]->view->port;
        store_release(&m->slot[i]->done, true);
        bell_ring(&port->bell);
    }
    free(m);
}
