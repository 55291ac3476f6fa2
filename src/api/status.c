/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses (MPI 3.2.5, 3.8.4, 4.1.11, 12.3). Counting elements of derived types is MPI's: its status is
 * given the bytes and asked. */
#include <limits.h>

#include "api/check.h"

/* Basic elements in the first bytes of datatype's type map, repeated. Between mpi_enter and mpi_leave. */
static MPI_Count elements_of_bytes(MPI_Datatype datatype, MPI_Count bytes)
{
    MPI_Status s = {0};
    MPI_Count n = 0;
    MPI_Status_set_elements_x(&s, MPI_BYTE, bytes);
    MPI_Get_elements_x(&s, datatype, &n);
    return n;
}

/* The inverse. (MPI_Status_set_elements_x takes count for elements of datatype in MPICH, for basic ones in
 * Open MPI.) */
static MPI_Count bytes_of_elements(MPI_Datatype datatype, MPI_Count count)
{
    MPI_Count size, each, bytes, rest;
    MPI_Type_size_x(datatype, &size);
    if (size == 0)
        return 0;
    each = elements_of_bytes(datatype, size);
    bytes = count / each * size;
    rest = count % each;
    if (rest > 0 && size % each == 0 && elements_of_bytes(datatype, rest * (size / each)) == rest)
        return bytes + rest * (size / each);
    MPI_Count part = 0;
    while (rest > 0 && part < size && elements_of_bytes(datatype, part) != rest)
        part++;
    return bytes + part;
}

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

/* *elements: of datatype if whole, else basic ones. MPI_UNDEFINED where there is no such number. */
static int count_elements(const char *call, const ep_status *status, MPI_Datatype datatype, bool whole,
                          MPI_Count *elements)
{
    struct where w = {NULL, call};
    int rc = check_pointer(w, status, "status");
    if (rc || (rc = check_pointer(w, elements, "count")))
        return rc;
    MPI_Count size;
    if ((rc = check_size(w, datatype, &size)))
        return rc;
    mpi_enter();
    if (whole || size == 0) {
        bool fits = size == 0 ? status->ep_bytes == 0 : status->ep_bytes % size == 0;
        *elements = MPI_UNDEFINED;
        if (fits)
            *elements = size == 0 ? 0 : status->ep_bytes / size;
    } else {
        *elements = elements_of_bytes(datatype, status->ep_bytes);
    }
    mpi_leave();
    return MPI_SUCCESS;
}

/* MPI 3.2.5: a number that does not fit is MPI_UNDEFINED. */
static int narrow(MPI_Count n)
{
    return n > INT_MAX ? MPI_UNDEFINED : (int)n;
}

int ep_get_count(const ep_status *status, MPI_Datatype datatype, int *count)
{
    MPI_Count n = 0;
    int rc = check_pointer((struct where){NULL, "ep_get_count"}, count, "count");
    if (rc || (rc = count_elements("ep_get_count", status, datatype, true, &n)))
        return rc;
    *count = narrow(n);
    return MPI_SUCCESS;
}

int ep_get_elements(const ep_status *status, MPI_Datatype datatype, int *count)
{
    MPI_Count n = 0;
    int rc = check_pointer((struct where){NULL, "ep_get_elements"}, count, "count");
    if (rc || (rc = count_elements("ep_get_elements", status, datatype, false, &n)))
        return rc;
    *count = narrow(n);
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
    if (rc || (rc = check_size(w, datatype, &size)))
        return rc;
    if (count < 0)
        return raise_error(w, MPI_ERR_COUNT, "argument count is %lld: it must be 0 or more",
                           (long long)count);
    mpi_enter();
    status->ep_bytes = bytes_of_elements(datatype, count);
    mpi_leave();
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
