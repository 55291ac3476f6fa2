/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "config.h"
#include "grid.h"

double clock_slowest(double seconds);

int main(int argc, char **argv)
{
    int option, steps = 10, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while ((option = getopt(argc, argv, "s:")) != -1)
        steps = atoi(optarg);
    double start = MPI_Wtime();
    grid_start(MPI_COMM_WORLD, 64);
    for (int i = 0; i < steps; i++)
        grid_step();
    double sum = grid_sum(), seconds = clock_slowest(MPI_Wtime() - start);
    if (rank == 0)
        printf("heat %s: %d steps, sum %.1f, root %.3f, in time: %d\n", HEAT_VERSION, grid_steps, sum,
               sqrt(sum), seconds >= 0);
    MPI_Finalize();
    return 0;
}
