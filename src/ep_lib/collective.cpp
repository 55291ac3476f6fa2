/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations. */
#include "ep_lib/dispatch.hpp"

namespace ep_lib {

int MPI_Barrier(MPI_Comm comm)
{
    return call(comm, ep_barrier, ::MPI_Barrier);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    return call(comm, ep_bcast, ::MPI_Bcast, buffer, count, to_mpi_type(datatype), to_mpi_rank(root));
}

int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return call(comm, ep_gather, ::MPI_Gather, sendbuf, sendcount, to_mpi_type(sendtype), recvbuf, recvcount,
                to_mpi_type(recvtype), to_mpi_rank(root));
}

int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return call(comm, ep_gatherv, ::MPI_Gatherv, sendbuf, sendcount, to_mpi_type(sendtype), recvbuf,
                recvcounts, displs, to_mpi_type(recvtype), to_mpi_rank(root));
}

int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return call(comm, ep_scatter, ::MPI_Scatter, sendbuf, sendcount, to_mpi_type(sendtype), recvbuf,
                recvcount, to_mpi_type(recvtype), to_mpi_rank(root));
}

int MPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                 void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return call(comm, ep_scatterv, ::MPI_Scatterv, sendbuf, sendcounts, displs, to_mpi_type(sendtype),
                recvbuf, recvcount, to_mpi_type(recvtype), to_mpi_rank(root));
}

int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm)
{
    return call(comm, ep_allgather, ::MPI_Allgather, sendbuf, sendcount, to_mpi_type(sendtype), recvbuf,
                recvcount, to_mpi_type(recvtype));
}

int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm)
{
    return call(comm, ep_allgatherv, ::MPI_Allgatherv, sendbuf, sendcount, to_mpi_type(sendtype), recvbuf,
                recvcounts, displs, to_mpi_type(recvtype));
}

int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm)
{
    return call(comm, ep_alltoall, ::MPI_Alltoall, sendbuf, sendcount, to_mpi_type(sendtype), recvbuf,
                recvcount, to_mpi_type(recvtype));
}

int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                  void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                  MPI_Comm comm)
{
    return call(comm, ep_alltoallv, ::MPI_Alltoallv, sendbuf, sendcounts, sdispls, to_mpi_type(sendtype),
                recvbuf, recvcounts, rdispls, to_mpi_type(recvtype));
}

int MPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
               MPI_Comm comm)
{
    return call(comm, ep_reduce, ::MPI_Reduce, sendbuf, recvbuf, count, to_mpi_type(datatype), to_mpi_op(op),
                to_mpi_rank(root));
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    return call(comm, ep_allreduce, ::MPI_Allreduce, sendbuf, recvbuf, count, to_mpi_type(datatype),
                to_mpi_op(op));
}

int MPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm)
{
    return call(comm, ep_reduce_scatter, ::MPI_Reduce_scatter, sendbuf, recvbuf, recvcounts,
                to_mpi_type(datatype), to_mpi_op(op));
}

int MPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype,
                             MPI_Op op, MPI_Comm comm)
{
    return call(comm, ep_reduce_scatter_block, ::MPI_Reduce_scatter_block, sendbuf, recvbuf, recvcount,
                to_mpi_type(datatype), to_mpi_op(op));
}

int MPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return call(comm, ep_scan, ::MPI_Scan, sendbuf, recvbuf, count, to_mpi_type(datatype), to_mpi_op(op));
}

int MPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return call(comm, ep_exscan, ::MPI_Exscan, sendbuf, recvbuf, count, to_mpi_type(datatype), to_mpi_op(op));
}

/* ---- a datatype for each block: converted arrays, which are kept until a request is complete ---- */

/* Members of the group that data go to and come from. */
static int peers_of(const MPI_Comm &comm)
{
    int size = 0;
    if (comm == MPI_COMM_NULL)
        return 0;
    if (comm.is_intercomm)
        MPI_Comm_remote_size(comm, &size);
    else
        MPI_Comm_size(comm, &size);
    return size;
}

static detail::request_types types_of_blocks(const void *sendbuf, const MPI_Datatype sendtypes[],
                                             const MPI_Datatype recvtypes[], const MPI_Comm &comm)
{
    detail::request_types types;
    int n = peers_of(comm);
    types.recv = to_mpi_types(recvtypes, n);
    if (sendbuf != MPI_IN_PLACE)
        types.send = to_mpi_types(sendtypes, n);
    return types;
}

int MPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                  const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                  const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    detail::request_types types = types_of_blocks(sendbuf, sendtypes, recvtypes, comm);
    return call(comm, ep_alltoallw, ::MPI_Alltoallw, sendbuf, sendcounts, sdispls, types.send.data(), recvbuf,
                recvcounts, rdispls, types.recv.data());
}

int MPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                   const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request)
{
    std::unique_ptr<detail::request_types> types(
        new detail::request_types(types_of_blocks(sendbuf, sendtypes, recvtypes, comm)));
    int code = begin(comm, request, MPI_DATATYPE_NULL, ep_ialltoallw, ::MPI_Ialltoallw, sendbuf, sendcounts,
                     sdispls, types->send.data(), recvbuf, recvcounts, rdispls, types->recv.data());
    if (code == MPI_SUCCESS && *request != MPI_REQUEST_NULL)
        request->kept = types.release();
    return code;
}

/* ---- with requests ---- */

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_ibarrier, ::MPI_Ibarrier);
}

int MPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_ibcast, ::MPI_Ibcast, buffer, count,
                 to_mpi_type(datatype), to_mpi_rank(root));
}

int MPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_igather, ::MPI_Igather, sendbuf, sendcount,
                 to_mpi_type(sendtype), recvbuf, recvcount, to_mpi_type(recvtype), to_mpi_rank(root));
}

int MPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
                 MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_igatherv, ::MPI_Igatherv, sendbuf, sendcount,
                 to_mpi_type(sendtype), recvbuf, recvcounts, displs, to_mpi_type(recvtype),
                 to_mpi_rank(root));
}

int MPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_iscatter, ::MPI_Iscatter, sendbuf, sendcount,
                 to_mpi_type(sendtype), recvbuf, recvcount, to_mpi_type(recvtype), to_mpi_rank(root));
}

int MPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                  MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_iscatterv, ::MPI_Iscatterv, sendbuf, sendcounts, displs,
                 to_mpi_type(sendtype), recvbuf, recvcount, to_mpi_type(recvtype), to_mpi_rank(root));
}

int MPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_iallgather, ::MPI_Iallgather, sendbuf, sendcount,
                 to_mpi_type(sendtype), recvbuf, recvcount, to_mpi_type(recvtype));
}

int MPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                    MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_iallgatherv, ::MPI_Iallgatherv, sendbuf, sendcount,
                 to_mpi_type(sendtype), recvbuf, recvcounts, displs, to_mpi_type(recvtype));
}

int MPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_ialltoall, ::MPI_Ialltoall, sendbuf, sendcount,
                 to_mpi_type(sendtype), recvbuf, recvcount, to_mpi_type(recvtype));
}

int MPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                   MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_ialltoallv, ::MPI_Ialltoallv, sendbuf, sendcounts,
                 sdispls, to_mpi_type(sendtype), recvbuf, recvcounts, rdispls, to_mpi_type(recvtype));
}

int MPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_ireduce, ::MPI_Ireduce, sendbuf, recvbuf, count,
                 to_mpi_type(datatype), to_mpi_op(op), to_mpi_rank(root));
}

int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_iallreduce, ::MPI_Iallreduce, sendbuf, recvbuf, count,
                 to_mpi_type(datatype), to_mpi_op(op));
}

int MPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_ireduce_scatter, ::MPI_Ireduce_scatter, sendbuf,
                 recvbuf, recvcounts, to_mpi_type(datatype), to_mpi_op(op));
}

int MPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_ireduce_scatter_block, ::MPI_Ireduce_scatter_block,
                 sendbuf, recvbuf, recvcount, to_mpi_type(datatype), to_mpi_op(op));
}

int MPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_iscan, ::MPI_Iscan, sendbuf, recvbuf, count,
                 to_mpi_type(datatype), to_mpi_op(op));
}

int MPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm, MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_iexscan, ::MPI_Iexscan, sendbuf, recvbuf, count,
                 to_mpi_type(datatype), to_mpi_op(op));
}

} // namespace ep_lib
