/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses as arrays of Fortran and as C has them, and those to be ignored, whose addresses are Fortran's (MPI 17.2.5). */
#include "conform.h"

#include <string.h>

int status_size(void), all_wrong(void);
void send_itself(MPI_Fint comm, MPI_Fint *status), send_twice(MPI_Fint comm, MPI_Fint *statuses);
void expect(MPI_Fint *status, int source, int tag, int count, int cancelled);
/* statuses_shared.c */
int shared_ignores(const MPI_Fint *status, const MPI_Fint *statuses);
MPI_Fint *shared_ignored(void);

int main(int argc, char **argv)
{
    MPI_Fint numbers[64], several[4 * 64];
    MPI_Status status;
    MPI_Request request;
    MPI_Comm comm;
    int rank, n, flag, size = status_size();

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK(size * sizeof *numbers <= sizeof numbers);
#ifdef MPI_F_STATUS_SIZE
    CHECK(size == MPI_F_STATUS_SIZE);
#endif
    send_itself(MPI_Comm_c2f(comm), numbers);
    CALL(MPI_Status_f2c(numbers, &status));
    CHECK(status.MPI_SOURCE == rank && status.MPI_TAG == 77);
    CALL(MPI_Get_count(&status, MPI_INT, &n));
    CHECK(n == 3);
#ifdef EP_MPI
    CHECK(numbers[MPI_F_SOURCE] == rank && numbers[MPI_F_TAG] == 77 && numbers[MPI_F_ERROR] == status.MPI_ERROR);
#endif
    memset(numbers, 0, sizeof numbers);
    CALL(MPI_Status_c2f(&status, numbers));
    expect(numbers, rank, 77, 3, 0);
    CALL(MPI_Irecv(&n, 1, MPI_INT, rank, 33, comm, &request));
    CALL(MPI_Cancel(&request));
    CALL(MPI_Wait(&request, &status));
    CALL(MPI_Test_cancelled(&status, &flag));
    CHECK(flag);
    CALL(MPI_Status_set_elements(&status, MPI_INT, 12));
    status.MPI_SOURCE = 5;
    status.MPI_TAG = 6;
    CALL(MPI_Status_c2f(&status, numbers));
    expect(numbers, 5, 6, 12, 1);
    send_twice(MPI_Comm_c2f(comm), several);
    expect(several, rank, 1, 1, 0);
    expect(several + size, rank, 2, 1, 0);
    send_itself(MPI_Comm_c2f(comm), MPI_F_STATUS_IGNORE);
    send_twice(MPI_Comm_c2f(comm), MPI_F_STATUSES_IGNORE);
    CHECK(shared_ignores(MPI_F_STATUS_IGNORE, MPI_F_STATUSES_IGNORE));
    CHECK(!shared_ignores(numbers, several));
    send_itself(MPI_Comm_c2f(comm), shared_ignored());
    CHECK(all_wrong() == 0);
#ifdef EP_MPI /* others overwrite what is there, or nothing happens */
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    FAILS(MPI_ERR_ARG, MPI_Status_f2c(MPI_F_STATUS_IGNORE, &status));
    FAILS(MPI_ERR_ARG, MPI_Status_f2c(MPI_F_STATUSES_IGNORE, &status));
    FAILS(MPI_ERR_ARG, MPI_Status_f2c(numbers, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_ARG, MPI_Status_c2f(MPI_STATUS_IGNORE, numbers));
    FAILS(MPI_ERR_ARG, MPI_Status_c2f(MPI_STATUSES_IGNORE, numbers));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
#endif
    CALL(MPI_Comm_free(&comm));
    return conform_end(0);
}
