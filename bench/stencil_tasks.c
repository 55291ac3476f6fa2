/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stencil as tasks: a task for each block of rows and step, and tasks that send and receive halos;
 * depend clauses say what needs what, and nobody waits for a step to be complete. token[s][b] stands for
 * block b of 1..blocks before steps of parity s, 0 and blocks + 1 for the halo. All steps are there from the
 * beginning.
 *
 *   tasks    blocking calls: the task waits, its thread does not
 *   iwait    non-blocking ones: the task ends, and is complete when its request is
 *   ordered  for threads that block: one task has all messages of a step and waits for them, and those of
 *            different steps come one after the other. As the call for a step then waits only for calls for
 *            the same step, something can always go on. A taskwait after each step, since for libgomp a task
 *            costs the more the more tasks with the same dependences wait
 */
#include "stencil.h"

#include <crt.h>

enum { MAX_BLOCKS = 64 };

struct graph {
    struct rank *rank;
    char token[2][MAX_BLOCKS + 2];
    char order;
};

static int count(const struct slab *s)
{
    return s->of->cols;
}

static void send_row(const struct slab *s, int state, int row, const struct peer_link *to)
{
    ep_send(slab_row(s, state, row), count(s), MPI_DOUBLE, to->rank, to->send_tag, to->comm);
}

static void receive_row(const struct slab *s, int state, int row, const struct peer_link *from)
{
    ep_recv(slab_row(s, state, row), count(s), MPI_DOUBLE, from->rank, from->recv_tag, from->comm,
            EP_STATUS_IGNORE);
}

static void send_row_later(const struct slab *s, int state, int row, const struct peer_link *to)
{
    ep_request request;
    ep_isend(slab_row(s, state, row), count(s), MPI_DOUBLE, to->rank, to->send_tag, to->comm, &request);
    ep_iwait(&request, EP_STATUS_IGNORE);
}

static void receive_row_later(const struct slab *s, int state, int row, const struct peer_link *from)
{
    ep_request request;
    ep_irecv(slab_row(s, state, row), count(s), MPI_DOUBLE, from->rank, from->recv_tag, from->comm, &request);
    ep_iwait(&request, EP_STATUS_IGNORE);
}

typedef void row_fn(const struct slab *, int state, int row, const struct peer_link *);

/* The two messages of one boundary: row out, of block edge, against row in. */
static void swap_tasks(struct graph *g, int s, int edge, int halo, const struct peer_link *link, row_fn *send,
                       row_fn *receive)
{
    const struct slab *slab = &g->rank->slab;
    int out = edge == 1 ? 1 : slab->of->rows, in = edge == 1 ? 0 : slab->of->rows + 1;
    char *mine = &g->token[s][edge], *other = &g->token[s][halo];
#pragma omp task depend(in : *mine)
    send(slab, s, out, link);
#pragma omp task depend(out : *other)
    receive(slab, s, in, link);
}

static void update_task(struct graph *g, int step, int block)
{
    const struct slab *slab = &g->rank->slab;
    int s = step % 2, blocks = g->rank->blocks, rows = slab->of->rows;
    int from = rows * (block - 1) / blocks + 1, to = rows * block / blocks;
    char *above = &g->token[s][block - 1], *at = above + 1, *below = above + 2,
         *result = &g->token[1 - s][block];
#pragma omp task depend(in : *above, *at, *below) depend(out : *result)
    slab_update(slab, step, from, to);
}

/* Those at the edges first, since others wait for them. */
static void update_tasks(struct graph *g, int step)
{
    int blocks = g->rank->blocks;
    update_task(g, step, 1);
    if (blocks > 1)
        update_task(g, step, blocks);
    for (int block = 2; block < blocks; block++)
        update_task(g, step, block);
}

static void all_tasks(struct rank *r, row_fn *send, row_fn *receive)
{
    struct graph g = {.rank = r};
    if (omp_get_external() != omp_external_task) {
        fprintf(stderr, "tasks that block need OMP_EXTERNAL=task\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int step = 0; step < r->slab.of->steps; step++) {
        int s = step % 2;
        if (r->has_up)
            swap_tasks(&g, s, 1, 0, &r->up[s], send, receive);
        if (r->has_down)
            swap_tasks(&g, s, r->blocks, r->blocks + 1, &r->down[s], send, receive);
        update_tasks(&g, step);
    }
#pragma omp barrier
}

void form_tasks(struct rank *r)
{
    all_tasks(r, send_row, receive_row);
}

void form_iwait(struct rank *r)
{
    all_tasks(r, send_row_later, receive_row_later);
}

void form_ordered(struct rank *r)
{
    struct graph graph = {.rank = r}, *g = &graph;
    int blocks = r->blocks;
    for (int step = 0; step < r->slab.of->steps; step++) {
        char *token = g->token[step % 2];
        char *top = &token[0], *first = &token[1], *last = &token[blocks], *bottom = &token[blocks + 1];
#pragma omp task depend(in : *first, *last) depend(out : *top, *bottom) depend(inout : g->order)
        rank_exchange(r, step);
        update_tasks(g, step);
#pragma omp taskwait
    }
}
