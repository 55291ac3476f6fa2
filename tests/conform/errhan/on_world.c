/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors that belong to no communicator (types, infos, groups, requests, keyvals) go to MPI_COMM_WORLD's handler. */
#include "conform.h"

#include <stddef.h>

static int calls;
static MPI_Comm where;

static void note(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    where = *comm;
    calls++;
}

static void returned(void)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Op op = MPI_OP_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Aint low, extent;
    int value, key = MPI_KEYVAL_INVALID, dims[2] = {0, -1};

    FAILS(MPI_ERR_TYPE, MPI_Type_commit(&type));
    FAILS(MPI_ERR_TYPE, MPI_Type_size(MPI_DATATYPE_NULL, &value));
    FAILS(MPI_ERR_TYPE, MPI_Type_get_extent(MPI_DATATYPE_NULL, &low, &extent));
    CHECK(MPI_Type_contiguous(-1, MPI_INT, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_free(&type) != MPI_SUCCESS);
    CHECK(MPI_Info_get_nkeys(MPI_INFO_NULL, &value) != MPI_SUCCESS);
    CHECK(MPI_Info_free(&info) != MPI_SUCCESS);
    CHECK(MPI_Op_free(&op) != MPI_SUCCESS);
    FAILS(MPI_ERR_REQUEST, MPI_Start(&request));
    FAILS(MPI_ERR_REQUEST, MPI_Request_free(&request));
    CHECK(MPI_Comm_free_keyval(&key) != MPI_SUCCESS);
    CHECK(MPI_Dims_create(4, 2, dims) != MPI_SUCCESS);
    CHECK(MPI_Error_class(-12345, &value) != MPI_SUCCESS || value != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Info info;
    char value[8];
    int flag;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    returned();
    MPI_Info_create(&info);
    CHECK(MPI_Info_delete(info, "missing") != MPI_SUCCESS);
    FAILS(MPI_ERR_INFO_NOKEY, MPI_Info_delete(info, "missing"));
    CALL(MPI_Info_get(info, "missing", 7, value, &flag));
    CHECK(!flag);

    CALL(MPI_Comm_create_errhandler(note, &handler));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler));
    CALL(MPI_Errhandler_free(&handler));
    CHECK(MPI_Group_free(&group) != MPI_SUCCESS);
    CHECK(calls == 1 && where == MPI_COMM_WORLD);
    CHECK(MPI_Info_delete(info, "missing") != MPI_SUCCESS);
    CHECK(calls == 2 && where == MPI_COMM_WORLD);
    CHECK(MPI_Type_size(MPI_DATATYPE_NULL, &flag) != MPI_SUCCESS);
    CHECK(calls == 3 && where == MPI_COMM_WORLD);
    MPI_Info_free(&info);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return conform_end(0);
}
