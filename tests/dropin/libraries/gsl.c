/* SPDX-License-Identifier: BSD-3-Clause */
/* GSL keeps one error handler for the process: here each rank has its own. */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_gamma.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int errors;

static void count(const char *reason, const char *file, int line, int code)
{
    (void)reason, (void)file, (void)line;
    errors += code == GSL_EDOM;
}

int main(int argc, char **argv)
{
    int rank;
    gsl_sf_result result;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank % 2)
        gsl_set_error_handler_off();
    else
        gsl_set_error_handler(count);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 10; i++)
        gsl_sf_gamma_e(-1, &result);
    printf(errors == (rank % 2 ? 0 : 10) ? "own handler\n" : "another one's handler\n");
    MPI_Finalize();
    return 0;
}
