/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses (MPI 3.2.5, 3.8.4, 4.1.11, 12.3). */
#include <limits.h>

#include "api/check.h"
#include "datatype/datatype.h"

/* The size of a datatype that need not be committed. */
static int check_size(struct where w, MPI_Datatype datatype, MPI_Count *size)
{
    if (!process_mpi_runs())
        return raise_not_running(w);
    bool sound = foreign_type_is_sound(datatype);
    if (sound) {
        mpi_enter();
        sound = MPI_Type_size_x(datatype, size) == MPI_SUCCESS;
        mpi_leave();
    }
    if (sound)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_TYPE, "argument datatype is %s",
                       datatype == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "a freed or invalid handle");
}

/* Whole elements of that size. MPI_UNDEFINED where there is no such number. */
static MPI_Count count_whole(MPI_Count bytes, MPI_Count size)
{
    if (size == 0)
        return bytes == 0 ? 0 : MPI_UNDEFINED;
    return bytes % size == 0 ? bytes / size : MPI_UNDEFINED;
}

/* Basic elements. */
static int count_elements(struct where w, MPI_Count bytes, MPI_Datatype datatype, MPI_Count size,
                          MPI_Count *elements)
{
    if (size == 0) {
        *elements = count_whole(bytes, size);
        return MPI_SUCCESS;
    }
    mpi_enter();
    bool counted = elements_of_bytes(datatype, bytes, elements);
    mpi_leave();
    return counted ? MPI_SUCCESS : raise_error(w, MPI_ERR_NO_MEM, "no memory to look into argument datatype");
}

/* MPI 3.2.5: a number that does not fit is MPI_UNDEFINED. */
static int status_narrow(MPI_Count n)
{
    return n > INT_MAX ? MPI_UNDEFINED : (int)n;
}

static int set_elements(struct where w, ep_status *status, MPI_Datatype datatype, MPI_Count size,
                        MPI_Count count)
{
    if (count < 0)
        return raise_error(w, MPI_ERR_COUNT, "argument count is %lld: it must be 0 or more",
                           (long long)count);
    MPI_Count bytes = 0;
    mpi_enter();
    bool counted = size == 0 || elements_to_bytes(datatype, count, &bytes);
    mpi_leave();
    if (!counted)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory to look into argument datatype");
    status->ep_bytes = bytes;
    return MPI_SUCCESS;
}

/* ---- Fortran's (MPI 17.2.5): bytes and the flag in 64 bits, lower half first ---- */

_Static_assert(sizeof(ep_f08_status) == EP_F_STATUS_SIZE * sizeof(MPI_Fint), "one layout");

static int status_to_fortran(const ep_status *c_status, MPI_Fint *f_status)
{
    uint64_t rest = (uint64_t)c_status->ep_bytes << 1 | (c_status->ep_cancelled != 0);
    f_status[0] = c_status->MPI_SOURCE;
    f_status[1] = c_status->MPI_TAG;
    f_status[2] = c_status->MPI_ERROR;
    f_status[3] = (MPI_Fint)(int32_t)(uint32_t)rest;
    f_status[4] = (MPI_Fint)(int32_t)(uint32_t)(rest >> 32);
    return MPI_SUCCESS;
}

static int status_of_fortran(const MPI_Fint *f_status, ep_status *c_status)
{
    uint64_t rest = (uint64_t)(uint32_t)f_status[4] << 32 | (uint32_t)f_status[3];
    c_status->MPI_SOURCE = f_status[0];
    c_status->MPI_TAG = f_status[1];
    c_status->MPI_ERROR = f_status[2];
    c_status->ep_cancelled = (int)(rest & 1);
    c_status->ep_bytes = (MPI_Count)(rest >> 1);
    return MPI_SUCCESS;
}

#include "api/status.inc"
