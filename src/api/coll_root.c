/* SPDX-License-Identifier: BSD-3-Clause */
/* Barrier, and what has a root: broadcast, gather, scatter (MPI 5.3 to 5.6, 5.12.1 to 5.12.4). */
#include "api/coll.h"

static int coll_root_barrier(struct how how, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_BARRIER, comm);
    return unlikely(rc) ? rc : setup_run(&s);
}

int ep_barrier(ep_comm comm)
{
    return coll_root_barrier(coll_now("ep_barrier"), comm);
}

int ep_ibarrier(ep_comm comm, ep_request *request)
{
    return coll_root_barrier(coll_later("ep_ibarrier", request), comm);
}

/* ---- broadcast ---- */

static int coll_root_bcast(struct how how, void *buffer, int count, MPI_Datatype datatype, int root,
                           ep_comm comm)
{
    static const struct names names = {"buffer", "count", "datatype", NULL};
    const struct given g = given_whole(buffer, count, datatype);
    struct setup s;
    int rc = setup_begin(&s, how, COLL_BCAST, comm);
    if (unlikely(rc) || unlikely((rc = setup_root(&s, root))))
        return rc;
    if (setup_is_root(&s))
        rc = setup_take(&s, &s.call.send, 1, &g, &names);
    else if (setup_is_leaf(&s))
        rc = setup_take(&s, &s.call.recv, 1, &g, &names);
    return unlikely(rc) ? rc : setup_run(&s);
}

int ep_bcast(void *buffer, int count, MPI_Datatype datatype, int root, ep_comm comm)
{
    return coll_root_bcast(coll_now("ep_bcast"), buffer, count, datatype, root, comm);
}

int ep_ibcast(void *buffer, int count, MPI_Datatype datatype, int root, ep_comm comm, ep_request *request)
{
    return coll_root_bcast(coll_later("ep_ibcast", request), buffer, count, datatype, root, comm);
}

/* ---- gather ---- */

static int coll_root_gather(struct how how, struct given send, struct given recv, int root, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_GATHER, comm);
    if (unlikely(rc) || unlikely((rc = setup_root(&s, root))))
        return rc;
    bool at_root = setup_is_root(&s);
    if (at_root && (rc = setup_take(&s, &s.call.recv, s.w.view->peers, &recv, &names_recv)))
        return rc;
    if (at_root && setup_in_place(&s, send.buf))
        setup_own_block(&s, &s.call.send, &s.call.recv);
    else if (setup_is_leaf(&s))
        rc = setup_take(&s, &s.call.send, 1, &send, &names_send);
    if (likely(rc == MPI_SUCCESS) && at_root && recv.form == FORM_EQUAL)
        rc = setup_check_aliases(&s, send.buf, recv.buf, setup_is_leaf(&s) && send.count > 0);
    else if (likely(rc == MPI_SUCCESS) && at_root)
        rc = setup_check_overlap(&s, send.buf, recv.buf, 1, s.w.view->peers);
    return unlikely(rc) ? rc : setup_run(&s);
}

int ep_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
              MPI_Datatype recvtype, int root, ep_comm comm)
{
    return coll_root_gather(coll_now("ep_gather"), given_whole(sendbuf, sendcount, sendtype),
                            given_equal(recvbuf, recvcount, recvtype), root, comm);
}

int ep_igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, ep_comm comm, ep_request *request)
{
    return coll_root_gather(coll_later("ep_igather", request), given_whole(sendbuf, sendcount, sendtype),
                            given_equal(recvbuf, recvcount, recvtype), root, comm);
}

int ep_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
               const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, ep_comm comm)
{
    return coll_root_gather(coll_now("ep_gatherv"), given_whole(sendbuf, sendcount, sendtype),
                            given_varying(recvbuf, recvcounts, displs, recvtype), root, comm);
}

int ep_igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, ep_comm comm,
                ep_request *request)
{
    return coll_root_gather(coll_later("ep_igatherv", request), given_whole(sendbuf, sendcount, sendtype),
                            given_varying(recvbuf, recvcounts, displs, recvtype), root, comm);
}

/* ---- scatter ---- */

static int coll_root_scatter(struct how how, struct given send, struct given recv, int root, ep_comm comm)
{
    struct setup s;
    int rc = setup_begin(&s, how, COLL_SCATTER, comm);
    if (unlikely(rc) || unlikely((rc = setup_root(&s, root))))
        return rc;
    bool at_root = setup_is_root(&s);
    if (at_root && (rc = setup_take(&s, &s.call.send, s.w.view->peers, &send, &names_send)))
        return rc;
    if (at_root && setup_in_place(&s, recv.buf))
        setup_own_block(&s, &s.call.recv, &s.call.send);
    else if (setup_is_leaf(&s))
        rc = setup_take(&s, &s.call.recv, 1, &recv, &names_recv);
    if (likely(rc == MPI_SUCCESS) && at_root && send.form == FORM_EQUAL)
        rc = setup_check_aliases(&s, send.buf, recv.buf, setup_is_leaf(&s) && recv.count > 0);
    else if (likely(rc == MPI_SUCCESS) && at_root)
        rc = setup_check_overlap(&s, send.buf, recv.buf, s.w.view->peers, 1);
    return unlikely(rc) ? rc : setup_run(&s);
}

int ep_scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, ep_comm comm)
{
    return coll_root_scatter(coll_now("ep_scatter"), given_equal(sendbuf, sendcount, sendtype),
                             given_whole(recvbuf, recvcount, recvtype), root, comm);
}

int ep_iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, ep_comm comm, ep_request *request)
{
    return coll_root_scatter(coll_later("ep_iscatter", request), given_equal(sendbuf, sendcount, sendtype),
                             given_whole(recvbuf, recvcount, recvtype), root, comm);
}

int ep_scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, ep_comm comm)
{
    return coll_root_scatter(coll_now("ep_scatterv"), given_varying(sendbuf, sendcounts, displs, sendtype),
                             given_whole(recvbuf, recvcount, recvtype), root, comm);
}

int ep_iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                 void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, ep_comm comm,
                 ep_request *request)
{
    return coll_root_scatter(coll_later("ep_iscatterv", request),
                             given_varying(sendbuf, sendcounts, displs, sendtype),
                             given_whole(recvbuf, recvcount, recvtype), root, comm);
}
