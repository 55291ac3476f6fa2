/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The far step of a round: MPI's collective calls and messages of ep's own, begun and tested in the endpoint
 * of the leader.
 *
 * MPI wants the collective calls on a communicator in the same order in all processes. Operations come to
 * coll->issue_order when all local endpoints have come to them; endpoints come in the order of the program,
 * so that is the same everywhere. Only the first in the queue makes MPI's collective calls, and leaves the
 * queue with its last. It gets there: what it waits for are its own tasks and far steps, and those of the
 * same operation in the other processes, never a later operation.
 */
#include "coll/far.h"

#include <assert.h>

#include "coll/op.h"
#include "net/net.h"

/* ---- issue order ---- */

void issue_order_leave(struct op *o)
{
    struct comm *c = o->comm;
    if (!o->queued)
        return;
    lock_acquire(&c->lock);
    struct op *before = NULL, *at = load_relaxed(&c->coll->issue_order);
    while (at != o) {
        before = at;
        at = at->behind;
    }
    if (before)
        before->behind = o->behind;
    else
        store_release(&c->coll->issue_order, o->behind);
    if (c->coll->last_issued == o)
        c->coll->last_issued = before;
    o->queued = false;
    lock_release(&c->lock);
    evcount_notify(&c->local[0]->endpoint->evcount); /* the next has the same leader */
}

/* ---- steps ---- */

void far_expect(struct op *o, int rc, MPI_Request request)
{
    endpoint_assert_held(o->leader->endpoint);
    assert(o->nmpi < (int)(sizeof o->mpi / sizeof *o->mpi));
    if (rc != MPI_SUCCESS) {
        op_fail(o, error_class_of_mpi(rc));
        return;
    }
    if (o->nmpi == 0)
        far_count_collectives(1);
    o->mpi[o->nmpi++] = request;
}

static bool mpi_done(struct op *o)
{
    endpoint_assert_held(o->leader->endpoint);
    MPI_Status unused[2]; /* gcc takes MPICH's constant for an array without elements */
    int all = 1, rc;
    if (o->nmpi == 0)
        return true;
    mpi_enter();
    rc = MPI_Testall(o->nmpi, o->mpi, &all, unused);
    mpi_leave();
    if (rc != MPI_SUCCESS)
        op_fail(o, error_class_of_mpi(rc));
    if (!all && rc == MPI_SUCCESS)
        return false;
    o->nmpi = 0;
    far_count_collectives(-1);
    net_shm_hears();
    return true;
}

/* False: not now. */
static bool far_begin(struct op *o)
{
    endpoint_assert_held(o->leader->endpoint);
    if (o->algorithm->ordered && o->queued && load_acquire(&o->comm->coll->issue_order) != o)
        return false;
    exchange_begin_far(o, false);
    o->algorithm->far(o);
    store_relaxed(&o->far_state, exchange_is_short(o) ? FAR_SHORT : FAR_RUNNING);
    if (o->last_far)
        issue_order_leave(o);
    return true;
}

/* There was no memory for all messages. Those that are over may have left room. */
static bool far_go_on(struct op *o)
{
    endpoint_assert_held(o->leader->endpoint);
    exchange_done(o);
    exchange_begin_far(o, true);
    o->algorithm->far(o);
    if (exchange_is_short(o))
        return false;
    store_relaxed(&o->far_state, FAR_RUNNING);
    return true;
}

void far_step(struct op *o)
{
    endpoint_assert_held(o->leader->endpoint);
    int state = load_acquire(&o->far_state);
    if (state == FAR_IDLE || (o->algorithm->ordered && !mpi_callable()))
        return;
    if (state == FAR_WANTED && !far_begin(o))
        return;
    if (load_relaxed(&o->far_state) == FAR_SHORT && !far_go_on(o))
        return;
    if (!mpi_done(o) || !exchange_done(o))
        return;
    store_relaxed(&o->far_state, FAR_IDLE);
    op_over(o);
}

/* ---- MPI's calls ---- */

void *far_nowhere(void)
{
    static _Alignas(CACHE_LINE) char nowhere[FAR_SEGMENT];
    return nowhere;
}

static MPI_Comm far_processes(const struct op *o)
{
    return o->comm->lanes[0];
}

void far_barrier(struct op *o)
{
    MPI_Request request;
    mpi_enter();
    int rc = MPI_Ibarrier(far_processes(o), &request);
    mpi_leave();
    far_expect(o, rc, request);
}

void far_bcast(struct op *o, void *data, size_t bytes, int root)
{
    MPI_Request request;
    mpi_enter();
    int rc = MPI_Ibcast(data, (int)bytes, MPI_BYTE, root, far_processes(o), &request);
    mpi_leave();
    far_expect(o, rc, request);
}

void far_reduce(struct op *o, struct span from, char *to, MPI_Op op, int root)
{
    MPI_Request request;
    MPI_Comm processes = far_processes(o);
    bool gets = root < 0 || root == o->comm->proc;
    const void *input = gets && from.buf == to ? MPI_IN_PLACE : from.buf;
    op = arith_mpi_op(from.mpi, op);
    mpi_enter();
    int rc = root < 0 ? MPI_Iallreduce(input, to, (int)from.count, from.mpi, op, processes, &request)
                      : MPI_Ireduce(input, to, (int)from.count, from.mpi, op, root, processes, &request);
    mpi_leave();
    far_expect(o, rc, request);
}

void far_worst(struct op *o, const int *mine, int *worst, int n, int root)
{
    MPI_Request request;
    mpi_enter();
    int rc = root < 0 ? MPI_Iallreduce(mine, worst, n, MPI_INT, MPI_MAX, far_processes(o), &request)
                      : MPI_Ireduce(mine, worst, n, MPI_INT, MPI_MAX, root, far_processes(o), &request);
    mpi_leave();
    far_expect(o, rc, request);
}

void far_exscan(struct op *o, struct span from, char *to, MPI_Op op)
{
    MPI_Request request;
    const void *input = from.buf == to ? MPI_IN_PLACE : from.buf;
    op = arith_mpi_op(from.mpi, op);
    mpi_enter();
    int rc = MPI_Iexscan(input, to, (int)from.count, from.mpi, op, far_processes(o), &request);
    mpi_leave();
    far_expect(o, rc, request);
}
