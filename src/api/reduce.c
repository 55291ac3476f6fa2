/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions (MPI 5.9 to 5.11, 5.12.7 to 5.12.12). */
#include "api/coll.h"
#include "api/reduce_op.h"
#include "comm/comm.h"

/* What all reductions are given, and what their count is called. */
struct elements {
    const void *sendbuf, *recvbuf;
    MPI_Datatype datatype;
    MPI_Op op;
    const char *count_name;
};

/* How many elements the caller brings and gets, if any. */
struct share {
    bool brings, gets;
    size_t send, recv;
};

/* Both buffers, if they are two. may_share: one buffer can be both. */
static int take_buffers(struct setup *s, const struct elements *e, const struct share *n, bool may_share)
{
    struct blocks *send = &s->call.send, *recv = &s->call.recv;
    int rc = MPI_SUCCESS;
    may_share &= e->sendbuf == MPI_IN_PLACE || setup_tolerates_aliases(s);
    if (may_share && (e->sendbuf == MPI_IN_PLACE || e->sendbuf == e->recvbuf)) {
        s->call.in_place = true;
        rc = setup_take_whole(s, send, e->recvbuf, n->send, "recvbuf", e->count_name);
    } else if (n->brings) {
        rc = setup_take_whole(s, send, e->sendbuf, n->send, "sendbuf", e->count_name);
    }
    if (n->gets && rc == MPI_SUCCESS)
        rc = setup_take_whole(s, recv, e->recvbuf, n->recv, "recvbuf", e->count_name);
    /* In an exscan all must see the same, or the others wait for those that got the error. */
    if (((n->gets && n->brings) || s->call.kind == COLL_EXSCAN) && rc == MPI_SUCCESS)
        rc = setup_check_aliases(s, e->sendbuf, e->recvbuf, n->send + n->recv > 0);
    return rc;
}

/* Counts are checked. */
static int reduce_combine(struct setup *s, const struct elements *e, const struct share *n, bool may_share)
{
    struct blocks *send = &s->call.send, *recv = &s->call.recv;
    int rc = check_type(s->w, e->datatype, "datatype", &send->type);
    if (unlikely(rc) || unlikely((rc = check_op(s->w, e->op, e->datatype))))
        return rc;
    recv->type = send->type;
    send->mpi = recv->mpi = e->datatype;
    s->call.op = e->op;
    rc = take_buffers(s, e, n, may_share && !s->w.view->comm->inter);
    return unlikely(rc) ? rc : setup_run(s);
}

/* ---- reduce ---- */

static int reduce_common(struct how how, const struct elements *e, int count, int root, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_REDUCE, comm);
    if (unlikely(rc) || unlikely((rc = setup_root(&s, root))))
        return rc;
    struct share n = {setup_is_leaf(&s), setup_is_root(&s), (size_t)count, (size_t)count};
    if (!n.brings && !n.gets)
        return setup_run(&s);
    rc = check_count(s.w, count, e->count_name);
    return unlikely(rc) ? rc : reduce_combine(&s, e, &n, n.gets);
}

int ep_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
              ep_comm comm)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "count"};
    return reduce_common(coll_now("ep_reduce"), &e, count, root, comm);
}

int ep_ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
               ep_comm comm, ep_request *request)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "count"};
    return reduce_common(coll_later("ep_ireduce", request), &e, count, root, comm);
}

/* ---- allreduce ---- */

static int reduce_allreduce(struct how how, const struct elements *e, int count, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_ALLREDUCE, comm);
    if (unlikely(rc) || unlikely((rc = check_count(s.w, count, e->count_name))))
        return rc;
    struct share n = {true, true, (size_t)count, (size_t)count};
    return reduce_combine(&s, e, &n, true);
}

int ep_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 ep_comm comm)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "count"};
    return reduce_allreduce(coll_now("ep_allreduce"), &e, count, comm);
}

int ep_iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  ep_comm comm, ep_request *request)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "count"};
    return reduce_allreduce(coll_later("ep_iallreduce", request), &e, count, comm);
}

/* ---- reduce_scatter ---- */

static int add_counts(struct setup *s, const int counts[], size_t *sum)
{
    int rc = check_pointer(s->w, counts, "recvcounts");
    *sum = 0;
    for (int r = 0; r < s->w.view->size && rc == MPI_SUCCESS; r++) {
        *sum += (size_t)counts[r];
        if (unlikely(counts[r] < 0))
            rc = raise_error(s->w, MPI_ERR_COUNT, "recvcounts[%d] is %d: it must be 0 or more", r, counts[r]);
    }
    return rc;
}

static int reduce_scatter(struct how how, const struct elements *e, const int counts[], ep_comm comm)
{
    struct setup s;
    struct share n = {.brings = true, .gets = true};
    int rc = setup_begin(&s, how, COLL_REDUCE_SCATTER, comm);
    if (unlikely(rc) || unlikely((rc = add_counts(&s, counts, &n.send))))
        return rc;
    n.recv = (size_t)counts[s.w.view->rank];
    s.call.counts = counts;
    return reduce_combine(&s, e, &n, true);
}

int ep_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
                      MPI_Op op, ep_comm comm)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "the number of elements"};
    return reduce_scatter(coll_now("ep_reduce_scatter"), &e, recvcounts, comm);
}

int ep_ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
                       MPI_Op op, ep_comm comm, ep_request *request)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "the number of elements"};
    return reduce_scatter(coll_later("ep_ireduce_scatter", request), &e, recvcounts, comm);
}

static int reduce_scatter_block(struct how how, const struct elements *e, int count, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_REDUCE_SCATTER, comm);
    if (unlikely(rc) || unlikely((rc = check_count(s.w, count, "recvcount"))))
        return rc;
    struct share n = {true, true, (size_t)count * (size_t)s.w.view->size, (size_t)count};
    return reduce_combine(&s, e, &n, true);
}

int ep_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype,
                            MPI_Op op, ep_comm comm)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "the number of elements"};
    return reduce_scatter_block(coll_now("ep_reduce_scatter_block"), &e, recvcount, comm);
}

int ep_ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype,
                             MPI_Op op, ep_comm comm, ep_request *request)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "the number of elements"};
    return reduce_scatter_block(coll_later("ep_ireduce_scatter_block", request), &e, recvcount, comm);
}

/* ---- scan ---- */

/* Nobody is before rank 0, so in exscan it gets nothing; in place it still brings what is in recvbuf. */
static int reduce_scan(struct how how, enum coll_kind kind, const struct elements *e, int count, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, kind, comm);
    if (unlikely(rc))
        return rc;
    if (s.w.view->comm->inter)
        return raise_error(s.w, MPI_ERR_COMM, "argument comm is an intercommunicator");
    struct share n = {true, kind == COLL_SCAN || s.w.view->rank > 0, (size_t)count, (size_t)count};
    rc = check_count(s.w, count, e->count_name);
    return unlikely(rc) ? rc : reduce_combine(&s, e, &n, true);
}

int ep_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, ep_comm comm)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "count"};
    return reduce_scan(coll_now("ep_scan"), COLL_SCAN, &e, count, comm);
}

int ep_iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, ep_comm comm,
             ep_request *request)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "count"};
    return reduce_scan(coll_later("ep_iscan", request), COLL_SCAN, &e, count, comm);
}

int ep_exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, ep_comm comm)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "count"};
    return reduce_scan(coll_now("ep_exscan"), COLL_EXSCAN, &e, count, comm);
}

int ep_iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, ep_comm comm,
               ep_request *request)
{
    const struct elements e = {sendbuf, recvbuf, datatype, op, "count"};
    return reduce_scan(coll_later("ep_iexscan", request), COLL_EXSCAN, &e, count, comm);
}

/* ---- reduce_local ---- */

static int check_local(struct where w, const void *buf, int count, const struct type *t, const char *name)
{
    if (buf == MPI_IN_PLACE)
        return raise_error(w, MPI_ERR_BUFFER, "argument %s is MPI_IN_PLACE, which it must not be here", name);
    if (!buf && count > 0 && t->named && t->size > 0)
        return raise_error(w, MPI_ERR_BUFFER, "argument %s is null, but count is %d", name, count);
    return MPI_SUCCESS;
}

int ep_reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
    struct where w = {NULL, "ep_reduce_local"};
    struct type *t;
    int rc = process_start();
    if (rc)
        return raise_error(w, rc, "MPI is not running");
    types_start();
    if ((rc = check_count(w, count, "count")) || (rc = check_type(w, datatype, "datatype", &t)) ||
        (rc = check_op(w, op, datatype)) || (rc = check_local(w, inbuf, count, t, "inbuf")) ||
        (rc = check_local(w, inoutbuf, count, t, "inoutbuf")) || count == 0)
        return rc;
    if (inbuf == inoutbuf && inbuf && t->size > 0)
        return raise_error(w, MPI_ERR_BUFFER,
                           "arguments inbuf and inoutbuf are the same, which they must not be");
    rc = operator_apply(arith_find(datatype, op), inbuf, inoutbuf, (size_t)count, datatype, op);
    return rc ? raise_error(w, rc, "MPI could not combine %d elements", count) : MPI_SUCCESS;
}
