/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: status 3 */
/* What main returns after MPI_Finalize is the status of the job. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 3;
}
