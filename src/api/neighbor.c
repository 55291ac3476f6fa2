/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives (MPI 7.6, 7.7). */
#include "coll/coll.h"

#include "api/coll.h"

/* Which blocks are somebody's. */
static bool neighbor_is_sent(const void *view, int block)
{
    return neighbor_is_there(*(const ep_comm *)view, true, block);
}

static bool is_received(const void *view, int block)
{
    return neighbor_is_there(*(const ep_comm *)view, false, block);
}

/* The one block that goes to all. */
static bool is_sent_at_all(const void *view, int block)
{
    int in, out;
    neighbor_degrees(*(const ep_comm *)view, &in, &out);
    for (block = 0; block < out; block++)
        if (neighbor_is_sent(view, block))
            return true;
    return false;
}

static int neighbor_check_disjoint(const struct setup *s, const void *sendbuf, const void *recvbuf, int in,
                                   int out)
{
    const ep_comm *view = &s->w.view;
    const bool all = s->call.kind == COLL_ALLTOALL;
    const struct side send = {&s->call.send, all ? out : 1, all ? neighbor_is_sent : is_sent_at_all, view};
    const struct side recv = {&s->call.recv, in, is_received, view};
    return setup_check_sides(s, sendbuf, recvbuf, &send, &recv);
}

static int neighbor_exchange(struct how how, enum coll_kind kind, struct given send, struct given recv,
                             ep_comm comm)
{
    const bool all = kind == COLL_ALLTOALL;
    struct setup s;
    int in, out, rc = setup_begin(&s, how, kind, comm);
    if (rc)
        return rc;
    if (!neighbor_degrees(s.w.view, &in, &out))
        return raise_error(s.w, MPI_ERR_TOPOLOGY, "argument comm has no topology");
    rc = setup_take(&s, &s.call.send, all ? out : 1, &send, all ? &names_send_all : &names_send);
    if (rc == MPI_SUCCESS)
        rc = setup_take(&s, &s.call.recv, in, &recv, all ? &names_recv_all : &names_recv);
    if (rc == MPI_SUCCESS)
        rc = neighbor_check_disjoint(&s, send.buf, recv.buf, in, out);
    return rc ? setup_fail(&s, rc) : neighbor_run(s.w, &s.call, s.request);
}

int ep_neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          int recvcount, MPI_Datatype recvtype, ep_comm comm)
{
    return neighbor_exchange(coll_now("ep_neighbor_allgather"), COLL_ALLGATHER,
                             given_whole(sendbuf, sendcount, sendtype),
                             given_equal(recvbuf, recvcount, recvtype), comm);
}

int ep_ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request)
{
    return neighbor_exchange(coll_later("ep_ineighbor_allgather", request), COLL_ALLGATHER,
                             given_whole(sendbuf, sendcount, sendtype),
                             given_equal(recvbuf, recvcount, recvtype), comm);
}

int ep_neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm)
{
    return neighbor_exchange(coll_now("ep_neighbor_allgatherv"), COLL_ALLGATHER,
                             given_whole(sendbuf, sendcount, sendtype),
                             given_varying(recvbuf, recvcounts, displs, recvtype), comm);
}

int ep_ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                            const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm,
                            ep_request *request)
{
    return neighbor_exchange(coll_later("ep_ineighbor_allgatherv", request), COLL_ALLGATHER,
                             given_whole(sendbuf, sendcount, sendtype),
                             given_varying(recvbuf, recvcounts, displs, recvtype), comm);
}

int ep_neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         int recvcount, MPI_Datatype recvtype, ep_comm comm)
{
    return neighbor_exchange(coll_now("ep_neighbor_alltoall"), COLL_ALLTOALL,
                             given_equal(sendbuf, sendcount, sendtype),
                             given_equal(recvbuf, recvcount, recvtype), comm);
}

int ep_ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          int recvcount, MPI_Datatype recvtype, ep_comm comm, ep_request *request)
{
    return neighbor_exchange(coll_later("ep_ineighbor_alltoall", request), COLL_ALLTOALL,
                             given_equal(sendbuf, sendcount, sendtype),
                             given_equal(recvbuf, recvcount, recvtype), comm);
}

int ep_neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                          MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                          MPI_Datatype recvtype, ep_comm comm)
{
    return neighbor_exchange(coll_now("ep_neighbor_alltoallv"), COLL_ALLTOALL,
                             given_varying(sendbuf, sendcounts, sdispls, sendtype),
                             given_varying(recvbuf, recvcounts, rdispls, recvtype), comm);
}

int ep_ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                           MPI_Datatype recvtype, ep_comm comm, ep_request *request)
{
    return neighbor_exchange(coll_later("ep_ineighbor_alltoallv", request), COLL_ALLTOALL,
                             given_varying(sendbuf, sendcounts, sdispls, sendtype),
                             given_varying(recvbuf, recvcounts, rdispls, recvtype), comm);
}

int ep_neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                          const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], ep_comm comm)
{
    return neighbor_exchange(coll_now("ep_neighbor_alltoallw"), COLL_ALLTOALL,
                             given_typed(sendbuf, sendcounts, NULL, sdispls, sendtypes),
                             given_typed(recvbuf, recvcounts, NULL, rdispls, recvtypes), comm);
}

int ep_ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], ep_comm comm,
                           ep_request *request)
{
    return neighbor_exchange(coll_later("ep_ineighbor_alltoallw", request), COLL_ALLTOALL,
                             given_typed(sendbuf, sendcounts, NULL, sdispls, sendtypes),
                             given_typed(recvbuf, recvcounts, NULL, rdispls, recvtypes), comm);
}
