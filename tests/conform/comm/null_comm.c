/* SPDX-License-Identifier: BSD-3-Clause */
/* What communicator calls say to MPI_COMM_NULL and to intercommunicators where only the others will do. */
#include "conform.h"

int main(int argc, char **argv)
{
    int value, rank, size;
    MPI_Comm comm = MPI_COMM_NULL, null = MPI_COMM_NULL;
    MPI_Group group;
    char name[MPI_MAX_OBJECT_NAME];

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FAILS(MPI_ERR_COMM, MPI_Comm_rank(MPI_COMM_NULL, &value));
    FAILS(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_NULL, &value));
    FAILS(MPI_ERR_COMM, MPI_Comm_group(MPI_COMM_NULL, &group));
    FAILS(MPI_ERR_COMM, MPI_Comm_dup(MPI_COMM_NULL, &comm));
    FAILS(MPI_ERR_COMM, MPI_Comm_split(MPI_COMM_NULL, 0, 0, &comm));
    FAILS(MPI_ERR_COMM, MPI_Comm_test_inter(MPI_COMM_NULL, &value));
    FAILS(MPI_ERR_COMM, MPI_Comm_free(&null));
    FAILS(MPI_ERR_COMM, MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_NULL, &value));
    FAILS(MPI_ERR_COMM, MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
    FAILS(MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    CALL(MPI_Comm_get_name(MPI_COMM_WORLD, name, &value));
    return conform_end(0);
}
