/* SPDX-License-Identifier: BSD-3-Clause */
/* transfer.c: cells from block to block, to neighbours' halos or from an old mesh to a new one. */
#include "blocks.h"
#include <stdlib.h>
#include <string.h>

static int clamp(int x, int most)
{
    return x < 0 ? 0 : x > most ? most : x;
}

/* The piece of this side that comes from the same block, or a new one; the side's pieces begin at first. */
static piece *piece_of(plan *p, int first, int from, int to, int side)
{
    size_t most = (size_t)(side == WHOLE ? cells_per_side * cells_per_side : cells_per_side);
    for (int i = first; i < p->count; i++)
        if (p->p[i].from == from)
            return &p->p[i];
    if (p->count == p->room) {
        p->room = 2 * p->room + 64;
        p->p = realloc(p->p, (size_t)p->room * sizeof *p->p);
    }
    p->p[p->count] = (piece){.from = from, .to = to, .side = side};
    p->p[p->count].source = blocks_alloc(most, sizeof(int));
    p->p[p->count].target = blocks_alloc(most, sizeof(int));
    p->p[p->count].buffer = blocks_alloc(most, sizeof(int64_t));
    return &p->p[p->count++];
}

/* The cell x, y of a block, perhaps in its halo, gets the value at its middle. Nothing flows out of the square. */
static void add_cell(plan *p, int rank, int first, int to, int side, int x, int y)
{
    const block *b = &p->to->b[to];
    int n = cells_per_side, width = cell_width(b), last = (n << FINEST) - 1, source, from;
    int fx = clamp((b->x * n + x) * width + width / 2, last),
        fy = clamp((b->y * n + y) * width + width / 2, last);
    piece *into;
    from = mesh_find(p->from, fx, fy, &source);
    if (p->from->b[from].owner != rank && b->owner != rank)
        return;
    into = piece_of(p, first, from, to, side);
    into->source[into->count] = source;
    into->target[into->count++] = cell_index(x, y);
}

plan plan_halo(mesh *m, int rank)
{
    plan p = {.from = m, .to = m};
    int n = cells_per_side;
    for (int to = 0; to < m->count; to++)
        for (int side = 0; side < SIDES; side++) {
            int first = p.count, fixed = side % 2 ? n : -1;
            for (int k = 0; k < n; k++)
                add_cell(&p, rank, first, to, side, side < 2 ? fixed : k, side < 2 ? k : fixed);
        }
    return p;
}

plan plan_move(const mesh *from, mesh *to, int rank)
{
    plan p = {.from = from, .to = to};
    for (int i = 0; i < to->count; i++) {
        int first = p.count;
        for (int y = 0; y < cells_per_side; y++)
            for (int x = 0; x < cells_per_side; x++)
                add_cell(&p, rank, first, i, WHOLE, x, y);
    }
    return p;
}

void plan_free(plan *p)
{
    for (int i = 0; i < p->count; i++) {
        free(p->p[i].source);
        free(p->p[i].target);
        free(p->p[i].buffer);
    }
    free(p->p);
    *p = (plan){0};
}

static void pack(const plan *p, piece *x)
{
    for (int k = 0; k < x->count; k++)
        x->buffer[k] = p->from->b[x->from].cells[x->source[k]];
}

static void unpack(const plan *p, const piece *x)
{
    for (int k = 0; k < x->count; k++)
        p->to->b[x->to].cells[x->target[k]] = x->buffer[k];
}

typedef struct {
    MPI_Request *receives, *sends;
    int *receiving; /* pieces */
    int *missing;   /* pieces, for each block */
    int receive_count, send_count, *done;
} traffic;

/* Both sides go through their pieces in the same order: what has the same tag comes in this order. */
static void begin(const plan *p, const domain *d, traffic *t)
{
    size_t count = (size_t)p->count;
    t->receives = blocks_alloc(count, sizeof *t->receives);
    t->sends = blocks_alloc(count, sizeof *t->sends);
    t->receiving = blocks_alloc(count, sizeof *t->receiving);
    t->done = blocks_alloc(count, sizeof *t->done);
    t->missing = blocks_alloc((size_t)p->to->count, sizeof *t->missing);
    for (int i = 0; i < p->count; i++) {
        piece *x = &p->p[i];
        int from = p->from->b[x->from].owner, to = p->to->b[x->to].owner;
        if (from == to)
            continue;
        if (to == d->rank) {
            t->receiving[t->receive_count] = i;
            t->missing[x->to]++;
            MPI_Irecv(x->buffer, x->count, MPI_INT64_T, from, x->side, d->comm,
                      &t->receives[t->receive_count++]);
        } else {
            pack(p, x);
            MPI_Isend(x->buffer, x->count, MPI_INT64_T, to, x->side, d->comm, &t->sends[t->send_count++]);
        }
    }
}

static void end(traffic *t)
{
    MPI_Waitall(t->send_count, t->sends, MPI_STATUSES_IGNORE);
    free(t->receives);
    free(t->sends);
    free(t->receiving);
    free(t->done);
    free(t->missing);
}

void plan_run(const plan *p, const domain *d, void ready(block *b))
{
    traffic t = {.receive_count = 0};
    int left;
    begin(p, d, &t);
    for (int i = 0; i < p->count; i++)
        if (p->from->b[p->p[i].from].owner == p->to->b[p->p[i].to].owner) {
            pack(p, &p->p[i]);
            unpack(p, &p->p[i]);
        }
    for (int i = 0; i < p->to->count; i++)
        if (p->to->b[i].owner == d->rank && t.missing[i] == 0)
            ready(&p->to->b[i]);
    left = t.receive_count;
    while (left-- > 0) {
        int i, finished;
        const piece *x;
        MPI_Waitany(t.receive_count, t.receives, &i, MPI_STATUS_IGNORE);
        x = &p->p[t.receiving[i]];
        unpack(p, x);
        if (--t.missing[x->to] == 0)
            ready(&p->to->b[x->to]);
        MPI_Testsome(t.send_count, t.sends, &finished, t.done, MPI_STATUSES_IGNORE);
    }
    end(&t);
}
