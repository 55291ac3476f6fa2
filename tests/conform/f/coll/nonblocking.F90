! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 5.12.
#define BARRIER MPI_Ibarrier
#define BCAST MPI_Ibcast
#define GATHER MPI_Igather
#define GATHERV MPI_Igatherv
#define SCATTER MPI_Iscatter
#define SCATTERV MPI_Iscatterv
#define ALLGATHER MPI_Iallgather
#define ALLGATHERV MPI_Iallgatherv
#define ALLTOALL MPI_Ialltoall
#define ALLTOALLV MPI_Ialltoallv
#define ALLTOALLW MPI_Ialltoallw
#define REDUCE MPI_Ireduce
#define ALLREDUCE MPI_Iallreduce
#define REDUCE_SCATTER MPI_Ireduce_scatter
#define REDUCE_SCATTER_BLOCK MPI_Ireduce_scatter_block
#define SCAN_ MPI_Iscan
#define EXSCAN MPI_Iexscan
#define REQUEST , request
#define DONE OK; call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
#define MODULE_NAME nonblocking
#include "coll/collectives.h"
