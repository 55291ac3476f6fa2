/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: flags -fopenmp */
/* Parallel regions of OpenMP in which every thread sends and receives; the ranks' teams are apart. */
#include "conform.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static int counter;

int main(int argc, char **argv)
{
    int rank, size, turn, sum = 0, all;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (turn = 0; turn < 20; turn++) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
        {
            int me = 0, in = -1, out;

#ifdef _OPENMP
            me = omp_get_thread_num();
#endif
            out = rank * 10 + me;
            CALL(MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, me, &in, 1, MPI_INT,
                              (rank + size - 1) % size, me, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(in == (rank + size - 1) % size * 10 + me);
#pragma omp atomic
            counter++;
            sum += 1;
        }
    }
    CHECK(counter == sum);
    MPI_Allreduce(&counter, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == size * sum);
    return conform_end(0);
}
