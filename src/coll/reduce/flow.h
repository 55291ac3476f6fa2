/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flow of a reduction: whose contributions go to whom. An intracommunicator has one; an intercommunicator one
 * in each direction, or in a reduce the one to the root. Arguments of a process stand in the order of union
 * ranks, so those of one side are neighbours: [in, in + nin) contribute, [out, out + nout) receive.
 */
#ifndef EP_COLL_FLOW_H
#define EP_COLL_FLOW_H

#include "coll/op.h"

struct flow {
    int base, n;         /* contributors: union rank of the first, and how many in all processes */
    int in, nin;         /* in this process */
    int out_base, out_n; /* the group that receives, of which a reduce has only the root */
    int out, nout;       /* in this process; without those that get nothing */
    int root;            /* union rank; -1: all receive */
    size_t count;        /* elements; reduce_scatter: of all blocks */
};

/* The flows of a call, at most two. 0 if no endpoint of this process knows one (MPI_PROC_NULL). */
int flows_of(const struct op *o, struct flow f[2]);

/* Element type and operator of a flow that endpoints of this process are in. */
struct span flow_type(const struct op *o, const struct flow *f);
MPI_Op flow_op(const struct op *o, const struct flow *f);

/* Elements of reduce_scatter's block for a rank of the receiving group, of which an endpoint is here. */
size_t flow_block(const struct op *o, const struct flow *f, int rank);

/* First local index in process proc of a union rank >= rank. */
int seat_from(const struct comm *c, int proc, int rank);

static inline enum coll_kind op_kind(const struct op *o)
{
    return o->args[0]->call.kind;
}

static inline bool is_prefix(const struct op *o)
{
    return op_kind(o) == COLL_SCAN || op_kind(o) == COLL_EXSCAN;
}

/* Bytes of n elements of a flow. */
static inline size_t flow_bytes(const struct op *o, const struct flow *f, size_t n)
{
    return n * flow_type(o, f).type->size;
}

#endif
