/* SPDX-License-Identifier: BSD-3-Clause */
/* Of all ranks' values. */
#include <mpi.h>
#include "names.h"

void mean_square(const double *values, const int *n, const MPI_Fint *comm, double *mean);
void mean_square(const double *values, const int *n, const MPI_Fint *comm, double *mean)
{
    int size;
    double sum = 0;
    for (int i = 0; i < *n; i++)
        sum += values[i] * values[i];
    MPI_Allreduce(&sum, mean, 1, MPI_DOUBLE, MPI_SUM, MPI_Comm_f2c(*comm));
    MPI_Comm_size(MPI_Comm_f2c(*comm), &size);
    *mean /= *n * size;
}
