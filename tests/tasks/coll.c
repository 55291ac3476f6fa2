/* SPDX-License-Identifier: BSD-3-Clause */
/* coll.c: collective calls of endpoints whose tasks share their threads. */
#include "ends.h"

#include <stdlib.h>

enum { LARGE = 30000 };

/* Every kind of call with n ints for each endpoint; key tells rounds apart. */
static void calls(ep_comm comm, int n, int key)
{
    int rank, size;
    EXPECT_OK(ep_comm_rank(comm, &rank));
    EXPECT_OK(ep_comm_size(comm, &size));
    int *in = xmalloc((size_t)(n * size) * sizeof *in), *out = xmalloc((size_t)(n * size) * sizeof *out);
    int last = n - 1, all = n * size - 1, root = key % size;
    for (int i = 0; i < n * size; i++)
        in[i] = rank + i + key;
    EXPECT_OK(ep_barrier(comm));
    EXPECT_OK(ep_allreduce(in, out, n, MPI_INT, MPI_SUM, comm));
    EXPECT_EQ(out[last], size * (size - 1) / 2 + size * (last + key));
    EXPECT_OK(ep_bcast(in, n, MPI_INT, root, comm));
    EXPECT_EQ(in[last], root + last + key);
    for (int i = 0; i < n * size; i++)
        in[i] = rank * 100 + i / n + key;
    EXPECT_OK(ep_alltoall(in, n, MPI_INT, out, n, MPI_INT, comm));
    EXPECT_EQ(out[0], rank + key);
    EXPECT_EQ(out[all], (size - 1) * 100 + rank + key);
    EXPECT_OK(ep_allgather(in, n, MPI_INT, out, n, MPI_INT, comm));
    EXPECT_EQ(out[all], (size - 1) * 100 + key);
    EXPECT_OK(ep_scan(in, out, n, MPI_INT, MPI_MAX, comm));
    EXPECT_EQ(out[0], rank * 100 + key);
    EXPECT_OK(ep_scatter(in, n, MPI_INT, out, n, MPI_INT, root, comm));
    EXPECT_EQ(out[last], root * 100 + rank + key);
    out[last] += 7;
    EXPECT_OK(ep_gather(out, n, MPI_INT, in, n, MPI_INT, root, comm));
    EXPECT_EQ(in[all], rank * 100 + size - 1 + key + (rank == root ? 7 : 0));
    out[0] = rank;
    EXPECT_OK(ep_reduce_scatter_block(out, in, 1, MPI_INT, MPI_SUM, comm));
    if (rank == 0)
        EXPECT_EQ(in[0], size * (size - 1) / 2);
    free(in);
    free(out);
}

static void small(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < effort(100); i++)
        calls(t->comm, t->size + i % 3, i);
}
IN_TASKS(small)

static void large(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < 4; i++)
        calls(t->comm, LARGE, i);
}
IN_TASKS(large)

static void barriers(team_t *t, void *arg)
{
    (void)arg;
    static int come;
    int rounds = effort(2000);
    for (int i = 0; i < rounds; i++) {
        __atomic_fetch_add(&come, 1, __ATOMIC_RELAXED);
        EXPECT_OK(ep_barrier(t->comm));
        EXPECT(__atomic_load_n(&come, __ATOMIC_RELAXED) >= t->local * (i + 1));
    }
    EXPECT_OK(ep_barrier(t->comm));
    if (t->index == 0)
        come = 0;
}
IN_TASKS(barriers)

/* A task for each of several communicators: all of them are in different calls at the same time. Endpoints create their
 * tasks in different orders. */
static void side_by_side(team_t *t, void *arg)
{
    (void)arg;
    enum { COMMS = 6 };
    ep_comm comms[COMMS];
    for (int i = 0; i < COMMS; i++)
        EXPECT_OK(ep_comm_dup(t->comm, &comms[i]));
    for (int k = 0; k < COMMS; k++) {
        int i = (t->rank % 2 ? k : COMMS - 1 - k), rounds = effort(15);
#pragma omp task firstprivate(i)
        for (int round = 0; round < rounds; round++)
            calls(comms[i], i % 3 == 2 ? 3000 : t->size, round + i);
    }
#pragma omp taskwait
    for (int i = 0; i < COMMS; i++)
        EXPECT_OK(ep_comm_free(&comms[i]));
}
IN_TASKS(side_by_side)

/* Non-blocking ones, several under way, whose requests several tasks wait for. */
static void nonblocking(team_t *t, void *arg)
{
    (void)arg;
    enum { K = 12 };
    for (int round = 0; round < effort(8); round++) {
        int n = round % 2 ? 5000 : t->size, *in[K], *out[K];
        ep_request r[K];
        for (int k = 0; k < K; k++) {
            in[k] = xmalloc((size_t)(n * t->size) * sizeof(int));
            out[k] = xmalloc((size_t)(n * t->size) * sizeof(int));
            for (int i = 0; i < n * t->size; i++)
                in[k][i] = t->rank * 100 + i / n + k;
            if (k % 4 == 0)
                EXPECT_OK(ep_iallreduce(in[k], out[k], n, MPI_INT, MPI_SUM, t->comm, &r[k]));
            else if (k % 4 == 1)
                EXPECT_OK(ep_ialltoall(in[k], n, MPI_INT, out[k], n, MPI_INT, t->comm, &r[k]));
            else if (k % 4 == 2)
                EXPECT_OK(ep_ibcast(in[k], n, MPI_INT, k % t->size, t->comm, &r[k]));
            else
                EXPECT_OK(ep_ibarrier(t->comm, &r[k]));
        }
        for (int k = K - 1; k >= 0; k--)
#pragma omp task firstprivate(k) shared(r, in, out)
        {
            EXPECT_OK(ep_wait(&r[k], EP_STATUS_IGNORE));
            if (k % 4 == 0)
                EXPECT_EQ(out[k][n - 1], 50 * t->size * (t->size - 1) + k * t->size);
            else if (k % 4 == 1)
                EXPECT_EQ(out[k][n * t->size - 1], (t->size - 1) * 100 + t->rank + k);
            else if (k % 4 == 2)
                EXPECT_EQ(in[k][n - 1], k % t->size * 100 + k);
            free(in[k]);
            free(out[k]);
        }
#pragma omp taskwait
    }
}
IN_TASKS(nonblocking)

/* With the neighbours in a ring. */
static void neighbours(team_t *t, void *arg)
{
    (void)arg;
    int periods = 1;
    ep_comm ring;
    EXPECT_OK(ep_cart_create(t->comm, 1, &t->size, &periods, 0, &ring));
    for (int i = 0; i < effort(50); i++) {
        int n = i % 5 == 4 ? 20000 : 1 + i % 3;
        int *in = xmalloc((size_t)n * 2 * sizeof *in), *out = xmalloc((size_t)n * 2 * sizeof *out);
        for (int k = 0; k < 2 * n; k++)
            in[k] = t->rank * 10 + k / n;
        EXPECT_OK(ep_neighbor_allgather(in, n, MPI_INT, out, n, MPI_INT, ring));
        EXPECT_EQ(out[0], left_of(t) * 10);
        EXPECT_EQ(out[2 * n - 1], right_of(t) * 10);
        ep_request r;
        EXPECT_OK(ep_ineighbor_alltoall(in, n, MPI_INT, out, n, MPI_INT, ring, &r));
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
        EXPECT_OK(ep_neighbor_alltoall(in, n, MPI_INT, out, n, MPI_INT, ring));
        EXPECT_EQ(out[n - 1], left_of(t) * 10 + 1);
        EXPECT_EQ(out[n], right_of(t) * 10);
        free(in);
        free(out);
    }
    EXPECT_OK(ep_comm_free(&ring));
}
IN_TASKS(neighbours)

/* Two groups of endpoints that share their processes and threads: even ranks and odd ranks. */
static void between(team_t *t, void *arg)
{
    (void)arg;
    if (t->size < 2)
        return;
    int side = t->rank % 2, others;
    ep_comm local, inter;
    EXPECT_OK(ep_comm_split(t->comm, side, 0, &local));
    EXPECT_OK(ep_intercomm_create(local, 0, t->comm, !side, 3, &inter));
    EXPECT_OK(ep_comm_remote_size(inter, &others));
    for (int i = 0; i < effort(20); i++) {
        int n = i % 4 == 3 ? 20000 : 2, root = side == i % 2 ? (t->rank / 2 ? MPI_PROC_NULL : MPI_ROOT) : 0;
        int *in = xmalloc((size_t)(n * others) * sizeof *in),
            *out = xmalloc((size_t)(n * others) * sizeof *out);
        for (int k = 0; k < n * others; k++)
            in[k] = t->rank + i;
        EXPECT_OK(ep_barrier(inter));
        EXPECT_OK(ep_allreduce(in, out, n, MPI_INT, MPI_SUM, inter));
        EXPECT_EQ(out[n - 1], others * (!side + i) + others * (others - 1));
        EXPECT_OK(ep_alltoall(in, n, MPI_INT, out, n, MPI_INT, inter));
        EXPECT_EQ(out[n * others - 1], !side + 2 * (others - 1) + i);
        EXPECT_OK(ep_bcast(in, n, MPI_INT, root, inter));
        EXPECT_EQ(in[n - 1], (side == i % 2 ? t->rank : !side) + i);
        /* messages, receivers first */
        int got = -1, peer = t->rank / 2;
        if (peer < others) {
#pragma omp task shared(got)
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, peer, i, inter, EP_STATUS_IGNORE));
#pragma omp task
            EXPECT_OK(ep_ssend(&t->rank, 1, MPI_INT, peer, i, inter));
#pragma omp taskwait
            EXPECT_EQ(got, t->rank ^ 1);
        }
        free(in);
        free(out);
    }
    EXPECT_OK(ep_comm_free(&inter));
    EXPECT_OK(ep_comm_free(&local));
}
IN_TASKS(between)

static int users; /* of a library that is not thread-safe */

/* The number of those that were in it beside. */
static int add_up(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    int before = users++, sum = 0, all = 0;
    for (int i = 0; i < num_args; i++)
        sum += *(int *)args[i];
    MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, mpi_comm);
    for (int i = 0; i < num_args; i++)
        *(int *)args[i] = all;
    return before + --users;
}

/* Who waits for the others, or for its turn, lets go of the thread that they need. */
static void funnels(team_t *t, void *arg)
{
    ep_funnel whole = EP_FUNNEL_NULL, own = EP_FUNNEL_NULL;
    ep_comm self = EP_COMM_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, t->rank, 0, &self));
    EXPECT_OK(ep_funnel_create(t->comm, &whole));
    EXPECT_OK(ep_funnel_create(self, &own));
    for (int i = 0; i < effort(100); i++) {
        int n = t->rank + i, others = -1;
        linger(&t->random, 3);
        EXPECT_OK(ep_funnel_call(own, add_up, &n, &others));
        EXPECT_EQ(n, t->rank + i);
        EXPECT_EQ(others, 0);
        linger(&t->random, 3);
        EXPECT_OK(ep_funnel_call(whole, add_up, &n, &others));
        EXPECT_EQ(n, t->size * (t->size - 1) / 2 + t->size * i);
        EXPECT_EQ(others, 0);
    }
    EXPECT_OK(ep_funnel_free(&own));
    EXPECT_OK(ep_funnel_free(&whole));
    EXPECT_OK(ep_comm_free(&self));
}
IN_TASKS(funnels)

static const harness_test tests[] = {{"barriers", NULL, barriers_in_tasks},
                                     {"small", NULL, small_in_tasks},
                                     {"large", NULL, large_in_tasks},
                                     {"side_by_side", NULL, side_by_side_in_tasks},
                                     {"nonblocking", NULL, nonblocking_in_tasks},
                                     {"neighbours", NULL, neighbours_in_tasks},
                                     {"between", NULL, between_in_tasks},
                                     {"funnels", NULL, funnels_in_tasks}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: collectives", tests);
}
