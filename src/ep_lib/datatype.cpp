/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes and packing: MPI's own, which ep takes, too. */
#include "ep_lib/dispatch.hpp"

namespace ep_lib {

/* f(..., &newtype) */
template <class Mpi, class... A> static int make_type(MPI_Datatype *newtype, Mpi mpi, A... a)
{
    ::MPI_Datatype made = own::datatypes[detail::datatype_null];
    if (!newtype)
        return wrong_argument();
    int code = mpi_result(mpi(a..., &made));
    if (code == MPI_SUCCESS)
        *newtype = from_mpi_type(made);
    return code;
}

/* f(&datatype) */
static int change_type(MPI_Datatype *datatype, int (*mpi)(::MPI_Datatype *))
{
    if (!datatype)
        return wrong_argument();
    ::MPI_Datatype changed = to_mpi_type(*datatype);
    int code = mpi_result(mpi(&changed));
    *datatype = from_mpi_type(changed);
    return code;
}

int MPI_Type_size(MPI_Datatype datatype, int *size)
{
    return mpi_result(::MPI_Type_size(to_mpi_type(datatype), size));
}

int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    return mpi_result(::MPI_Type_get_extent(to_mpi_type(datatype), lb, extent));
}

int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return make_type(newtype, ::MPI_Type_contiguous, count, to_mpi_type(oldtype));
}

int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return make_type(newtype, ::MPI_Type_vector, count, blocklength, stride, to_mpi_type(oldtype));
}

int MPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                            MPI_Datatype *newtype)
{
    return make_type(newtype, ::MPI_Type_create_hvector, count, blocklength, stride, to_mpi_type(oldtype));
}

int MPI_Type_indexed(int count, const int blocklengths[], const int displs[], MPI_Datatype oldtype,
                     MPI_Datatype *newtype)
{
    return make_type(newtype, ::MPI_Type_indexed, count, blocklengths, displs, to_mpi_type(oldtype));
}

int MPI_Type_create_hindexed(int count, const int blocklengths[], const MPI_Aint displs[],
                             MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return make_type(newtype, ::MPI_Type_create_hindexed, count, blocklengths, displs, to_mpi_type(oldtype));
}

int MPI_Type_create_struct(int count, const int blocklengths[], const MPI_Aint displs[],
                           const MPI_Datatype types[], MPI_Datatype *newtype)
{
    std::vector<::MPI_Datatype> own_types = to_mpi_types(types, count);
    return make_type(newtype, ::MPI_Type_create_struct, count, blocklengths, displs, own_types.data());
}

int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype)
{
    return make_type(newtype, ::MPI_Type_create_resized, to_mpi_type(oldtype), lb, extent);
}

int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return make_type(newtype, ::MPI_Type_dup, to_mpi_type(oldtype));
}

int MPI_Type_commit(MPI_Datatype *datatype)
{
    return change_type(datatype, ::MPI_Type_commit);
}

int MPI_Type_free(MPI_Datatype *datatype)
{
    return change_type(datatype, ::MPI_Type_free);
}

/* ---- packing: what endpoints pack is packed as for the process itself ---- */

static ::MPI_Comm pack_comm(const MPI_Comm &comm)
{
    return comm.is_ep ? own::comm_self : mpi_of(comm);
}

int MPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position,
             MPI_Comm comm)
{
    return mpi_result(
        ::MPI_Pack(inbuf, incount, to_mpi_type(datatype), outbuf, outsize, position, pack_comm(comm)));
}

int MPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
               MPI_Datatype datatype, MPI_Comm comm)
{
    return mpi_result(
        ::MPI_Unpack(inbuf, insize, position, outbuf, outcount, to_mpi_type(datatype), pack_comm(comm)));
}

int MPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size)
{
    return mpi_result(::MPI_Pack_size(incount, to_mpi_type(datatype), pack_comm(comm), size));
}

} // namespace ep_lib
