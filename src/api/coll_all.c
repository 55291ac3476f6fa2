/* SPDX-License-Identifier: BSD-3-Clause */
/* From everybody to everybody (MPI 5.7, 5.8, 5.12.5, 5.12.6). */
#include "api/coll.h"

static int coll_all_allgather(struct how how, const struct given *send, const struct given *recv,
                              ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_ALLGATHER, comm);
    if (unlikely(rc) || unlikely((rc = setup_take(&s, &s.call.recv, s.w.view->peers, recv, &names_recv))))
        return rc;
    if (setup_in_place(&s, send->buf))
        setup_own_block(&s, &s.call.send, &s.call.recv);
    else
        rc = setup_take(&s, &s.call.send, 1, send, &names_send);
    if (likely(rc == MPI_SUCCESS) && recv->form == FORM_EQUAL)
        rc = setup_check_aliases(&s, send->buf, recv->buf, send->count > 0);
    else if (likely(rc == MPI_SUCCESS))
        rc = setup_check_overlap(&s, send->buf, recv->buf, 1, s.w.view->peers);
    return unlikely(rc) ? rc : setup_run(&s);
}

int ep_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, ep_comm comm)
{
    const struct given send = given_whole(sendbuf, sendcount, sendtype);
    const struct given recv = given_equal(recvbuf, recvcount, recvtype);
    return coll_all_allgather(coll_now("ep_allgather"), &send, &recv, comm);
}

int ep_iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, ep_comm comm, ep_request *request)
{
    const struct given send = given_whole(sendbuf, sendcount, sendtype);
    const struct given recv = given_equal(recvbuf, recvcount, recvtype);
    return coll_all_allgather(coll_later("ep_iallgather", request), &send, &recv, comm);
}

int ep_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm)
{
    const struct given send = given_whole(sendbuf, sendcount, sendtype);
    const struct given recv = given_varying(recvbuf, recvcounts, displs, recvtype);
    return coll_all_allgather(coll_now("ep_allgatherv"), &send, &recv, comm);
}

int ep_iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, ep_comm comm,
                   ep_request *request)
{
    const struct given send = given_whole(sendbuf, sendcount, sendtype);
    const struct given recv = given_varying(recvbuf, recvcounts, displs, recvtype);
    return coll_all_allgather(coll_later("ep_iallgatherv", request), &send, &recv, comm);
}

/* ---- alltoall ---- */

static int coll_all_alltoall(struct how how, const struct given *send, const struct given *recv, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_ALLTOALL, comm);
    if (unlikely(rc))
        return rc;
    int n = s.w.view->peers;
    rc = setup_take(&s, &s.call.recv, n, recv, &names_recv_all);
    if (rc == MPI_SUCCESS)
        rc = setup_in_place(&s, send->buf) ? setup_copy(&s, n)
                                           : setup_take(&s, &s.call.send, n, send, &names_send_all);
    if (rc == MPI_SUCCESS && send->form == FORM_EQUAL)
        rc = setup_check_aliases(&s, send->buf, recv->buf, send->count > 0);
    else if (rc == MPI_SUCCESS)
        rc = setup_check_overlap(&s, send->buf, recv->buf, n, n);
    return unlikely(rc) ? setup_fail(&s, rc) : setup_run(&s);
}

int ep_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, ep_comm comm)
{
    const struct given send = given_equal(sendbuf, sendcount, sendtype);
    const struct given recv = given_equal(recvbuf, recvcount, recvtype);
    return coll_all_alltoall(coll_now("ep_alltoall"), &send, &recv, comm);
}

int ep_ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, ep_comm comm, ep_request *request)
{
    const struct given send = given_equal(sendbuf, sendcount, sendtype);
    const struct given recv = given_equal(recvbuf, recvcount, recvtype);
    return coll_all_alltoall(coll_later("ep_ialltoall", request), &send, &recv, comm);
}

int ep_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                 void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                 ep_comm comm)
{
    const struct given send = given_varying(sendbuf, sendcounts, sdispls, sendtype);
    const struct given recv = given_varying(recvbuf, recvcounts, rdispls, recvtype);
    return coll_all_alltoall(coll_now("ep_alltoallv"), &send, &recv, comm);
}

int ep_ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                  void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                  ep_comm comm, ep_request *request)
{
    const struct given send = given_varying(sendbuf, sendcounts, sdispls, sendtype);
    const struct given recv = given_varying(recvbuf, recvcounts, rdispls, recvtype);
    return coll_all_alltoall(coll_later("ep_ialltoallv", request), &send, &recv, comm);
}

int ep_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                 const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                 const MPI_Datatype recvtypes[], ep_comm comm)
{
    const struct given send = given_typed(sendbuf, sendcounts, sdispls, NULL, sendtypes);
    const struct given recv = given_typed(recvbuf, recvcounts, rdispls, NULL, recvtypes);
    return coll_all_alltoall(coll_now("ep_alltoallw"), &send, &recv, comm);
}

int ep_ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                  const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                  const MPI_Datatype recvtypes[], ep_comm comm, ep_request *request)
{
    const struct given send = given_typed(sendbuf, sendcounts, sdispls, NULL, sendtypes);
    const struct given recv = given_typed(recvbuf, recvcounts, rdispls, NULL, recvtypes);
    return coll_all_alltoall(coll_later("ep_ialltoallw", request), &send, &recv, comm);
}
