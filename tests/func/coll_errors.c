/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll_errors.c: wrong arguments of collective calls, made by all endpoints alike.
 *
 * Catches: a wrong argument that is not found, or found only after taking part, so that the call hangs or
 * the next one meets what is left of it; a wrong class; a text that does not say which call and argument.
 */
#include "inter_plan.h"
#include "coll_args.h"

/* ---- one kind of mistake after the other ---- */

static void roots(team_t *t, void *arg)
{
    args a;
    ep_comm c = t->comm;
    int far = t->size;
    (void)arg;
    good_arguments(&a);
    refused(ep_bcast(a.send, 1, MPI_INT, far, c), MPI_ERR_ROOT, "ep_bcast", "argument root is");
    refused(ep_ibcast(a.send, 1, MPI_INT, -1, c, &a.request), MPI_ERR_ROOT, "ep_ibcast", "root is -1");
    refused(ep_bcast(a.send, 1, MPI_INT, MPI_ROOT, c), MPI_ERR_ROOT, "ep_bcast", "root");
    refused(ep_bcast(a.send, 1, MPI_INT, MPI_PROC_NULL, c), MPI_ERR_ROOT, "ep_bcast", "root");
    refused(ep_gather(a.send, 1, MPI_INT, a.recv, 1, MPI_INT, far, c), MPI_ERR_ROOT, "ep_gather", "root");
    refused(ep_gatherv(a.send, 1, MPI_INT, a.recv, a.ones, a.displs, MPI_INT, far, c), MPI_ERR_ROOT,
            "ep_gatherv", "root");
    refused(ep_scatter(a.send, 1, MPI_INT, a.recv, 1, MPI_INT, far, c), MPI_ERR_ROOT, "ep_scatter", "root");
    refused(ep_iscatterv(a.send, a.ones, a.displs, MPI_INT, a.recv, 1, MPI_INT, -9, c, &a.request),
            MPI_ERR_ROOT, "ep_iscatterv", "root is -9");
    refused(ep_reduce(a.send, a.recv, 1, MPI_INT, MPI_SUM, far, c), MPI_ERR_ROOT, "ep_reduce", "root");
    refused(ep_ireduce(a.send, a.recv, 1, MPI_INT, MPI_SUM, -1, c, &a.request), MPI_ERR_ROOT, "ep_ireduce",
            "root");
    EXPECT(a.request == EP_REQUEST_NULL);
    still_good(c);
}

static void counts_of_rooted(ep_comm c, int me)
{
    args a;
    good_arguments(&a);
    refused(ep_bcast(a.send, -2, MPI_INT, 0, c), MPI_ERR_COUNT, "ep_bcast", "argument count is -2");
    refused(ep_gather(a.send, -2, MPI_INT, a.recv, 1, MPI_INT, 0, c), MPI_ERR_COUNT, "ep_gather",
            "argument sendcount is -2");
    refused(ep_gather(a.send, 1, MPI_INT, a.recv, -2, MPI_INT, me, c), MPI_ERR_COUNT, "ep_gather",
            "argument recvcount is -2");
    refused(ep_igatherv(a.send, 1, MPI_INT, a.recv, a.bad, a.displs, MPI_INT, me, c, &a.request),
            MPI_ERR_COUNT, "ep_igatherv", "recvcounts[0] is -7");
    refused(ep_scatter(a.send, -2, MPI_INT, a.recv, 1, MPI_INT, me, c), MPI_ERR_COUNT, "ep_scatter",
            "argument sendcount is -2");
    refused(ep_scatter(a.send, 1, MPI_INT, a.recv, -2, MPI_INT, 0, c), MPI_ERR_COUNT, "ep_scatter",
            "argument recvcount is -2");
    refused(ep_scatterv(a.send, a.bad, a.displs, MPI_INT, a.recv, 1, MPI_INT, me, c), MPI_ERR_COUNT,
            "ep_scatterv", "sendcounts[0] is -7");
    refused(ep_reduce(a.send, a.recv, -2, MPI_INT, MPI_SUM, 0, c), MPI_ERR_COUNT, "ep_reduce", "count is -2");
}

static void counts_of_others(ep_comm c)
{
    args a;
    good_arguments(&a);
    refused(ep_allgather(a.send, -2, MPI_INT, a.recv, 1, MPI_INT, c), MPI_ERR_COUNT, "ep_allgather",
            "sendcount is -2");
    refused(ep_iallgather(a.send, 1, MPI_INT, a.recv, -2, MPI_INT, c, &a.request), MPI_ERR_COUNT,
            "ep_iallgather", "recvcount is -2");
    refused(ep_allgatherv(a.send, 1, MPI_INT, a.recv, a.bad, a.displs, MPI_INT, c), MPI_ERR_COUNT,
            "ep_allgatherv", "recvcounts[0] is -7");
    refused(ep_alltoall(a.send, -2, MPI_INT, a.recv, 1, MPI_INT, c), MPI_ERR_COUNT, "ep_alltoall",
            "sendcount is -2");
    refused(ep_alltoallv(a.send, a.bad, a.displs, MPI_INT, a.recv, a.ones, a.displs, MPI_INT, c),
            MPI_ERR_COUNT, "ep_alltoallv", "sendcounts[0] is -7");
    refused(ep_ialltoallw(a.send, a.ones, a.bytes, a.ints, a.recv, a.bad, a.bytes, a.ints, c, &a.request),
            MPI_ERR_COUNT, "ep_ialltoallw", "recvcounts[0] is -7");
    refused(ep_allreduce(a.send, a.recv, -2, MPI_INT, MPI_SUM, c), MPI_ERR_COUNT, "ep_allreduce",
            "count is -2");
    refused(ep_reduce_scatter(a.send, a.recv, a.bad, MPI_INT, MPI_SUM, c), MPI_ERR_COUNT, "ep_reduce_scatter",
            "recvcounts[0] is -7");
    refused(ep_reduce_scatter_block(a.send, a.recv, -2, MPI_INT, MPI_SUM, c), MPI_ERR_COUNT,
            "ep_reduce_scatter_block", "recvcount is -2");
    refused(ep_scan(a.send, a.recv, -2, MPI_INT, MPI_SUM, c), MPI_ERR_COUNT, "ep_scan", "count is -2");
    refused(ep_iexscan(a.send, a.recv, -2, MPI_INT, MPI_SUM, c, &a.request), MPI_ERR_COUNT, "ep_iexscan",
            "count is -2");
    refused(ep_reduce_local(a.send, a.recv, -2, MPI_INT, MPI_SUM), MPI_ERR_COUNT, "ep_reduce_local",
            "count is -2");
}

static void counts(team_t *t, void *arg)
{
    (void)arg;
    counts_of_rooted(t->comm, t->rank);
    counts_of_others(t->comm);
    still_good(t->comm);
}

static void types(team_t *t, void *arg)
{
    args a;
    ep_comm c = t->comm;
    MPI_Datatype raw;
    const MPI_Datatype none = MPI_DATATYPE_NULL;
    (void)arg;
    good_arguments(&a);
    MPI_Type_contiguous(2, MPI_INT, &raw);
    refused(ep_bcast(a.send, 1, none, 0, c), MPI_ERR_TYPE, "ep_bcast", "datatype is MPI_DATATYPE_NULL");
    refused(ep_bcast(a.send, 1, raw, 0, c), MPI_ERR_TYPE, "ep_bcast", "datatype is not a committed");
    refused(ep_gather(a.send, 1, none, a.recv, 1, MPI_INT, 0, c), MPI_ERR_TYPE, "ep_gather", "sendtype");
    refused(ep_gather(a.send, 1, MPI_INT, a.recv, 1, raw, t->rank, c), MPI_ERR_TYPE, "ep_gather", "recvtype");
    refused(ep_iscatter(a.send, 1, none, a.recv, 1, MPI_INT, t->rank, c, &a.request), MPI_ERR_TYPE,
            "ep_iscatter", "sendtype");
    refused(ep_scatter(a.send, 1, MPI_INT, a.recv, 1, none, 0, c), MPI_ERR_TYPE, "ep_scatter", "recvtype");
    refused(ep_allgatherv(a.send, 1, MPI_INT, a.recv, a.ones, a.displs, none, c), MPI_ERR_TYPE,
            "ep_allgatherv", "recvtype");
    refused(ep_alltoallv(a.send, a.ones, a.displs, none, a.recv, a.ones, a.displs, MPI_INT, c), MPI_ERR_TYPE,
            "ep_alltoallv", "sendtype");
    refused(ep_alltoallw(a.send, a.ones, a.bytes, a.wrong, a.recv, a.ones, a.bytes, a.ints, c), MPI_ERR_TYPE,
            "ep_alltoallw", "sendtypes[0] is MPI_DATATYPE_NULL");
    a.wrong[0] = raw;
    refused(ep_alltoallw(a.send, a.ones, a.bytes, a.ints, a.recv, a.ones, a.bytes, a.wrong, c), MPI_ERR_TYPE,
            "ep_alltoallw", "recvtypes[0] is not a committed");
    refused(ep_allreduce(a.send, a.recv, 1, none, MPI_SUM, c), MPI_ERR_TYPE, "ep_allreduce", "datatype");
    refused(ep_reduce_local(a.send, a.recv, 1, raw, MPI_SUM), MPI_ERR_TYPE, "ep_reduce_local", "datatype");
    MPI_Type_free(&raw);
    still_good(c);
}

static void buffers(team_t *t, void *arg)
{
    args a;
    ep_comm c = t->comm;
    (void)arg;
    good_arguments(&a);
    refused(ep_bcast(NULL, 1, MPI_INT, 0, c), MPI_ERR_BUFFER, "ep_bcast", "buffer is null, but count is 1");
    refused(ep_gather(NULL, 1, MPI_INT, a.recv, 1, MPI_INT, 0, c), MPI_ERR_BUFFER, "ep_gather", "sendbuf");
    refused(ep_gatherv(a.send, 1, MPI_INT, NULL, a.ones, a.displs, MPI_INT, t->rank, c), MPI_ERR_BUFFER,
            "ep_gatherv", "recvbuf is null, but recvcounts[0] is 1");
    refused(ep_scatter(a.send, 1, MPI_INT, NULL, 1, MPI_INT, 0, c), MPI_ERR_BUFFER, "ep_scatter", "recvbuf");
    refused(ep_iallgather(a.send, 1, MPI_INT, NULL, 1, MPI_INT, c, &a.request), MPI_ERR_BUFFER,
            "ep_iallgather", "recvbuf is null, but recvcount is 1");
    refused(ep_alltoall(NULL, 1, MPI_INT, a.recv, 1, MPI_INT, c), MPI_ERR_BUFFER, "ep_alltoall", "sendbuf");
    refused(ep_alltoallw(NULL, a.ones, a.bytes, a.ints, a.recv, a.ones, a.bytes, a.ints, c), MPI_ERR_BUFFER,
            "ep_alltoallw", "sendbuf");
    refused(ep_reduce(NULL, a.recv, 1, MPI_INT, MPI_SUM, 0, c), MPI_ERR_BUFFER, "ep_reduce", "sendbuf");
    refused(ep_reduce(a.send, NULL, 1, MPI_INT, MPI_SUM, t->rank, c), MPI_ERR_BUFFER, "ep_reduce", "recvbuf");
    refused(ep_allreduce(MPI_IN_PLACE, NULL, 1, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER, "ep_allreduce",
            "recvbuf");
    refused(ep_reduce_scatter(NULL, a.recv, a.ones, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER, "ep_reduce_scatter",
            "sendbuf");
    refused(ep_ireduce_scatter_block(a.send, NULL, 1, MPI_INT, MPI_SUM, c, &a.request), MPI_ERR_BUFFER,
            "ep_ireduce_scatter_block", "recvbuf");
    refused(ep_scan(a.send, NULL, 1, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER, "ep_scan", "recvbuf");
    refused(ep_exscan(NULL, a.recv, 1, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER, "ep_exscan", "sendbuf");
    refused(ep_reduce_local(NULL, a.recv, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER, "ep_reduce_local", "inbuf");
    refused(ep_reduce_local(a.send, a.send, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER, "ep_reduce_local",
            "the same");
    EXPECT_OK(ep_reduce_local(a.send, a.send, 0, MPI_INT, MPI_SUM));
    refused(ep_sendrecv(a.send, 1, MPI_INT, t->rank, 3, a.send, 1, MPI_INT, t->rank, 3, t->comm,
                        EP_STATUS_IGNORE),
            MPI_ERR_BUFFER, "ep_sendrecv", "the same");
    EXPECT_OK(ep_sendrecv(a.send, 1, MPI_INT, t->rank, 3, a.send, 1, MPI_INT, MPI_PROC_NULL, 3, t->comm,
                          EP_STATUS_IGNORE));
    EXPECT_OK(ep_recv(a.recv, 1, MPI_INT, t->rank, 3, t->comm, EP_STATUS_IGNORE));
    refused(ep_reduce_local(a.send, NULL, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER, "ep_reduce_local",
            "inoutbuf");
    still_good(c);
}

/* Only reductions take one buffer for both, to mean MPI_IN_PLACE. */
static void aliases(team_t *t, void *arg)
{
    args a;
    ep_comm c = t->comm, self = EP_COMM_NULL;
    int sum[MANY];
    (void)arg;
    good_arguments(&a);
    if (!EXPECT_OK(ep_comm_split(c, t->rank, 0, &self)))
        return;
    EXPECT_OK(ep_comm_set_errhandler(self, EP_ERRORS_RETURN));
    refused(ep_gather(a.send, 1, MPI_INT, a.send, 1, MPI_INT, 0, self), MPI_ERR_BUFFER, "ep_gather",
            "the same");
    refused(ep_scatterv(a.send, a.ones, a.displs, MPI_INT, a.send, 1, MPI_INT, 0, self), MPI_ERR_BUFFER,
            "ep_scatterv", "the same");
    EXPECT_OK(ep_comm_free(&self));
    refused(ep_allgather(a.send, 1, MPI_INT, a.send, 1, MPI_INT, c), MPI_ERR_BUFFER, "ep_allgather",
            "the same");
    refused(ep_ialltoall(a.send, 1, MPI_INT, a.send, 1, MPI_INT, c, &a.request), MPI_ERR_BUFFER,
            "ep_ialltoall", "the same");
    refused(ep_alltoallv(a.send, a.ones, a.displs, MPI_INT, a.send, a.ones, a.displs, MPI_INT, c),
            MPI_ERR_BUFFER, "ep_alltoallv", "the same");
    sum[0] = 1;
    EXPECT_OK(ep_allreduce(sum, sum, 1, MPI_INT, MPI_SUM, c));
    EXPECT_EQ(sum[0], t->size);
    still_good(c);
}

static void null_arrays(team_t *t, void *arg)
{
    args a;
    ep_comm c = t->comm;
    (void)arg;
    good_arguments(&a);
    refused(ep_gatherv(a.send, 1, MPI_INT, a.recv, NULL, a.displs, MPI_INT, t->rank, c), MPI_ERR_ARG,
            "ep_gatherv", "argument recvcounts is a null");
    refused(ep_gatherv(a.send, 1, MPI_INT, a.recv, a.ones, NULL, MPI_INT, t->rank, c), MPI_ERR_ARG,
            "ep_gatherv", "argument displs is a null");
    refused(ep_scatterv(a.send, NULL, a.displs, MPI_INT, a.recv, 1, MPI_INT, t->rank, c), MPI_ERR_ARG,
            "ep_scatterv", "sendcounts");
    refused(ep_allgatherv(a.send, 1, MPI_INT, a.recv, a.ones, NULL, MPI_INT, c), MPI_ERR_ARG, "ep_allgatherv",
            "displs");
    refused(ep_alltoallv(a.send, a.ones, NULL, MPI_INT, a.recv, a.ones, a.displs, MPI_INT, c), MPI_ERR_ARG,
            "ep_alltoallv", "argument sdispls is a null");
    refused(ep_ialltoallv(a.send, a.ones, a.displs, MPI_INT, a.recv, a.ones, NULL, MPI_INT, c, &a.request),
            MPI_ERR_ARG, "ep_ialltoallv", "argument rdispls is a null");
    refused(ep_alltoallw(a.send, a.ones, a.bytes, NULL, a.recv, a.ones, a.bytes, a.ints, c), MPI_ERR_ARG,
            "ep_alltoallw", "argument sendtypes is a null");
    refused(ep_alltoallw(a.send, a.ones, a.bytes, a.ints, a.recv, NULL, a.bytes, a.ints, c), MPI_ERR_ARG,
            "ep_alltoallw", "argument recvcounts is a null");
    refused(ep_reduce_scatter(a.send, a.recv, NULL, MPI_INT, MPI_SUM, c), MPI_ERR_ARG, "ep_reduce_scatter",
            "recvcounts");
    still_good(c);
}

static void null_requests(team_t *t, void *arg)
{
    args a;
    ep_comm c = t->comm;
    (void)arg;
    good_arguments(&a);
    refused(ep_ibarrier(c, NULL), MPI_ERR_ARG, "ep_ibarrier", "request");
    refused(ep_ibcast(a.send, 1, MPI_INT, 0, c, NULL), MPI_ERR_ARG, "ep_ibcast", "request");
    refused(ep_igather(a.send, 1, MPI_INT, a.recv, 1, MPI_INT, 0, c, NULL), MPI_ERR_ARG, "ep_igather",
            "request");
    refused(ep_iscatter(a.send, 1, MPI_INT, a.recv, 1, MPI_INT, 0, c, NULL), MPI_ERR_ARG, "ep_iscatter",
            "request");
    refused(ep_iallgatherv(a.send, 1, MPI_INT, a.recv, a.ones, a.displs, MPI_INT, c, NULL), MPI_ERR_ARG,
            "ep_iallgatherv", "request");
    refused(ep_ialltoall(a.send, 1, MPI_INT, a.recv, 1, MPI_INT, c, NULL), MPI_ERR_ARG, "ep_ialltoall",
            "request");
    refused(ep_iallreduce(a.send, a.recv, 1, MPI_INT, MPI_SUM, c, NULL), MPI_ERR_ARG, "ep_iallreduce",
            "request");
    refused(ep_ireduce_scatter(a.send, a.recv, a.ones, MPI_INT, MPI_SUM, c, NULL), MPI_ERR_ARG,
            "ep_ireduce_scatter", "request");
    refused(ep_iscan(a.send, a.recv, 1, MPI_INT, MPI_SUM, c, NULL), MPI_ERR_ARG, "ep_iscan", "request");
    still_good(c);
}

static void in_place(team_t *t, void *arg)
{
    args a;
    ep_comm c = t->comm;
    int other = (t->rank + 1) % t->size;
    void *here = MPI_IN_PLACE;
    (void)arg;
    good_arguments(&a);
    refused(ep_bcast(here, 1, MPI_INT, 0, c), MPI_ERR_BUFFER, "ep_bcast", "buffer is MPI_IN_PLACE");
    refused(ep_allgather(a.send, 1, MPI_INT, here, 1, MPI_INT, c), MPI_ERR_BUFFER, "ep_allgather",
            "recvbuf is MPI_IN_PLACE");
    refused(ep_alltoallv(a.send, a.ones, a.displs, MPI_INT, here, a.ones, a.displs, MPI_INT, c),
            MPI_ERR_BUFFER, "ep_alltoallv", "recvbuf is MPI_IN_PLACE");
    refused(ep_allreduce(a.send, here, 1, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER, "ep_allreduce",
            "recvbuf is MPI_IN_PLACE");
    refused(ep_allreduce(here, here, 1, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER, "ep_allreduce",
            "recvbuf is MPI_IN_PLACE");
    refused(ep_reduce_local(here, a.recv, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER, "ep_reduce_local",
            "inbuf is MPI_IN_PLACE");
    if (t->size > 1) { /* only the root may */
        refused(ep_gather(here, 1, MPI_INT, a.recv, 1, MPI_INT, other, c), MPI_ERR_BUFFER, "ep_gather",
                "sendbuf is MPI_IN_PLACE");
        refused(ep_iscatter(a.send, 1, MPI_INT, here, 1, MPI_INT, other, c, &a.request), MPI_ERR_BUFFER,
                "ep_iscatter", "recvbuf is MPI_IN_PLACE");
        refused(ep_reduce(here, a.recv, 1, MPI_INT, MPI_SUM, other, c), MPI_ERR_BUFFER, "ep_reduce",
                "sendbuf is MPI_IN_PLACE");
    }
    still_good(c);
}

static void no_communicator(team_t *t, void *arg)
{
    args a;
    (void)t;
    (void)arg;
    good_arguments(&a);
    refused(ep_barrier(EP_COMM_NULL), MPI_ERR_COMM, "ep_barrier", "comm is EP_COMM_NULL");
    refused(ep_ibcast(a.send, 1, MPI_INT, 0, EP_COMM_NULL, &a.request), MPI_ERR_COMM, "ep_ibcast", "comm");
    refused(ep_alltoallw(a.send, a.ones, a.bytes, a.ints, a.recv, a.ones, a.bytes, a.ints, EP_COMM_NULL),
            MPI_ERR_COMM, "ep_alltoallw", "comm");
    refused(ep_scan(a.send, a.recv, 1, MPI_INT, MPI_SUM, EP_COMM_NULL), MPI_ERR_COMM, "ep_scan", "comm");
    refused(ep_neighbor_allgather(a.send, 1, MPI_INT, a.recv, 1, MPI_INT, EP_COMM_NULL), MPI_ERR_COMM,
            "ep_neighbor_allgather", "comm");
}

/* Errors that belong to no communicator go to the process's default handler; those of ep_reduce_local do. */
static void with_default_handler(team_body *body)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(body, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

static void arguments_alone(void)
{
    with_default_handler(no_communicator);
    with_default_handler(counts);
    with_default_handler(types);
    with_default_handler(buffers);
    team_run(aliases, NULL);
    with_default_handler(in_place);
}

/* ---- neighbours ---- */

static void neighbours(team_t *t, void *arg)
{
    args a;
    ep_comm ring = EP_COMM_NULL;
    const int dims[] = {t->size}, periods[] = {1};
    (void)arg;
    good_arguments(&a);
    refused(ep_neighbor_allgather(a.send, 1, MPI_INT, a.recv, 1, MPI_INT, t->comm), MPI_ERR_TOPOLOGY,
            "ep_neighbor_allgather", "no topology");
    refused(ep_ineighbor_alltoallw(a.send, a.ones, a.far, a.ints, a.recv, a.ones, a.far, a.ints, t->comm,
                                   &a.request),
            MPI_ERR_TOPOLOGY, "ep_ineighbor_alltoallw", "no topology");
    if (!EXPECT_OK(ep_cart_create(t->comm, 1, dims, periods, 0, &ring)))
        return;
    refused(ep_neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, a.recv, 1, MPI_INT, ring), MPI_ERR_BUFFER,
            "ep_neighbor_allgather", "sendbuf is MPI_IN_PLACE");
    refused(ep_neighbor_allgatherv(a.send, 1, MPI_INT, a.recv, a.bad, a.displs, MPI_INT, ring), MPI_ERR_COUNT,
            "ep_neighbor_allgatherv", "recvcounts[0] is -7");
    refused(ep_neighbor_alltoall(a.send, 1, MPI_INT, a.recv, 1, MPI_DATATYPE_NULL, ring), MPI_ERR_TYPE,
            "ep_neighbor_alltoall", "recvtype");
    refused(ep_neighbor_alltoallv(a.send, a.ones, NULL, MPI_INT, a.recv, a.ones, a.displs, MPI_INT, ring),
            MPI_ERR_ARG, "ep_neighbor_alltoallv", "sdispls");
    refused(ep_neighbor_alltoallw(a.send, a.ones, a.far, a.ints, a.recv, a.ones, a.far, a.wrong, ring),
            MPI_ERR_TYPE, "ep_neighbor_alltoallw", "recvtypes[0]");
    refused(ep_ineighbor_alltoall(a.send, 1, MPI_INT, a.recv, 1, MPI_INT, ring, NULL), MPI_ERR_ARG,
            "ep_ineighbor_alltoall", "request");
    refused(ep_neighbor_allgather(a.send, 1, MPI_INT, a.send, 1, MPI_INT, ring), MPI_ERR_BUFFER,
            "ep_neighbor_allgather", "the same");
    refused(ep_ineighbor_alltoall(a.send, 1, MPI_INT, a.send + 1, 1, MPI_INT, ring, &a.request),
            MPI_ERR_BUFFER, "ep_ineighbor_alltoall", "sendbuf and recvbuf overlap");
    refused(ep_neighbor_alltoallw(a.send, a.ones, a.far, a.ints, a.send, a.ones, a.far, a.ints, ring),
            MPI_ERR_BUFFER, "ep_neighbor_alltoallw", "the same");
    EXPECT_OK(ep_neighbor_alltoallw(a.send, a.ones, a.far, a.ints, a.recv, a.ones, a.far, a.ints, ring));
    EXPECT_EQ(a.recv[0], 1); /* what the left one sends to its right */
    EXPECT_EQ(a.recv[1], 0);
    EXPECT_OK(ep_comm_free(&ring));
}

/* ---- intercommunicators ---- */

static int halves(const team_t *t, int rank)
{
    return rank >= (t->size + 1) / 2;
}

/* One array holds what is sent, and behind it what is received; or nothing. */
static void between_parts(args *a, ep_comm c)
{
    int behind[TRAFFIC_MAX], none[TRAFFIC_MAX] = {0}, both[2 * TRAFFIC_MAX] = {0};
    for (int r = 0; r < TRAFFIC_MAX; r++)
        behind[r] = TRAFFIC_MAX + r;
    EXPECT_OK(ep_alltoallv(both, a->ones, none, MPI_INT, both, a->ones, behind, MPI_INT, c));
    EXPECT_OK(ep_allgatherv(both, 1, MPI_INT, both, a->ones, behind, MPI_INT, c));
    EXPECT_OK(ep_alltoallv(both, none, none, MPI_INT, both, none, none, MPI_INT, c));
}

static void between_groups(team_t *t, void *arg)
{
    args a;
    inter_plan b;
    (void)arg;
    good_arguments(&a);
    if (!inter_by_rule(t, &b, halves) || !inter_build(t, &b))
        return;
    ep_comm c = b.inter;
    EXPECT_OK(ep_comm_set_errhandler(c, EP_ERRORS_RETURN));
    refused(ep_bcast(a.send, 1, MPI_INT, b.n[!b.mine], c), MPI_ERR_ROOT, "ep_bcast",
            "MPI_ROOT or MPI_PROC_NULL");
    refused(ep_gather(MPI_IN_PLACE, 1, MPI_INT, a.recv, 1, MPI_INT, 0, c), MPI_ERR_BUFFER, "ep_gather",
            "sendbuf is MPI_IN_PLACE, which it must not be on an intercommunicator");
    refused(ep_allgather(MPI_IN_PLACE, 1, MPI_INT, a.recv, 1, MPI_INT, c), MPI_ERR_BUFFER, "ep_allgather",
            "MPI_IN_PLACE");
    refused(ep_alltoallw(MPI_IN_PLACE, a.ones, a.bytes, a.ints, a.recv, a.ones, a.bytes, a.ints, c),
            MPI_ERR_BUFFER, "ep_alltoallw", "MPI_IN_PLACE");
    refused(ep_allreduce(MPI_IN_PLACE, a.recv, 1, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER, "ep_allreduce",
            "MPI_IN_PLACE");
    refused(ep_allreduce(a.recv, a.recv, 1, MPI_INT, MPI_SUM, c), MPI_ERR_BUFFER, "ep_allreduce",
            "sendbuf and recvbuf are the same");
    refused(ep_allgatherv(a.recv, 1, MPI_INT, a.recv, a.ones, a.displs, MPI_INT, c), MPI_ERR_BUFFER,
            "ep_allgatherv", "the same");
    refused(ep_alltoallv(a.recv, a.ones, a.displs, MPI_INT, a.recv, a.ones, a.displs, MPI_INT, c),
            MPI_ERR_BUFFER, "ep_alltoallv", "the same");
    refused(ep_alltoallw(a.recv, a.ones, a.bytes, a.ints, a.recv, a.ones, a.bytes, a.ints, c), MPI_ERR_BUFFER,
            "ep_alltoallw", "the same");
    between_parts(&a, c);
    refused(ep_scan(a.send, a.recv, 1, MPI_INT, MPI_SUM, c), MPI_ERR_COMM, "ep_scan", "intercommunicator");
    refused(ep_iexscan(a.send, a.recv, 1, MPI_INT, MPI_SUM, c, &a.request), MPI_ERR_COMM, "ep_iexscan",
            "intercommunicator");
    still_good(c);
    /* Nothing is significant in the root's group but in the root, and not even its operator. */
    int root = b.mine ? 0 : find(b.ranks[0], b.n[0], t->rank) == 0 ? MPI_ROOT : MPI_PROC_NULL;
    int x = b.mine ? 1 : 0, one = 1;
    if (root == MPI_PROC_NULL)
        EXPECT_OK(ep_reduce(NULL, NULL, -1, MPI_DATATYPE_NULL, MPI_OP_NULL, root, c));
    else
        EXPECT_OK(ep_reduce(b.mine ? &one : NULL, b.mine ? NULL : &x, 1, MPI_INT, MPI_SUM, root, c));
    EXPECT_EQ(x, root == MPI_ROOT ? b.n[1] : b.mine);
    inter_free(&b);
}

static const harness_test tests[] = {
    {"roots", roots, NULL},
    {"null arrays", null_arrays, NULL},
    {"null requests", null_requests, NULL},
    {"all other arguments", NULL, arguments_alone},
    {"neighbours", neighbours, NULL},
    {"intercommunicators", between_groups, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "coll_errors", tests);
}
