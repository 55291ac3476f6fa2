/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.c: programs for stats.py, which looks at what EP_STATS=1 prints when they end.
 *   ring    4 endpoints per process on MPI_COMM_WORLD: each sends 3 messages of 8 bytes to the next rank and receives them
 *   alone   the same within each process: endpoints on MPI_COMM_SELF
 *   twice   ring, and ring again with new endpoints
 *   both    alone, and then ring
 *   open    ring, and the endpoints are never freed
 *   wide    a ring of 13 endpoints per process
 *   ours    ring in a program that lets ep start and end MPI
 *   none    no endpoints at all */
#include <ep.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 13, TIMES = 3 };

/* One thread for all: sends of 8 bytes do not wait. */
static void ring(ep_comm e[], int n)
{
    long long x = 0;
    int rank, size;
    for (int i = 0; i < n; i++) {
        ep_comm_rank(e[i], &rank);
        ep_comm_size(e[i], &size);
        for (int k = 0; k < TIMES; k++)
            ep_send(&x, 1, MPI_LONG_LONG, (rank + 1) % size, 0, e[i]);
    }
    for (int i = 0; i < n; i++) {
        ep_comm_rank(e[i], &rank);
        ep_comm_size(e[i], &size);
        for (int k = 0; k < TIMES; k++)
            ep_recv(&x, 1, MPI_LONG_LONG, (rank + size - 1) % size, 0, e[i], EP_STATUS_IGNORE);
    }
}

static void run(MPI_Comm parent, int n, int keep)
{
    ep_comm e[MOST];
    ep_comm_create_endpoints(parent, n, MPI_INFO_NULL, e);
    ring(e, n);
    for (int i = 0; i < n && !keep; i++)
        ep_comm_free(&e[i]);
}

int main(int argc, char **argv)
{
    int provided;
    const char *what = argc > 1 ? argv[1] : "ring";
    int ours = strcmp(what, "ours") == 0;
    if (ours)
        ep_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (strcmp(what, "none") != 0)
        run(strcmp(what, "alone") == 0 || strcmp(what, "both") == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD,
            strcmp(what, "wide") == 0 ? MOST : 4, strcmp(what, "open") == 0);
    if (strcmp(what, "twice") == 0 || strcmp(what, "both") == 0)
        run(MPI_COMM_WORLD, 4, 0);
    if (ours)
        ep_finalize();
    else
        MPI_Finalize();
    return 0;
}
