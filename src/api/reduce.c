/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions (MPI 5.9 to 5.11, 5.12.7 to 5.12.12), and their operators. */
#include "api/coll.h"
#include "comm/comm.h"

static int reduce_op_refuse(struct where w, const char *op, MPI_Datatype datatype)
{
    char type[MPI_MAX_OBJECT_NAME] = "";
    int length;
    mpi_enter();
    MPI_Type_get_name(datatype, type, &length);
    mpi_leave();
    return raise_error(w, MPI_ERR_OP, "argument op is %s, which is not defined for %s", op,
                       type[0] ? type : "a derived datatype");
}

/* Fortran's integers have the logical operators here, as in the MPI libraries. */
static bool is_defined(enum arith_op op, MPI_Datatype datatype)
{
    uint16_t code;
    const struct arith_type *t = arith_type_of(datatype, &code);
    if (!t || op == ARITH_REPLACE || op == ARITH_NO_OP)
        return false;
    bool logical = op == ARITH_LAND || op == ARITH_LOR || op == ARITH_LXOR;
    return likely(arith_is_defined(t, op)) || (logical && t->group == ARITH_FORTRAN_INTEGER);
}

static int check_user_op(struct where w, MPI_Op op)
{
    return likely(foreign_op_is_sound(op)) ? MPI_SUCCESS : raise_handle(w, MPI_ERR_OP, "op", NULL);
}

/* May op be applied to elements of datatype, a valid one? An operator of the user may be applied to anything. */
static int check_op(struct where w, MPI_Op op, MPI_Datatype datatype)
{
    if (unlikely(op == MPI_OP_NULL))
        return raise_handle(w, MPI_ERR_OP, "op", "MPI_OP_NULL");
    enum arith_op code = arith_op_of(op);
    if (code == ARITH_OPS)
        return check_user_op(w, op);
    return likely(is_defined(code, datatype)) ? MPI_SUCCESS
                                              : reduce_op_refuse(w, arith_op_name(code), datatype);
}

/* ---- the calls ---- */

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
SETUP_INLINE int take_buffers(struct setup *s, const struct elements *e, const struct share *n,
                              bool may_share)
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
SETUP_INLINE int reduce_combine(struct setup *s, const struct elements *e, const struct share *n,
                                bool may_share)
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

SETUP_INLINE int reduce_common(struct where w, struct elements e, int count, int root, ep_request *request)
{
    struct setup s;
    setup_begin(&s, w, COLL_REDUCE, request);
    int rc = setup_root(&s, root);
    if (unlikely(rc))
        return rc;
    struct share n = {setup_is_leaf(&s), setup_is_root(&s), (size_t)count, (size_t)count};
    if (!n.brings && !n.gets)
        return setup_run(&s);
    rc = check_count(s.w, count, e.count_name);
    return unlikely(rc) ? rc : reduce_combine(&s, &e, &n, n.gets);
}

/* The count is checked. */
SETUP_INLINE int reduce_allreduce(struct where w, struct elements e, int count, ep_request *request)
{
    struct setup s;
    struct share n = {true, true, (size_t)count, (size_t)count};
    setup_begin(&s, w, COLL_ALLREDUCE, request);
    return reduce_combine(&s, &e, &n, true);
}

static int reduce_scatter(struct where w, struct elements e, const int counts[], ep_request *request)
{
    struct setup s;
    struct share n = {.brings = true, .gets = true};
    setup_begin(&s, w, COLL_REDUCE_SCATTER, request);
    int rc = check_entries(w, MPI_ERR_COUNT, 0, counts, (size_t)w.view->size, "recvcounts");
    if (unlikely(rc))
        return rc;
    for (int r = 0; r < w.view->size; r++)
        n.send += (size_t)counts[r];
    n.recv = (size_t)counts[w.view->rank];
    s.call.counts = counts;
    return reduce_combine(&s, &e, &n, true);
}

/* The count is checked. */
static int reduce_scatter_block(struct where w, struct elements e, int count, ep_request *request)
{
    struct setup s;
    struct share n = {true, true, (size_t)count * (size_t)w.view->size, (size_t)count};
    setup_begin(&s, w, COLL_REDUCE_SCATTER, request);
    return reduce_combine(&s, &e, &n, true);
}

/* Nobody is before rank 0, so in exscan it gets nothing; in place it still brings what is in recvbuf. The count is checked. */
SETUP_INLINE int reduce_scan(struct where w, enum coll_kind kind, struct elements e, int count,
                             ep_request *request)
{
    struct setup s;
    struct share n = {true, kind == COLL_SCAN || w.view->rank > 0, (size_t)count, (size_t)count};
    setup_begin(&s, w, kind, request);
    return reduce_combine(&s, &e, &n, true);
}

/* ---- without a communicator ---- */

static int check_mpi_started(struct where w)
{
    int rc = process_start();
    if (rc)
        return raise_error(w, rc, "MPI is not running");
    types_start();
    return MPI_SUCCESS;
}

static int check_local(struct where w, const void *buf, int count, const struct type *t, const char *name)
{
    if (buf == MPI_IN_PLACE)
        return raise_error(w, MPI_ERR_BUFFER, "argument %s is MPI_IN_PLACE, which it must not be here", name);
    if (!buf && count > 0 && t->named && t->size > 0)
        return raise_error(w, MPI_ERR_BUFFER, "argument %s is null, but count is %d", name, count);
    return MPI_SUCCESS;
}

static int reduce_local(struct where w, const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, const struct type *t)
{
    if (count == 0)
        return MPI_SUCCESS;
    if (inbuf == inoutbuf && inbuf && t->size > 0)
        return raise_error(w, MPI_ERR_BUFFER,
                           "arguments inbuf and inoutbuf are the same, which they must not be");
    int rc = operator_apply(arith_find(datatype, op), inbuf, inoutbuf, (size_t)count, datatype, op);
    return rc ? raise_error(w, rc, "MPI could not combine %d elements", count) : MPI_SUCCESS;
}

static int create_op(struct where w, MPI_User_function *user_fn, int commute, MPI_Op *op)
{
    mpi_enter();
    int rc = MPI_Op_create(user_fn, commute, op);
    mpi_leave();
    rc = error_class_of_mpi(rc);
    return rc ? raise_error(w, rc, "MPI could not make the operator") : MPI_SUCCESS;
}

static int check_own_op(struct where w, MPI_Op op)
{
    if (op == MPI_OP_NULL || operator_is_predefined(op))
        return raise_handle(w, MPI_ERR_OP, "op", op == MPI_OP_NULL ? "MPI_OP_NULL" : "a predefined operator");
    return process_mpi_runs() ? check_user_op(w, op) : raise_not_running(w);
}

static int free_op(struct where w, MPI_Op *op)
{
    int rc = error_class_of_mpi(operator_free(op));
    return rc ? raise_error(w, rc, "MPI could not free the operator") : MPI_SUCCESS;
}

static int check_any_op(struct where w, MPI_Op op)
{
    if (op == MPI_OP_NULL)
        return raise_handle(w, MPI_ERR_OP, "op", "MPI_OP_NULL");
    return operator_is_predefined(op) ? MPI_SUCCESS : check_user_op(w, op);
}

#include "api/reduce.inc"
