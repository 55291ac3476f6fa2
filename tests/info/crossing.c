/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two threads create endpoints on two duplicates of the world, and what all processes share for a setting (EP_WATCHDOG) is asked
 * for first by the one in process 0 and by the other in process 1: neither may wait for the other. The calls of MPI that the
 * library makes in between hold the threads in this order.
 */
#include <ep.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

enum { PARENTS = 2 };

static MPI_Comm parent[PARENTS];
static int first;                 /* whose thread goes first here */
static atomic_bool asked;         /* it is where all processes meet */
static _Thread_local int of = -1; /* the calling thread's parent, while it creates */

/* The last that creation calls before that. */
int MPI_Comm_free(MPI_Comm *comm)
{
    int rc = PMPI_Comm_free(comm);
    while (of >= 0 && of != first && !atomic_load(&asked))
        sched_yield();
    return rc;
}

int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result)
{
    if (of == first)
        atomic_store(&asked, true);
    return PMPI_Comm_compare(a, b, result);
}

static void use(ep_comm c)
{
    int one = 1, sum = 0, size;
    ep_comm_size(c, &size);
    ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c);
    if (sum != size) {
        fprintf(stderr, "wrong: %d of %d\n", sum, size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ep_comm_free(&c);
}

static void create(int i)
{
    ep_comm c;
    of = i;
    ep_comm_create_endpoints(parent[i], 1, MPI_INFO_NULL, &c);
    of = -1;
    use(c);
}

int main(int argc, char **argv)
{
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    first = rank % PARENTS;
    atomic_store(&asked, provided < MPI_THREAD_MULTIPLE);
    for (int i = 0; i < PARENTS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &parent[i]);
    if (provided == MPI_THREAD_MULTIPLE) {
#pragma omp parallel num_threads(PARENTS)
        create(omp_get_thread_num());
    }
    create(0); /* now one after the other */
    for (int i = 0; i < PARENTS; i++)
        MPI_Comm_free(&parent[i]);
    MPI_Finalize();
    return 0;
}
