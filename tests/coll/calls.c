/* SPDX-License-Identifier: BSD-3-Clause */
/* calls.c: the planned call itself. Arguments that are not significant are garbage. */
#include "oracle.h"

enum { NO_COUNT = -7 };

/* The arguments of a call, whichever it is. */
typedef struct {
    const void *from;
    void *to;
    const area *s, *r;
    int scount, rcount, root;
    MPI_Datatype stype, rtype;
    MPI_Op op;
    ep_comm comm;
} arguments;

static int root_argument(const coll_call *c)
{
    if (!c->seat.inter || c->seat.side != c->plan.root_side)
        return c->plan.root;
    return c->seat.rank == c->plan.root ? MPI_ROOT : MPI_PROC_NULL;
}

static void no_buffer(const void **buf, int *count, MPI_Datatype *type)
{
    *buf = NULL;
    *count = NO_COUNT;
    *type = MPI_DATATYPE_NULL;
}

static arguments arguments_of(const coll_call *c)
{
    const coll_plan *p = &c->plan;
    int root = c->seat.side == p->root_side && c->seat.rank == p->root;
    arguments a = {
        c->send.buf,   c->recv.buf,      &c->send,     &c->recv,     c->send.count,
        c->recv.count, root_argument(c), c->send.type, c->recv.type, p->op ? p->op->op : MPI_OP_NULL,
        c->seat.comm};
    const void *to = a.to;
    if (!c->send.memory)
        no_buffer(&a.from, &a.scount, &a.stype);
    if (!c->recv.memory)
        no_buffer(&to, &a.rcount, &a.rtype);
    a.to = (void *)to;
    if (has_operator(p->kind)) { /* one count and type */
        a.scount = c->total;
        a.stype = p->op->type;
    }
    if (p->place == PLACE_PLAIN || (has_root(p->kind) && !root))
        return a;
    if (p->kind == SCATTER || p->kind == SCATTERV)
        a.to = MPI_IN_PLACE;
    else
        a.from = p->place == PLACE_EQUAL ? a.to : MPI_IN_PLACE;
    return a;
}

static int run_moving(coll_kind kind, const arguments *a)
{
    switch (kind) {
    case BARRIER:
        return ep_barrier(a->comm);
    case BCAST:
        return ep_bcast(a->to, a->rcount, a->rtype, a->root, a->comm);
    case GATHER:
        return ep_gather(a->from, a->scount, a->stype, a->to, a->rcount, a->rtype, a->root, a->comm);
    case GATHERV:
        return ep_gatherv(a->from, a->scount, a->stype, a->to, a->r->counts, a->r->displs, a->rtype, a->root,
                          a->comm);
    case SCATTER:
        return ep_scatter(a->from, a->scount, a->stype, a->to, a->rcount, a->rtype, a->root, a->comm);
    case SCATTERV:
        return ep_scatterv(a->from, a->s->counts, a->s->displs, a->stype, a->to, a->rcount, a->rtype, a->root,
                           a->comm);
    case ALLGATHER:
        return ep_allgather(a->from, a->scount, a->stype, a->to, a->rcount, a->rtype, a->comm);
    case ALLGATHERV:
        return ep_allgatherv(a->from, a->scount, a->stype, a->to, a->r->counts, a->r->displs, a->rtype,
                             a->comm);
    case ALLTOALL:
        return ep_alltoall(a->from, a->scount, a->stype, a->to, a->rcount, a->rtype, a->comm);
    case ALLTOALLV:
        return ep_alltoallv(a->from, a->s->counts, a->s->displs, a->stype, a->to, a->r->counts, a->r->displs,
                            a->rtype, a->comm);
    default:
        return ep_alltoallw(a->from, a->s->counts, a->s->displs, a->s->types, a->to, a->r->counts,
                            a->r->displs, a->r->types, a->comm);
    }
}

static int start_moving(coll_kind kind, const arguments *a, ep_request *request)
{
    switch (kind) {
    case BARRIER:
        return ep_ibarrier(a->comm, request);
    case BCAST:
        return ep_ibcast(a->to, a->rcount, a->rtype, a->root, a->comm, request);
    case GATHER:
        return ep_igather(a->from, a->scount, a->stype, a->to, a->rcount, a->rtype, a->root, a->comm,
                          request);
    case GATHERV:
        return ep_igatherv(a->from, a->scount, a->stype, a->to, a->r->counts, a->r->displs, a->rtype, a->root,
                           a->comm, request);
    case SCATTER:
        return ep_iscatter(a->from, a->scount, a->stype, a->to, a->rcount, a->rtype, a->root, a->comm,
                           request);
    case SCATTERV:
        return ep_iscatterv(a->from, a->s->counts, a->s->displs, a->stype, a->to, a->rcount, a->rtype,
                            a->root, a->comm, request);
    case ALLGATHER:
        return ep_iallgather(a->from, a->scount, a->stype, a->to, a->rcount, a->rtype, a->comm, request);
    case ALLGATHERV:
        return ep_iallgatherv(a->from, a->scount, a->stype, a->to, a->r->counts, a->r->displs, a->rtype,
                              a->comm, request);
    case ALLTOALL:
        return ep_ialltoall(a->from, a->scount, a->stype, a->to, a->rcount, a->rtype, a->comm, request);
    case ALLTOALLV:
        return ep_ialltoallv(a->from, a->s->counts, a->s->displs, a->stype, a->to, a->r->counts, a->r->displs,
                             a->rtype, a->comm, request);
    default:
        return ep_ialltoallw(a->from, a->s->counts, a->s->displs, a->s->types, a->to, a->r->counts,
                             a->r->displs, a->r->types, a->comm, request);
    }
}

static int run_combining(coll_kind kind, const arguments *a)
{
    switch (kind) {
    case REDUCE:
        return ep_reduce(a->from, a->to, a->scount, a->stype, a->op, a->root, a->comm);
    case ALLREDUCE:
        return ep_allreduce(a->from, a->to, a->scount, a->stype, a->op, a->comm);
    case REDUCE_SCATTER:
        return ep_reduce_scatter(a->from, a->to, a->r->counts, a->stype, a->op, a->comm);
    case REDUCE_SCATTER_BLOCK:
        return ep_reduce_scatter_block(a->from, a->to, a->rcount, a->stype, a->op, a->comm);
    case SCAN:
        return ep_scan(a->from, a->to, a->scount, a->stype, a->op, a->comm);
    default:
        return ep_exscan(a->from, a->to, a->scount, a->stype, a->op, a->comm);
    }
}

static int start_combining(coll_kind kind, const arguments *a, ep_request *request)
{
    switch (kind) {
    case REDUCE:
        return ep_ireduce(a->from, a->to, a->scount, a->stype, a->op, a->root, a->comm, request);
    case ALLREDUCE:
        return ep_iallreduce(a->from, a->to, a->scount, a->stype, a->op, a->comm, request);
    case REDUCE_SCATTER:
        return ep_ireduce_scatter(a->from, a->to, a->r->counts, a->stype, a->op, a->comm, request);
    case REDUCE_SCATTER_BLOCK:
        return ep_ireduce_scatter_block(a->from, a->to, a->rcount, a->stype, a->op, a->comm, request);
    case SCAN:
        return ep_iscan(a->from, a->to, a->scount, a->stype, a->op, a->comm, request);
    default:
        return ep_iexscan(a->from, a->to, a->scount, a->stype, a->op, a->comm, request);
    }
}

int call_run(coll_call *c)
{
    arguments a = arguments_of(c);
    return has_operator(c->plan.kind) ? run_combining(c->plan.kind, &a) : run_moving(c->plan.kind, &a);
}

int call_start(coll_call *c, ep_request *request)
{
    arguments a = arguments_of(c);
    return has_operator(c->plan.kind) ? start_combining(c->plan.kind, &a, request)
                                      : start_moving(c->plan.kind, &a, request);
}
