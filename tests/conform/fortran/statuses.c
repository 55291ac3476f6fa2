/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses to Fortran and back keep source, tag, count and cancellation. */
#include "conform.h"

int main(int argc, char **argv)
{
    MPI_Status status, back;
    MPI_Fint fortran[64];
    int rank, size, in[4], out[3] = {1, 2, 3}, n, flag;
    MPI_Request request;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(sizeof fortran >= sizeof status);
    CALL(MPI_Sendrecv(out, 3, MPI_INT, (rank + 1) % size, 9, in, 4, MPI_INT, (rank + size - 1) % size, 9,
                      MPI_COMM_WORLD, &status));
    CALL(MPI_Status_c2f(&status, fortran));
    CALL(MPI_Status_f2c(fortran, &back));
    CHECK(back.MPI_SOURCE == (rank + size - 1) % size && back.MPI_TAG == 9);
    CALL(MPI_Get_count(&back, MPI_INT, &n));
    CHECK(n == 3);
    CALL(MPI_Test_cancelled(&back, &flag));
    CHECK(!flag);
    CALL(MPI_Irecv(in, 4, MPI_INT, rank, 33, MPI_COMM_WORLD, &request));
    CALL(MPI_Cancel(&request));
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Status_c2f(&status, fortran));
    CALL(MPI_Status_f2c(fortran, &back));
    CALL(MPI_Test_cancelled(&back, &flag));
    CHECK(flag);
    return conform_end(0);
}
