/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ep_mpi.hpp: <mpi.h> and <ep_lib.hpp> in one file, in the order that works, and the handles of one as those of the other.
 *
 * Afterwards MPI's constants have no names of their own: MPI_INT is ep_lib's, and to_mpi_type(MPI_INT) is MPI's.
 */
#ifndef EP_EP_MPI_HPP
#define EP_EP_MPI_HPP

#include <mpi.h>
#include "ep_lib/undef.hpp" /* where <ep_lib.hpp> was included before <mpi.h> */
#include "ep_lib.hpp"

#pragma GCC visibility push(default)
namespace ep_lib {

/* MPI's own handles. Any thread; none blocks. */
::MPI_Datatype to_mpi_type(MPI_Datatype datatype);
::MPI_Op to_mpi_op(MPI_Op op);
::MPI_Info to_mpi_info(MPI_Info info);
/* The classic communicator over the host processes; it belongs to the library. Takes comm and comm.mpi_comm. */
::MPI_Comm to_mpi_comm(MPI_Comm comm);
::MPI_Comm to_mpi_comm(void *mpi_comm);
/* A classic communicator as ep_lib's; it stays the caller's. */
MPI_Comm from_mpi_comm(::MPI_Comm comm);

} // namespace ep_lib
#pragma GCC visibility pop
#endif
