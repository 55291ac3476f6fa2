/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing (MPI 4.2): MPI's own format, which is the same in all communicators of a job. */
#include <ep_calls.h>

#include "api/api.h"
#include "dropin/passed.h"

int ep_PMPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize,
                 int *position, ep_comm comm)
{
    struct where w = {NULL, "MPI_Pack"};
    int rc = check_comm(&w, comm);
    return rc ? rc : passed(w, MPI_Pack(inbuf, incount, datatype, outbuf, outsize, position, MPI_COMM_WORLD));
}

int ep_PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
                   MPI_Datatype datatype, ep_comm comm)
{
    struct where w = {NULL, "MPI_Unpack"};
    int rc = check_comm(&w, comm);
    return rc ? rc
              : passed(w, MPI_Unpack(inbuf, insize, position, outbuf, outcount, datatype, MPI_COMM_WORLD));
}

int ep_PMPI_Pack_size(int incount, MPI_Datatype datatype, ep_comm comm, int *size)
{
    struct where w = {NULL, "MPI_Pack_size"};
    int rc = check_comm(&w, comm);
    return rc ? rc : passed(w, MPI_Pack_size(incount, datatype, MPI_COMM_WORLD, size));
}
