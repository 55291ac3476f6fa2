/* SPDX-License-Identifier: BSD-3-Clause */
/* In a shared library. */
#include <mpi.h>

double clock_slowest(double seconds);

double clock_slowest(double seconds)
{
    double slowest;
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}
