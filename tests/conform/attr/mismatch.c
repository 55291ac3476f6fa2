/* SPDX-License-Identifier: BSD-3-Clause */
/* A keyval of one sort of object is none of another; a freed one is none at all. */
#include "conform.h"

#include <stddef.h>

int main(int argc, char **argv)
{
    int of_comm, of_type, flag, value;
    MPI_Datatype type;
    void *got;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &type);
    CALL(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &of_comm, NULL));
    CALL(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &of_type, NULL));
    CHECK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &got, &flag) != MPI_SUCCESS);
    CHECK(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value) != MPI_SUCCESS);
    CHECK(MPI_Comm_set_attr(MPI_COMM_WORLD, of_type, &value) != MPI_SUCCESS);
    CHECK(MPI_Type_set_attr(type, of_comm, &value) != MPI_SUCCESS);
    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, of_comm, &value));
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, of_comm));
    CALL(MPI_Comm_free_keyval(&of_comm));
    CHECK(MPI_Comm_free_keyval(&of_comm) != MPI_SUCCESS);
    CALL(MPI_Type_free_keyval(&of_type));
    MPI_Type_free(&type);
    return conform_end(0);
}
