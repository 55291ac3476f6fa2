/* SPDX-License-Identifier: BSD-3-Clause */
/* hang.c: programs that hang, for hang.py. EP_TEST_T endpoints per process, a thread for each.
 *   deadlock   0 receives from the last rank with tag 7, which sends to 0 synchronously with tag 9
 *   three      0 waits for 1, 1 for 2, 2 for 0, in receives with the tags 10, 11, 12; the others wait for 0 in a probe
 *   tag        1 sends to 0 with tag 8, 0 receives from 1 with tag 7
 *   barrier    all but rank 1 are in a barrier; 1 waits for a message from any source
 *   mixed      all but rank 1 are in a barrier; 1 waits for a message from 0, which will not come
 *   named      0 waits for 1 in a communicator in which they are ranks 1 and 0
 *   busy       0 receives from 1 with tag 5, 1 computes for ever
 *   end        0 sends to the last rank and ends, which does not receive
 *   home       the same with more short messages than the ring holds, and the last rank calls nothing of ep
 *   reach      says whether processes reach each other's memory, and ends
 *   fine       a ring, slower than EP_WATCHDOG allows: nothing is wrong, and it ends */
#include <ep.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../func/reach.h"

static const char *what;
static bool ends; /* without freeing: that would wait for the last rank */

static void nap(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void receive(ep_comm c, int from, int tag)
{
    int x;
    ep_recv(&x, 1, MPI_INT, from, tag, c, EP_STATUS_IGNORE);
}

static void named(ep_comm c, int rank)
{
    ep_comm reversed;
    ep_request r;
    int x;
    ep_comm_split(c, rank < 2 ? 0 : MPI_UNDEFINED, -rank, &reversed);
    if (rank >= 2)
        return;
    ep_comm_set_name(reversed, "reversed");
    if (rank == 0) {
        ep_irecv(&x, 1, MPI_INT, 0, 1, reversed, &r);
        ep_wait(&r, EP_STATUS_IGNORE);
    }
    ep_comm_free(&reversed);
}

static void rank_main(ep_comm c)
{
    int rank, size, x = 0;
    ep_comm_rank(c, &rank);
    ep_comm_size(c, &size);
    if (strcmp(what, "deadlock") == 0) {
        if (rank == 0)
            receive(c, size - 1, 7);
        else if (rank == size - 1)
            ep_ssend(&x, 1, MPI_INT, 0, 9, c);
    } else if (strcmp(what, "three") == 0) {
        if (rank < 3)
            receive(c, (rank + 1) % 3, 10 + rank);
        else
            ep_probe(0, 3, c, EP_STATUS_IGNORE);
    } else if (strcmp(what, "tag") == 0) {
        if (rank == 1)
            ep_send(&x, 1, MPI_INT, 0, 8, c);
        else if (rank == 0)
            receive(c, 1, 7);
    } else if (strcmp(what, "barrier") == 0) {
        if (rank == 1)
            receive(c, MPI_ANY_SOURCE, MPI_ANY_TAG);
        else
            ep_barrier(c);
    } else if (strcmp(what, "mixed") == 0) {
        if (rank == 1)
            receive(c, 0, 6);
        else
            ep_barrier(c);
    } else if (strcmp(what, "named") == 0) {
        named(c, rank);
    } else if (strcmp(what, "busy") == 0) {
        if (rank == 0)
            receive(c, 1, 5);
        while (rank == 1)
            nap(1000);
    } else if (ends) {
        bool home = strcmp(what, "home") == 0;
        for (int i = 0; rank == 0 && i < (home ? 2000 : 1); i++) {
            ep_request r;
            (home ? ep_isend : ep_issend)(&x, 1, MPI_INT, size - 1, 9, c, &r);
            ep_request_free(&r);
        }
        while (rank == size - 1)
            nap(1000);
    } else {
        if (rank == 0)
            nap(600);
        ep_sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &x, 1, MPI_INT, (rank + size - 1) % size, 0, c,
                    EP_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    const char *t = getenv("EP_TEST_T");
    int provided, n = t ? atoi(t) : 2;
    ep_comm *e = malloc((size_t)n * sizeof *e);
    what = argc > 1 ? argv[1] : "deadlock";
    ends = strcmp(what, "end") == 0 || strcmp(what, "home") == 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, e);
    if (strcmp(what, "reach") == 0)
        printf("memory %d\n", across_by_memory());
    fprintf(stderr, "ready\n"); /* signals are welcome */
#pragma omp parallel num_threads(n)
    {
        ep_comm mine = e[omp_get_thread_num()];
        rank_main(mine);
        if (!ends)
            ep_comm_free(&mine);
    }
    free(e);
    return MPI_Finalize();
}
