/* SPDX-License-Identifier: BSD-3-Clause */
/* From everybody to everybody (MPI 5.7, 5.8, 5.12.5, 5.12.6). */
#include "api/coll.h"

static int allgather(struct how how, struct given send, struct given recv, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_ALLGATHER, comm);
    if (unlikely(rc) || unlikely((rc = setup_take(&s, &s.call.recv, s.w.view->peers, &recv, &names_recv))))
        return rc;
    if (setup_in_place(&s, send.buf))
        setup_own_block(&s, &s.call.send, &s.call.recv);
    else
        rc = setup_take(&s, &s.call.send, 1, &send, &names_send);
    return unlikely(rc) ? rc : setup_run(&s);
}

int ep_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, ep_comm comm)
{
    return allgather(now("ep_allgather"), given_whole(sendbuf, sendcount, sendtype),
                     given_equal(recvbuf, recvcount, recvtype), comm);
}

int ep_iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, ep_comm comm, ep_request *request)
{
    return allgather(later("ep_iallgather", request), given_whole(sendbuf, sendcount, sendtype),
                     given_equal(recvbuf, recvcount, recvtype), comm);
}

int ep_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm)
{
    return allgather(now("ep_allgatherv"), given_whole(sendbuf, sendcount, sendtype),
                     given_varying(recvbuf, recvcounts, displs, recvtype), comm);
}

int ep_iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm,
                   ep_request *request)
{
    return allgather(later("ep_iallgatherv", request), given_whole(sendbuf, sendcount, sendtype),
                     given_varying(recvbuf, recvcounts, displs, recvtype), comm);
}

/* ---- alltoall ---- */

static int alltoall(struct how how, struct given send, struct given recv, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_ALLTOALL, comm);
    if (unlikely(rc))
        return rc;
    int n = s.w.view->peers;
    rc = setup_take(&s, &s.call.recv, n, &recv, &names_recv_all);
    if (rc == MPI_SUCCESS)
        rc = setup_in_place(&s, send.buf) ? setup_copy(&s, n)
                                          : setup_take(&s, &s.call.send, n, &send, &names_send_all);
    return unlikely(rc) ? setup_fail(&s, rc) : setup_run(&s);
}

int ep_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, ep_comm comm)
{
    return alltoall(now("ep_alltoall"), given_equal(sendbuf, sendcount, sendtype),
                    given_equal(recvbuf, recvcount, recvtype), comm);
}

int ep_ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, ep_comm comm, ep_request *request)
{
    return alltoall(later("ep_ialltoall", request), given_equal(sendbuf, sendcount, sendtype),
                    given_equal(recvbuf, recvcount, recvtype), comm);
}

int ep_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                 void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                 ep_comm comm)
{
    return alltoall(now("ep_alltoallv"), given_varying(sendbuf, sendcounts, sdispls, sendtype),
                    given_varying(recvbuf, recvcounts, rdispls, recvtype), comm);
}

int ep_ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                  void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                  ep_comm comm, ep_request *request)
{
    return alltoall(later("ep_ialltoallv", request), given_varying(sendbuf, sendcounts, sdispls, sendtype),
                    given_varying(recvbuf, recvcounts, rdispls, recvtype), comm);
}

int ep_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                 const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                 const MPI_Datatype recvtypes[], ep_comm comm)
{
    return alltoall(now("ep_alltoallw"), given_typed(sendbuf, sendcounts, sdispls, NULL, sendtypes),
                    given_typed(recvbuf, recvcounts, rdispls, NULL, recvtypes), comm);
}

int ep_ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                  const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                  const MPI_Datatype recvtypes[], ep_comm comm, ep_request *request)
{
    return alltoall(later("ep_ialltoallw", request),
                    given_typed(sendbuf, sendcounts, sdispls, NULL, sendtypes),
                    given_typed(recvbuf, recvcounts, rdispls, NULL, recvtypes), comm);
}
