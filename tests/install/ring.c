/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c: a token goes round four endpoints, each adds its rank. C and C++. */
#include <ep.h>
#include <stdio.h>

static int ring(ep_comm world, void *sum)
{
    int rank, size, token = 0;
    ep_comm_rank(world, &rank);
    ep_comm_size(world, &size);
    if (rank > 0)
        ep_recv(&token, 1, MPI_INT, rank - 1, 0, world, EP_STATUS_IGNORE);
    token += rank;
    ep_send(&token, 1, MPI_INT, (rank + 1) % size, 0, world);
    if (rank == 0)
        ep_recv((int *)sum, 1, MPI_INT, size - 1, 0, world, EP_STATUS_IGNORE);
    return 0;
}

int main(void)
{
    int sum = 0, rc = ep_run(4, ring, &sum);
    printf("%d\n", sum);
    return rc != 0;
}
