/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c: a token goes round all threads of all processes.    mpirun -n 2 ring */
#include <ep.h>
#include <omp.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int provided;
    ep_comm endpoints[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    ep_comm_create_endpoints(MPI_COMM_WORLD, 4, MPI_INFO_NULL, endpoints);
#pragma omp parallel num_threads(4)
    {
        ep_comm world = endpoints[omp_get_thread_num()]; /* from here on, this thread is a rank */
        int rank, size, token = 0;
        ep_comm_rank(world, &rank);
        ep_comm_size(world, &size);
        if (rank > 0)
            ep_recv(&token, 1, MPI_INT, rank - 1, 0, world, EP_STATUS_IGNORE);
        token++;
        ep_send(&token, 1, MPI_INT, (rank + 1) % size, 0, world);
        if (rank == 0) {
            ep_recv(&token, 1, MPI_INT, size - 1, 0, world, EP_STATUS_IGNORE);
            printf("the token has met %d of %d endpoints\n", token, size);
        }
        ep_comm_free(&world);
    }
    return MPI_Finalize();
}
