/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: flags -fopenmp */
/* MPI_THREAD_SERIALIZED by critical sections: those of one rank keep no other rank out. */
#include "conform.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static int rank, size;

/* Blocks until the rank before has come this far. */
static void pass_on(int tag)
{
    int in = -1;

    if (rank > 0)
        CALL(MPI_Recv(&in, 1, MPI_INT, rank - 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (rank + 1 < size)
        CALL(MPI_Send(&rank, 1, MPI_INT, rank + 1, tag, MPI_COMM_WORLD));
    CHECK(in == rank - 1);
}

int main(int argc, char **argv)
{
    int turn, ordered_sum = 0, expected = 0;

    conform_init_thread(&argc, &argv, MPI_THREAD_SERIALIZED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (turn = 0; turn < 10; turn++) {
#pragma omp parallel num_threads(2)
        {
#pragma omp critical
            pass_on(1);
#pragma omp critical(named)
            pass_on(2);
#pragma omp single
            pass_on(3);
#pragma omp master
            pass_on(4);
#pragma omp barrier
#pragma omp for ordered
            for (int i = 0; i < 4; i++) {
#pragma omp ordered
                {
                    pass_on(5);
                    ordered_sum += i;
                }
            }
        }
        expected += 6;
    }
    CHECK(ordered_sum == expected);
    return conform_end(0);
}
