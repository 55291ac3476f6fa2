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
    CHECK(MPI_F_STATUS_IGNORE && MPI_F_STATUSES_IGNORE && MPI_F_STATUS_IGNORE != MPI_F_STATUSES_IGNORE);
#ifdef EP_MPI /* as far as a program without Fortran can have one */
    {
        MPI_F08_status f08;
        CALL(MPI_Status_c2f08(&status, &f08));
        CALL(MPI_Status_f082f(&f08, fortran));
        CALL(MPI_Status_f2f08(fortran, &f08));
        CALL(MPI_Status_f082c(&f08, &back));
        CALL(MPI_Test_cancelled(&back, &flag));
        CHECK(flag);
        CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        FAILS(MPI_ERR_ARG, MPI_Status_f2c(MPI_F_STATUS_IGNORE, &back));
        FAILS(MPI_ERR_ARG, MPI_Status_f082c(MPI_F08_STATUSES_IGNORE, &back));
    }
#endif
    return conform_end(0);
}
