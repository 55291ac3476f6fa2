/* SPDX-License-Identifier: BSD-3-Clause */
/* convert.hpp: handles and numbers of ep_lib as ep and MPI have them, and back. */
#ifndef EP_LIB_CONVERT_HPP
#define EP_LIB_CONVERT_HPP

#include "ep_lib/values.hpp"
#include <ep.h>
#include "ep_mpi.hpp"
#include <cstring>
#include <vector>

namespace ep_lib {

/* A handle of any library as a number, and back. */
template <class Handle> std::uintptr_t to_bits(Handle handle)
{
    static_assert(sizeof(Handle) <= sizeof(std::uintptr_t), "a handle is larger than a pointer");
    std::uintptr_t bits = 0;
    std::memcpy(&bits, &handle, sizeof handle);
    return bits;
}
template <class Handle> Handle from_bits(std::uintptr_t bits)
{
    Handle handle;
    std::memcpy(&handle, &bits, sizeof handle);
    return handle;
}

MPI_Datatype from_mpi_type(::MPI_Datatype datatype);
MPI_Op from_mpi_op(::MPI_Op op);
MPI_Info from_mpi_info(::MPI_Info info);
std::vector<::MPI_Datatype> to_mpi_types(const MPI_Datatype types[], int n);

/* Ranks, with the numbers that are none: MPI_ANY_SOURCE, MPI_PROC_NULL, MPI_ROOT. */
int to_mpi_rank(int rank);
int from_mpi_rank(int rank);

ep_group to_ep_group(const MPI_Group &group);
::MPI_Group to_mpi_group(const MPI_Group &group);
MPI_Group from_group(ep_group group);
MPI_Group from_group(::MPI_Group group);

ep_errhandler to_ep_errhandler(MPI_Errhandler errhandler);
::MPI_Errhandler to_mpi_errhandler(MPI_Errhandler errhandler);

/* A status of either library. to may be MPI_STATUS_IGNORE. */
void fill_status(MPI_Status *to, const ep_status &from, MPI_Datatype datatype);
void fill_status(MPI_Status *to, const ::MPI_Status &from, MPI_Datatype datatype);
ep_status to_ep_status(const MPI_Status &status);

} // namespace ep_lib
#endif
