! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 5.3 to 5.11.
#define BARRIER MPI_Barrier
#define BCAST MPI_Bcast
#define GATHER MPI_Gather
#define GATHERV MPI_Gatherv
#define SCATTER MPI_Scatter
#define SCATTERV MPI_Scatterv
#define ALLGATHER MPI_Allgather
#define ALLGATHERV MPI_Allgatherv
#define ALLTOALL MPI_Alltoall
#define ALLTOALLV MPI_Alltoallv
#define ALLTOALLW MPI_Alltoallw
#define REDUCE MPI_Reduce
#define ALLREDUCE MPI_Allreduce
#define REDUCE_SCATTER MPI_Reduce_scatter
#define REDUCE_SCATTER_BLOCK MPI_Reduce_scatter_block
#define SCAN_ MPI_Scan
#define EXSCAN MPI_Exscan
#define REQUEST
#define DONE OK
#define MODULE_NAME blocking
#include "coll/collectives.h"
