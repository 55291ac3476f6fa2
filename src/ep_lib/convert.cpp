/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles and numbers of ep_lib as ep and MPI have them, and back. */
#include "ep_lib/convert.hpp"

namespace ep_lib {

/* ---- what MPI and ep have alike ---- */

/* Constants are numbers below end, of the table; the rest is the handle itself. */
template <class Handle> static Handle handle_of(std::uintptr_t value, const Handle table[], int end)
{
    return value < static_cast<std::uintptr_t>(end) ? table[value] : from_bits<Handle>(value);
}

template <class Handle> static std::uintptr_t value_of(Handle handle, const Handle table[], int end)
{
    for (int i = 0; i < end; i++)
        if (table[i] == handle)
            return static_cast<std::uintptr_t>(i);
    return to_bits(handle);
}

::MPI_Datatype to_mpi_type(MPI_Datatype datatype)
{
    return handle_of(datatype.value, own::datatypes, detail::datatype_end);
}

MPI_Datatype from_mpi_type(::MPI_Datatype datatype)
{
    return MPI_Datatype(value_of(datatype, own::datatypes, detail::datatype_end));
}

std::vector<::MPI_Datatype> to_mpi_types(const MPI_Datatype types[], int n)
{
    std::vector<::MPI_Datatype> own_types;
    own_types.reserve(n > 0 ? static_cast<std::size_t>(n) : 0);
    for (int i = 0; types && i < n; i++)
        own_types.push_back(to_mpi_type(types[i]));
    return own_types;
}

::MPI_Op to_mpi_op(MPI_Op op)
{
    return handle_of(op.value, own::ops, detail::op_end);
}

MPI_Op from_mpi_op(::MPI_Op op)
{
    return MPI_Op(value_of(op, own::ops, detail::op_end));
}

::MPI_Info to_mpi_info(MPI_Info info)
{
    return handle_of(info.value, &own::info_null, 1);
}

MPI_Info from_mpi_info(::MPI_Info info)
{
    return MPI_Info(value_of(info, &own::info_null, 1));
}

/* ---- ranks ---- */

int to_mpi_rank(int rank)
{
    switch (rank) {
    case -1:
    case MPI_ANY_SOURCE:
        return own::any_source;
    case MPI_PROC_NULL:
        return own::proc_null;
    case MPI_ROOT:
        return own::root;
    }
    return rank;
}

int from_mpi_rank(int rank)
{
    if (rank == own::any_source)
        return MPI_ANY_SOURCE;
    return rank == own::proc_null ? MPI_PROC_NULL : rank;
}

/* ---- groups and error handlers ---- */

ep_group to_ep_group(const MPI_Group &group)
{
    if (group.of == detail::side_both)
        return EP_GROUP_EMPTY;
    return group.of == detail::side_endpoint ? from_bits<ep_group>(group.value) : EP_GROUP_NULL;
}

::MPI_Group to_mpi_group(const MPI_Group &group)
{
    if (group.of == detail::side_both)
        return own::group_empty;
    return group.of == detail::side_classic ? from_bits<::MPI_Group>(group.value) : own::group_null;
}

MPI_Group from_group(ep_group group)
{
    if (group == EP_GROUP_NULL)
        return MPI_GROUP_NULL;
    return group == EP_GROUP_EMPTY ? MPI_GROUP_EMPTY : MPI_Group(detail::side_endpoint, to_bits(group));
}

MPI_Group from_group(::MPI_Group group)
{
    if (group == own::group_null)
        return MPI_GROUP_NULL;
    return group == own::group_empty ? MPI_GROUP_EMPTY : MPI_Group(detail::side_classic, to_bits(group));
}

ep_errhandler to_ep_errhandler(MPI_Errhandler errhandler)
{
    if (errhandler == MPI_ERRORS_RETURN)
        return EP_ERRORS_RETURN;
    return errhandler == MPI_ERRORS_ARE_FATAL ? EP_ERRORS_ARE_FATAL : EP_ERRHANDLER_NULL;
}

::MPI_Errhandler to_mpi_errhandler(MPI_Errhandler errhandler)
{
    if (errhandler == MPI_ERRORS_RETURN)
        return own::errors_return;
    return errhandler == MPI_ERRORS_ARE_FATAL ? own::errors_are_fatal : own::errhandler_null;
}

/* ---- statuses ---- */

void fill_status(MPI_Status *to, const ep_status &from, MPI_Datatype datatype)
{
    if (!to)
        return;
    to->ep_src = to->MPI_SOURCE = from_mpi_rank(from.MPI_SOURCE);
    to->ep_tag = to->MPI_TAG = from.MPI_TAG;
    to->MPI_ERROR = from.MPI_ERROR;
    to->ep_datatype = datatype;
    to->cancelled = from.ep_cancelled;
    to->bytes = from.ep_bytes;
}

/* As ep has it, so that one way of counting serves both. */
void fill_status(MPI_Status *to, const ::MPI_Status &from, MPI_Datatype datatype)
{
    ::MPI_Count bytes = 0;
    ep_status status;
    if (!to)
        return;
    ::MPI_Test_cancelled(&from, &status.ep_cancelled);
    if (!status.ep_cancelled) /* what was cancelled has no count */
        ::MPI_Get_elements_x(&from, own::datatypes[detail::datatype_BYTE], &bytes);
    status.MPI_SOURCE = from.MPI_SOURCE;
    status.MPI_TAG = from.MPI_TAG;
    status.MPI_ERROR = from.MPI_ERROR;
    status.ep_bytes = bytes;
    fill_status(to, status, datatype);
}

ep_status to_ep_status(const MPI_Status &status)
{
    ep_status own_status;
    own_status.MPI_SOURCE = to_mpi_rank(status.MPI_SOURCE);
    own_status.MPI_TAG = status.MPI_TAG;
    own_status.MPI_ERROR = status.MPI_ERROR;
    own_status.ep_cancelled = status.cancelled;
    own_status.ep_bytes = status.bytes;
    return own_status;
}

} // namespace ep_lib
