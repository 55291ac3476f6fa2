/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of group functions are raised on MPI_COMM_WORLD. */
#include "conform.h"

static int called;

static void count(MPI_Comm *comm, int *code, ...)
{
    CHECK(*comm == MPI_COMM_WORLD);
    CHECK(*code != MPI_SUCCESS);
    called++;
}

int main(int argc, char **argv)
{
    MPI_Group whole, group = MPI_GROUP_NULL;
    MPI_Errhandler handler;
    int size, value, below = -1;

    conform_init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_GROUP, MPI_Group_size(MPI_GROUP_NULL, &value));
    FAILS(MPI_ERR_GROUP, MPI_Group_rank(MPI_GROUP_NULL, &value));
    FAILS(MPI_ERR_GROUP, MPI_Group_union(whole, MPI_GROUP_NULL, &group));
    FAILS(MPI_ERR_GROUP, MPI_Group_compare(MPI_GROUP_NULL, whole, &value));
    FAILS(MPI_ERR_GROUP, MPI_Group_free(&group));
    FAILS(MPI_ERR_RANK, MPI_Group_incl(whole, 1, &size, &group));
    FAILS(MPI_ERR_RANK, MPI_Group_incl(whole, 1, &below, &group));
    FAILS(MPI_ERR_RANK, MPI_Group_excl(whole, 1, &size, &group));

    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    CHECK(MPI_Group_size(MPI_GROUP_NULL, &value) != MPI_SUCCESS);
    CHECK(called == 1);
    CHECK(MPI_Group_incl(whole, 1, &size, &group) != MPI_SUCCESS);
    CHECK(called == 2);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Group_free(&whole);
    return conform_end(0);
}
