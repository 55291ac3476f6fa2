/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing (MPI 4.2): MPI's own format, which is the same in all communicators of a job. */
#include <ep_calls.h>

#include "api/api.h"
#include "dropin/passed.h"

/* The packed side. */
static int check_packed(struct where w, const void *buf, int size, const char *name, const int *position)
{
    int rc = size > 0 ? check_pointer(w, buf, name) : MPI_SUCCESS;
    return rc ? rc : check_pointer(w, position, "position");
}

/* The other one. */
static int check_loose(struct where w, const void *buf, int count, const char *count_name,
                       MPI_Datatype datatype, const char *name)
{
    int rc = check_count(w, count, count_name);
    if (rc || (rc = passed_type(w, datatype, "datatype", false)))
        return rc;
    return passed_buffer(w, buf, count, datatype, name);
}

int ep_PMPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize,
                 int *position, ep_comm comm)
{
    struct where w = {NULL, "MPI_Pack"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_loose(w, inbuf, incount, "incount", datatype, "inbuf")) ||
        (rc = check_packed(w, outbuf, outsize, "outbuf", position)))
        return rc;
    return passed(w, MPI_Pack(inbuf, incount, datatype, outbuf, outsize, position, MPI_COMM_WORLD));
}

int ep_PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
                   MPI_Datatype datatype, ep_comm comm)
{
    struct where w = {NULL, "MPI_Unpack"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_loose(w, outbuf, outcount, "outcount", datatype, "outbuf")) ||
        (rc = check_packed(w, inbuf, insize, "inbuf", position)))
        return rc;
    return passed(w, MPI_Unpack(inbuf, insize, position, outbuf, outcount, datatype, MPI_COMM_WORLD));
}

int ep_PMPI_Pack_size(int incount, MPI_Datatype datatype, ep_comm comm, int *size)
{
    struct where w = {NULL, "MPI_Pack_size"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_count(w, incount, "incount")) ||
        (rc = passed_type(w, datatype, "datatype", false)) || (rc = check_pointer(w, size, "size")))
        return rc;
    return passed(w, MPI_Pack_size(incount, datatype, MPI_COMM_WORLD, size));
}
