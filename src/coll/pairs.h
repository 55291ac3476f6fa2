/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who sends what to whom in a collective call that moves data. Ranks are union ranks (comm.h).
 *
 *              senders                     receivers
 *   bcast      root                        the others; with an intercommunicator the other group
 *   scatter    root                        all; the other group
 *   gather     all; the other group        root
 *   allgather  all                         all; every endpoint of the other group
 *   alltoall   all                         all; every endpoint of the other group
 *
 * In an intercommunicator an endpoint with MPI_PROC_NULL does nothing, and knows nothing of the root.
 */
#ifndef EP_COLL_PAIRS_H
#define EP_COLL_PAIRS_H

#include "coll/op.h"

struct pairs {
    const struct op *op;
    enum coll_kind kind;
    int root; /* union rank; -1: none, or no endpoint of this process knows it, and so none takes part */
    int root_proc;
    int lower; /* size of the lower group; 0: intracommunicator */
};

void pairs_init(struct pairs *p, const struct op *o);

bool pairs_sends(const struct pairs *p, int rank);
bool pairs_receives(const struct pairs *p, int rank);
/* Does `from` send a block to `to`? Blocks that are in place already count as none. */
bool pairs_has(const struct pairs *p, int from, int to);

/* The same block for every receiver? */
static inline bool pairs_same(const struct pairs *p)
{
    return p->kind == COLL_BCAST || p->kind == COLL_ALLGATHER;
}

/* The local endpoint's block for / from a union rank. */
static inline struct span block_out(const struct coll_args *from, int to)
{
    return block_at(&from->call.send, to - from->view->peer_base);
}

static inline struct span block_in(const struct coll_args *to, int from)
{
    return block_at(&to->call.recv, from - to->view->peer_base);
}

/* Local endpoint i and endpoint i of a process. */
static inline int rank_here(const struct op *o, int i)
{
    return rankmap_rank(&o->comm->map, o->comm->proc, i);
}

#endif
