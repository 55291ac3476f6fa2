/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined attributes of MPI_COMM_WORLD, and what they are used for. */
#include "conform.h"

#include <stddef.h>

static int rank, size;

static void tag_ub(void)
{
    int *bound, flag, in = -1;
    MPI_Status status;

    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag));
    if (!CHECK(flag))
        return;
    CHECK(*bound >= 32767);
    CALL(MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, *bound, &in, 1, MPI_INT, MPI_ANY_SOURCE,
                      MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK(status.MPI_TAG == *bound && in == status.MPI_SOURCE);
}

static void host_and_io(void)
{
    int *value, flag;

    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag));
    if (flag)
        CHECK(*value == MPI_PROC_NULL || (*value >= 0 && *value < size));
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag));
    if (flag)
        CHECK(*value == MPI_ANY_SOURCE || *value == MPI_PROC_NULL || (*value >= 0 && *value < size));
}

static void clock_is_global(void)
{
    int *value, flag, any;

    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag));
    any = flag ? *value : -1;
    CHECK(!flag || *value == 0 || *value == 1);
    CALL(MPI_Bcast(&any, 1, MPI_INT, 0, MPI_COMM_WORLD));
    CHECK(any == (flag ? *value : -1));
}

static void of_the_job(void)
{
    int *value, flag;

    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag));
    if (flag)
        CHECK(*value == 0);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag));
    if (flag)
        CHECK(*value == MPI_UNDEFINED || *value >= 1);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
    if (CHECK(flag))
        CHECK(*value >= MPI_ERR_LASTCODE);
}

/* Another pointer type, the same answer twice, and the old names. */
static void again(void)
{
    void *one = NULL, *two = NULL;
    int flag;

    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &one, &flag);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &two, &flag);
    CHECK(*(int *)one == *(int *)two);
}

/* Windows' attributes are no attributes of a communicator. */
static void only_readable(void)
{
    int value = 7, *bound, flag;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value) != MPI_SUCCESS);
    CHECK(MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_TAG_UB) != MPI_SUCCESS);
    CHECK(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value) != MPI_SUCCESS);
    CHECK(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value) != MPI_SUCCESS);
    CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag));
    CHECK(flag && *bound != 7);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    tag_ub();
    host_and_io();
    clock_is_global();
    of_the_job();
    again();
    only_readable();
    return conform_end(0);
}
