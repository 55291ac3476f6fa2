/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int counter_next(void);
void counter_crash(const char *how);

int main(int argc, char **argv)
{
    int size, mine, highest, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = counter_next();
    MPI_Allreduce(&mine, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    puts(highest == 1 ? "own" : highest == size ? "one for all" : "some");
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && rank == size - 1)
        counter_crash(argv[1]);
    MPI_Finalize();
    return 0;
}
