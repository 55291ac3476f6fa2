/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles to Fortran and back: communicators, groups, types, operators, infos, requests, error handlers. */
#include "conform.h"

static void communicators(void)
{
    MPI_Comm comm, back;
    int is_inter;

    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
    CHECK(MPI_Comm_c2f(MPI_COMM_WORLD) != MPI_Comm_c2f(MPI_COMM_SELF));
    while (conform_comm(&comm, &is_inter)) {
        back = MPI_Comm_f2c(MPI_Comm_c2f(comm));
        if (back != comm)
            conform_error("%s comes back as another", conform_comm_name());
        if (comm != MPI_COMM_NULL)
            CHECK(MPI_Comm_c2f(comm) == MPI_Comm_c2f(back));
        conform_free_comm(&comm);
    }
}

static void groups(void)
{
    MPI_Group group, back;
    int size, again;

    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_NULL)) == MPI_GROUP_NULL);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    back = MPI_Group_f2c(MPI_Group_c2f(group));
    CHECK(back == group);
    MPI_Group_size(group, &size);
    MPI_Group_size(back, &again);
    CHECK(size == again);
    MPI_Group_free(&group);
}

static void requests(void)
{
    MPI_Request request, back;
    MPI_Fint number;
    int in = 0, out = 3;

    CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    number = MPI_Request_c2f(request);
    CHECK(number != MPI_Request_c2f(MPI_REQUEST_NULL));
    MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    back = MPI_Request_f2c(number);
    CHECK(back == request);
    CALL(MPI_Wait(&back, MPI_STATUS_IGNORE));
    CHECK(back == MPI_REQUEST_NULL && in == 3);
}

static void others(void)
{
    MPI_Datatype type;
    MPI_Info info;
    MPI_Errhandler handler;

    MPI_Type_contiguous(2, MPI_INT, &type);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(type)) == type);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_DATATYPE_NULL)) == MPI_DATATYPE_NULL);
    MPI_Type_free(&type);
    CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
    CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_OP_NULL)) == MPI_OP_NULL);
    MPI_Info_create(&info);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(info)) == info);
    MPI_Info_free(&info);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
    CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
    handler = MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRHANDLER_NULL));
    CHECK(handler == MPI_ERRHANDLER_NULL);
    CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NULL)) == MPI_MESSAGE_NULL);
    CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    communicators();
    groups();
    requests();
    others();
    return conform_end(0);
}
