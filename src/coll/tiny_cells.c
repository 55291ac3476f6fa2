/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/tiny_cells.h"

#include <stdlib.h>
#include <string.h>

/* Looks before the waiting thread makes progress for others, too: a few times what a cache line takes.
 * If there are more threads than cores those that are awaited need this one's core, and yielding is
 * cheaper than sleeping when all are in the call. */
enum { SPINS = 400, YIELDS = 60 };

static struct cells *make(const struct comm *c)
{
    size_t size = sizeof(struct cells) + (size_t)c->nlocal * sizeof(struct column);
    size_t boards = c->nproc > 1 ? RING * BOARD_BYTES : 0;
    struct cells *cells = aligned_alloc(_Alignof(struct cells), size + boards);
    if (!cells)
        return NULL;
    memset(cells, 0, size);
    cells->n = c->nlocal;
    cells->crowded = idle_crowded();
    cells->boards = (char *)cells + size;
    return cells;
}

bool cells_make(struct comm *c)
{
    lock_acquire(&c->lock);
    struct cells *cells = load_relaxed(&c->coll->cells);
    if (!cells && !load_relaxed(&c->coll->no_cells)) {
        cells = make(c);
        store_relaxed(&c->coll->no_cells, !cells);
        store_release(&c->coll->cells, cells);
    }
    lock_release(&c->lock);
    return cells;
}

bool cells_prepare(struct comm *c)
{
    lock_acquire(&c->lock);
    if (!c->coll->cells_draft)
        c->coll->cells_draft = make(c);
    bool ok = c->coll->cells_draft;
    lock_release(&c->lock);
    return ok;
}

void cells_settle(struct comm *c, bool used)
{
    lock_acquire(&c->lock);
    if (!used)
        free(c->coll->cells_draft);
    else if (c->coll->cells_draft)
        store_release(&c->coll->cells, c->coll->cells_draft);
    c->coll->cells_draft = NULL;
    store_relaxed(&c->coll->no_cells, !used);
    lock_release(&c->lock);
}

void cells_ring(struct tiny *t)
{
    for (int i = 0; i < t->cells->n; i++)
        if (load_relaxed(&t->cells->column[i].awaits) == t->view->index)
            bell_ring(&t->view->comm->local[i]->port->bell);
}

struct look {
    const struct tiny *tiny;
    int index; /* local, of whom it looks at */
    _Atomic uint64_t *number; /* release tiny_post, tiny_end; acquire look */
    uint64_t least;
};

static bool look(struct wait *w)
{
    const struct look *l = w->arg;
    return load_acquire(l->number) >= l->least;
}

static void tell(const struct wait *w, struct plight *about)
{
    const struct look *l = w->arg;
    ep_comm view = l->tiny->view;
    *about = (struct plight){l->tiny->name, view, view->comm->local[l->index]->rank, MPI_UNDEFINED, false};
}

/* Wait as all blocked calls do. */
static void await_long(struct tiny *t, int index, struct look *l)
{
    struct wait w = {.done = look, .arg = l, .tell = tell, .greedy = true, .sleepy = true, .limit = -1};
    struct port *port = t->view->port;
    store_relaxed(&t->mine->awaits, index);
    add_relaxed(&t->cells->sleepers, 1);
    port_lock(port);
    wait_until(port, &w);
    port_unlock(port);
    add_relaxed(&t->cells->sleepers, -1);
}

uint64_t tiny_await_slow(struct tiny *t, int index, _Atomic uint64_t *number, uint64_t least)
{
    struct look l = {t, index, number, least};
    bool yield = idle_yields_first();
    for (int i = 0; i < (yield ? YIELDS : SPINS); i++) {
        if (yield)
            caller_give_way();
        else
            cpu_pause();
        uint64_t now = load_acquire(number);
        if (now >= least)
            return now;
    }
    await_long(t, index, &l);
    return load_acquire(number);
}

void tiny_wait_free(struct tiny *t)
{
    uint64_t least = t->call - RING + 1, known = t->call;
    for (int i = 0; i < t->cells->n; i++) {
        if (i == t->view->index)
            continue;
        uint64_t finished = tiny_await(t, i, &t->cells->column[i].finished, least);
        known = finished < known ? finished : known;
    }
    t->mine->known = known;
}
