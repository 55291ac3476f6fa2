/* SPDX-License-Identifier: BSD-3-Clause */
/* same.h: the names of MPI for what ep has; nothing of this where ranks are processes. */
#ifndef EP_TEST_SAME_H
#define EP_TEST_SAME_H

#ifdef RANKS_ARE_THREADS
#include <ep.h>

#undef MPI_REQUEST_NULL
#undef MPI_STATUS_IGNORE
#undef MPI_STATUSES_IGNORE
#undef MPI_COMM_NULL
#define MPI_Comm ep_comm
#define MPI_Request ep_request
#define MPI_REQUEST_NULL EP_REQUEST_NULL
#define MPI_STATUS_IGNORE EP_STATUS_IGNORE
#define MPI_STATUSES_IGNORE EP_STATUSES_IGNORE
#define MPI_COMM_NULL EP_COMM_NULL
#define MPI_Comm_rank ep_comm_rank
#define MPI_Comm_size ep_comm_size
#define MPI_Comm_remote_size ep_comm_remote_size
#define MPI_Comm_split ep_comm_split
#define MPI_Comm_free ep_comm_free
#define MPI_Intercomm_create ep_intercomm_create
#define MPI_Cart_create ep_cart_create
#define MPI_Dist_graph_create_adjacent ep_dist_graph_create_adjacent
#define MPI_Waitall ep_waitall
#define MPI_Barrier ep_barrier
#define MPI_Bcast ep_bcast
#define MPI_Gather ep_gather
#define MPI_Gatherv ep_gatherv
#define MPI_Scatter ep_scatter
#define MPI_Scatterv ep_scatterv
#define MPI_Allgather ep_allgather
#define MPI_Allgatherv ep_allgatherv
#define MPI_Alltoall ep_alltoall
#define MPI_Alltoallv ep_alltoallv
#define MPI_Alltoallw ep_alltoallw
#define MPI_Reduce ep_reduce
#define MPI_Allreduce ep_allreduce
#define MPI_Reduce_scatter ep_reduce_scatter
#define MPI_Reduce_scatter_block ep_reduce_scatter_block
#define MPI_Scan ep_scan
#define MPI_Exscan ep_exscan
#define MPI_Ibarrier ep_ibarrier
#define MPI_Ibcast ep_ibcast
#define MPI_Igather ep_igather
#define MPI_Iscatter ep_iscatter
#define MPI_Iallgather ep_iallgather
#define MPI_Iallgatherv ep_iallgatherv
#define MPI_Ialltoall ep_ialltoall
#define MPI_Ialltoallv ep_ialltoallv
#define MPI_Ireduce ep_ireduce
#define MPI_Iallreduce ep_iallreduce
#define MPI_Ireduce_scatter_block ep_ireduce_scatter_block
#define MPI_Iscan ep_iscan
#define MPI_Iexscan ep_iexscan
#define MPI_Neighbor_allgather ep_neighbor_allgather
#define MPI_Neighbor_alltoall ep_neighbor_alltoall
#define MPI_Neighbor_alltoallv ep_neighbor_alltoallv
#define MPI_Ineighbor_alltoall ep_ineighbor_alltoall
#else
#include <mpi.h>
#endif

/* What a rank does. */
void rank_main(MPI_Comm world);

#endif
