/* SPDX-License-Identifier: BSD-3-Clause */
#include "ends.h"

#include <crt.h>
#include <stdlib.h>

team_t *ends_open(int *n)
{
    int processes, process;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    *n = team_local_count();
    int *counts = xmalloc((size_t)processes * sizeof *counts);
    ep_comm *comms = xmalloc((size_t)*n * sizeof *comms);
    team_t *ends = xmalloc((size_t)*n * sizeof *ends);
    MPI_Allgather(n, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    if (!EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, *n, MPI_INFO_NULL, comms)))
        abort();
    for (int i = 0; i < *n; i++) {
        team_t *t = &ends[i];
        *t = (team_t){.comm = comms[i],
                      .index = i,
                      .local = *n,
                      .process = process,
                      .processes = processes,
                      .counts = counts};
        EXPECT_OK(ep_comm_set_errhandler(t->comm, EP_ERRORS_RETURN));
        EXPECT_OK(ep_comm_rank(t->comm, &t->rank));
        EXPECT_OK(ep_comm_size(t->comm, &t->size));
        t->random = harness_seed() + 1000003u * (uint64_t)t->rank;
    }
    if (*n == 0)
        free(counts);
    free(comms);
    return ends;
}

void ends_close(team_t *ends, int n)
{
    for (int i = 0; i < n; i++)
        if (ends[i].comm != EP_COMM_NULL)
            EXPECT_OK(ep_comm_free(&ends[i].comm));
    if (n)
        free((void *)ends->counts);
    free(ends);
}

void ends_run(team_body *body, void *arg)
{
    int n;
    team_t *ends = ends_open(&n);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
        body(&ends[i], arg);
    }
    ends_close(ends, n);
}

int effort(int n)
{
    const char *text = getenv("EP_TEST_EFFORT");
    long scaled = (text ? (long)n * atol(text) / 100 : n) / harness_slowness();
    return scaled > 0 ? (int)scaled : 1;
}

void linger(uint64_t *random, int most)
{
    for (int i = random_below(random, most + 1); i > 0; i--)
        crt_yield();
}
