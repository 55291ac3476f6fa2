/* SPDX-License-Identifier: BSD-3-Clause */
/* values.cpp: what MPI's constants are, read before <ep_lib.hpp> takes their names, and those of ep_lib that depend on it. */
#include "ep_lib/values.hpp"
#include <ep.h>

namespace {

#define EP_LIB_NUMBER(name) const int mpi_##name = MPI_##name;
#define EP_LIB_SAME(name, value)                                                                             \
    static_assert(MPI_##name == value, "MPI_" #name " is another number in this MPI library");
#define EP_LIB_ROOM(name, value)                                                                             \
    static_assert(MPI_##name <= value, "MPI_" #name " is larger in this MPI library");
#include "ep_lib/constants.def"

void *const mpi_in_place = MPI_IN_PLACE;
const int mpi_bsend_overhead =
    MPI_BSEND_OVERHEAD > EP_BSEND_OVERHEAD ? MPI_BSEND_OVERHEAD : EP_BSEND_OVERHEAD;
static_assert(MPI_BOTTOM == nullptr, "MPI_BOTTOM is not null in this MPI library");

} // namespace

namespace ep_lib {
namespace own {

const ::MPI_Datatype datatypes[] = {
    MPI_DATATYPE_NULL,
#define EP_LIB_DATATYPE(name) MPI_##name,
#include "ep_lib/constants.def"
};
const ::MPI_Op ops[] = {
    MPI_OP_NULL,
#define EP_LIB_OP(name) MPI_##name,
#include "ep_lib/constants.def"
};
const ::MPI_Comm comm_null = MPI_COMM_NULL, comm_world = MPI_COMM_WORLD, comm_self = MPI_COMM_SELF;
const ::MPI_Info info_null = MPI_INFO_NULL;
const ::MPI_Group group_null = MPI_GROUP_NULL, group_empty = MPI_GROUP_EMPTY;
const ::MPI_Request request_null = MPI_REQUEST_NULL;
const ::MPI_Message message_null = MPI_MESSAGE_NULL, message_no_proc = MPI_MESSAGE_NO_PROC;
const ::MPI_Win win_null = MPI_WIN_NULL;
const ::MPI_Errhandler errors_are_fatal = MPI_ERRORS_ARE_FATAL, errors_return = MPI_ERRORS_RETURN,
                       errhandler_null = MPI_ERRHANDLER_NULL;
::MPI_Status *const status_ignore = MPI_STATUS_IGNORE, *const statuses_ignore = MPI_STATUSES_IGNORE;
const int any_source = MPI_ANY_SOURCE, proc_null = MPI_PROC_NULL, root = MPI_ROOT;

int comm_c2f(::MPI_Comm comm)
{
    return MPI_Comm_c2f(comm);
}

::MPI_Comm comm_f2c(int number)
{
    return MPI_Comm_f2c(number);
}

} // namespace own
} // namespace ep_lib

#include "ep_lib.hpp"

namespace ep_lib {

#define EP_LIB_NUMBER(name) const int MPI_##name = mpi_##name;
#include "ep_lib/constants.def"

void *const MPI_IN_PLACE = mpi_in_place;
const int MPI_BSEND_OVERHEAD = mpi_bsend_overhead;

} // namespace ep_lib
