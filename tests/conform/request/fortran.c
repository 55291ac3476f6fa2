/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests, statuses and messages as Fortran integers and back (MPI 17.2.4, 17.2.5). */
#include "../expect.h"

int main(int argc, char **argv)
{
    MPI_Request request, back;
    MPI_Status status, copy;
    MPI_Fint numbers[100], number;
    MPI_Message message;
    int in = 0, out = 9, count, flag;

    conform_init(&argc, &argv);
    CALL(MPI_Irecv(&in, 1, MPI_INT, 0, 4, MPI_COMM_SELF, &request));
    number = MPI_Request_c2f(request);
    back = MPI_Request_f2c(number);
    CHECK(back == request);
    CALL(MPI_Send(&out, 1, MPI_INT, 0, 4, MPI_COMM_SELF));
    CALL(MPI_Wait(&back, &status));
    expect_int("data", in, 9);
    CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
    CALL(MPI_Status_c2f(&status, numbers));
    memset(&copy, 0, sizeof copy);
    CALL(MPI_Status_f2c(numbers, &copy));
    expect_status("copy", &copy, 0, 4, 1);
    MPI_Get_elements(&copy, MPI_INT, &count);
    expect_int("elements", count, 1);
    MPI_Test_cancelled(&copy, &flag);
    CHECK(!flag);
    CALL(MPI_Isend(&out, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request));
    CALL(MPI_Mprobe(0, 5, MPI_COMM_SELF, &message, &status));
    number = MPI_Message_c2f(message);
    CHECK(MPI_Message_f2c(number) == message);
    CALL(MPI_Mrecv(&in, 1, MPI_INT, &message, &status));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NULL)) == MPI_MESSAGE_NULL);
    CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) == MPI_COMM_SELF);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE);
    CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);
    return conform_end(0);
}
