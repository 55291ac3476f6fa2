/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: fails openmpi mpich */
/* Called by statuses_f08_f.f90: statuses of mpi_f08 as C has them (MPI 17.2.5). Open MPI 4.1 and MPICH 4.0 have not all of it in C. */
#include "conform.h"

#include <string.h>

void in_c(MPI_F08_status *given, MPI_F08_status *changed, const MPI_Fint *rank);
/* A status of the message of three integers from this rank with tag 77; the C program changes it. */
void in_c(MPI_F08_status *given, MPI_F08_status *changed, const MPI_Fint *rank)
{
    MPI_Status status;
    MPI_Fint numbers[MPI_F_STATUS_SIZE];
    MPI_F08_status again;
    int n;

    CHECK(given->MPI_SOURCE == *rank && given->MPI_TAG == 77);
    CALL(MPI_Status_f082c(given, &status));
    CHECK(status.MPI_SOURCE == *rank && status.MPI_TAG == 77);
    CALL(MPI_Get_count(&status, MPI_INT, &n));
    CHECK(n == 3);
    CALL(MPI_Status_f082f(given, numbers));
    CHECK(numbers[MPI_F_SOURCE] == *rank && numbers[MPI_F_TAG] == 77);
    CALL(MPI_Status_f2f08(numbers, &again));
    CHECK(memcmp(&again, given, sizeof again) == 0);
    CALL(MPI_Status_f2c(numbers, &status));
    CALL(MPI_Get_count(&status, MPI_INT, &n));
    CHECK(n == 3);
    CALL(MPI_Status_set_elements(&status, MPI_INT, 1234));
    CALL(MPI_Status_set_cancelled(&status, 1));
    status.MPI_SOURCE = 8;
    status.MPI_TAG = 9;
    CALL(MPI_Status_c2f08(&status, changed));
}

void *ignored(void);
void *ignored(void)
{
    return MPI_F08_STATUS_IGNORE;
}

void *all_ignored(void);
void *all_ignored(void)
{
    return MPI_F08_STATUSES_IGNORE;
}

void refused(MPI_F08_status *given);
void refused(MPI_F08_status *given)
{
    MPI_Status status;
    MPI_F08_status f08;
    MPI_Fint numbers[MPI_F_STATUS_SIZE];

    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    FAILS(MPI_ERR_ARG, MPI_Status_f082c(MPI_F08_STATUS_IGNORE, &status));
    FAILS(MPI_ERR_ARG, MPI_Status_f082c(MPI_F08_STATUSES_IGNORE, &status));
    FAILS(MPI_ERR_ARG, MPI_Status_f082c(given, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_ARG, MPI_Status_f082c(NULL, &status));
    FAILS(MPI_ERR_ARG, MPI_Status_c2f08(MPI_STATUS_IGNORE, &f08));
    FAILS(MPI_ERR_ARG, MPI_Status_f082f(MPI_F08_STATUS_IGNORE, numbers));
    FAILS(MPI_ERR_ARG, MPI_Status_f2f08(MPI_F_STATUSES_IGNORE, &f08));
    FAILS(MPI_ERR_ARG, MPI_Status_f2f08(numbers, NULL));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}
