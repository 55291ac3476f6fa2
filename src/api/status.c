/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses (MPI 3.2.5, 3.8.4, 4.1.11, 12.3). */
#include <limits.h>

#include "api/check.h"
#include "datatype/datatype.h"

/* The size of a datatype that need not be committed. */
static int status_check_size(struct where w, MPI_Datatype datatype, MPI_Count *size)
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

/* *elements: of datatype if whole, else basic ones. MPI_UNDEFINED where there is no such number. */
static int count_elements(const char *call, const ep_status *status, MPI_Datatype datatype, bool whole,
                          MPI_Count *elements)
{
    struct where w = {NULL, call};
    int rc = check_pointer(w, status, "status");
    if (rc || (rc = check_pointer(w, elements, "count")))
        return rc;
    MPI_Count size;
    if ((rc = status_check_size(w, datatype, &size)))
        return rc;
    if (whole || size == 0) {
        bool fits = size == 0 ? status->ep_bytes == 0 : status->ep_bytes % size == 0;
        *elements = MPI_UNDEFINED;
        if (fits)
            *elements = size == 0 ? 0 : status->ep_bytes / size;
        return MPI_SUCCESS;
    }
    mpi_enter();
    bool counted = elements_of_bytes(datatype, status->ep_bytes, elements);
    mpi_leave();
    return counted ? MPI_SUCCESS : raise_error(w, MPI_ERR_NO_MEM, "no memory to look into argument datatype");
}

/* MPI 3.2.5: a number that does not fit is MPI_UNDEFINED. */
static int status_narrow(MPI_Count n)
{
    return n > INT_MAX ? MPI_UNDEFINED : (int)n;
}

int ep_get_count(const ep_status *status, MPI_Datatype datatype, int *count)
{
    MPI_Count n = 0;
    int rc = check_pointer((struct where){NULL, "ep_get_count"}, count, "count");
    if (rc || (rc = count_elements("ep_get_count", status, datatype, true, &n)))
        return rc;
    *count = status_narrow(n);
    return MPI_SUCCESS;
}

int ep_get_elements(const ep_status *status, MPI_Datatype datatype, int *count)
{
    MPI_Count n = 0;
    int rc = check_pointer((struct where){NULL, "ep_get_elements"}, count, "count");
    if (rc || (rc = count_elements("ep_get_elements", status, datatype, false, &n)))
        return rc;
    *count = status_narrow(n);
    return MPI_SUCCESS;
}

int ep_get_elements_x(const ep_status *status, MPI_Datatype datatype, MPI_Count *count)
{
    return count_elements("ep_get_elements_x", status, datatype, false, count);
}

int ep_status_set_elements_x(ep_status *status, MPI_Datatype datatype, MPI_Count count)
{
    struct where w = {NULL, "ep_status_set_elements_x"};
    MPI_Count size;
    int rc = check_pointer(w, status, "status");
    if (rc || (rc = status_check_size(w, datatype, &size)))
        return rc;
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

int ep_status_set_elements(ep_status *status, MPI_Datatype datatype, int count)
{
    return ep_status_set_elements_x(status, datatype, count);
}

int ep_status_set_cancelled(ep_status *status, int flag)
{
    int rc = check_pointer((struct where){NULL, "ep_status_set_cancelled"}, status, "status");
    if (rc == MPI_SUCCESS)
        status->ep_cancelled = flag != 0;
    return rc;
}

int ep_test_cancelled(const ep_status *status, int *flag)
{
    struct where w = {NULL, "ep_test_cancelled"};
    int rc = check_pointer(w, status, "status");
    if (rc || (rc = check_pointer(w, flag, "flag")))
        return rc;
    *flag = status->ep_cancelled;
    return MPI_SUCCESS;
}
