/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "count.h"

int main(int argc, char *argv[])
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world.comm, &world.rank);
    MPI_Comm_size(world.comm, &world.size);
    int limit = argc > 1 ? atoi(argv[1]) : 1000;
    int primes = sum_up(count_primes(limit));
    int numbers = sum_up((int)tested);
    if (world.rank == 0)
        printf("%d primes of %d numbers\n", primes, numbers);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
