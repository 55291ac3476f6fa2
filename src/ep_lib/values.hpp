/* SPDX-License-Identifier: BSD-3-Clause */
/* values.hpp: MPI's own constants by other names, because <ep_lib.hpp> takes those that are macros. */
#ifndef EP_LIB_VALUES_HPP
#define EP_LIB_VALUES_HPP

#include <mpi.h>

namespace ep_lib {
namespace own {

extern const ::MPI_Datatype datatypes[]; /* by detail::datatype_number */
extern const ::MPI_Op ops[];             /* by detail::op_number */
extern const ::MPI_Comm comm_null, comm_world, comm_self;
extern const ::MPI_Info info_null;
extern const ::MPI_Group group_null, group_empty;
extern const ::MPI_Request request_null;
extern const ::MPI_Message message_null, message_no_proc;
extern const ::MPI_Win win_null;
extern const ::MPI_Errhandler errors_are_fatal, errors_return, errhandler_null;
extern ::MPI_Status *const status_ignore, *const statuses_ignore;
extern const int any_source, proc_null, root;

/* Macros in MPICH. */
int comm_c2f(::MPI_Comm comm);
::MPI_Comm comm_f2c(int number);

} // namespace own
} // namespace ep_lib
#endif
