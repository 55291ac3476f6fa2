/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c: a token goes round all threads of all processes.    ./ring   or   mpirun -n 2 ./ring */
#include <ep.h>
#include <stdio.h>

static int ring(ep_comm world, void *greeting)
{
    int rank, size, token = 0;
    ep_comm_rank(world, &rank); /* each thread is a rank */
    ep_comm_size(world, &size);
    if (rank > 0)
        ep_recv(&token, 1, MPI_INT, rank - 1, 0, world, EP_STATUS_IGNORE);
    token++;
    ep_send(&token, 1, MPI_INT, (rank + 1) % size, 0, world);
    if (rank == 0) {
        ep_recv(&token, 1, MPI_INT, size - 1, 0, world, EP_STATUS_IGNORE);
        printf("%s: the token has met %d of %d endpoints\n", (char *)greeting, token, size);
    }
    return 0;
}

int main(void)
{
    return ep_run(4, ring, "4 threads per process");
}
