/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory runs out for good where much of it is needed: lists of more than a hundred ranks, dozens of neighbours, more operations
 * under way than the library keeps memory for, many that wait for one lock. Nobody waits for ever, and who gets success has the right data.
 */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

static int all_to_all(struct trial *x, bool later)
{
    int n = x->size, rc = MPI_SUCCESS, *counts = xmalloc((size_t)n * sizeof *counts),
        *displs = xmalloc((size_t)n * sizeof *displs);
    int *in = xmalloc((size_t)n * sizeof *in), *out = xmalloc((size_t)n * sizeof *out);
    MPI_Datatype *types = xmalloc((size_t)n * sizeof *types);
    ep_request r = EP_REQUEST_NULL;
    for (int p = 0; p < n; p++) {
        counts[p] = 1;
        displs[p] = p * (int)sizeof *in;
        types[p] = MPI_INT;
        in[p] = 1000 * x->rank + p;
        out[p] = -1;
    }
    note(x, &rc,
         later ? ep_ialltoallw(in, counts, displs, types, out, counts, displs, types, x->comm, &r)
               : ep_alltoallw(in, counts, displs, types, out, counts, displs, types, x->comm));
    if (later && rc == MPI_SUCCESS)
        note(x, &rc, ep_wait(&r, EP_STATUS_IGNORE));
    for (int p = 0; p < n && rc == MPI_SUCCESS; p++)
        wrong_if(x, out[p] != 1000 * p + x->rank, "data are wrong");
    free(types);
    free(out);
    free(in);
    free(displs);
    free(counts);
    return rc;
}

static int alltoallw(struct trial *x)
{
    return all_to_all(x, false);
}

static int ialltoallw(struct trial *x)
{
    return all_to_all(x, true);
}

/* Everybody is a neighbour of everybody. */
static int neighbours(struct trial *x, bool later, bool starved)
{
    int n = x->size, rc = MPI_SUCCESS, *ranks = xmalloc((size_t)n * sizeof *ranks),
        *out = xmalloc((size_t)n * sizeof *out);
    ep_comm graph;
    ep_request r = EP_REQUEST_NULL, *eaten = NULL;
    for (int p = 0; p < n; p++)
        ranks[p] = p;
    trial_quiet(x); /* making it is another scenario */
    EXPECT_OK(ep_dist_graph_create_adjacent(x->comm, n, ranks, MPI_UNWEIGHTED, n, ranks, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, &graph));
    if (starved) /* what the creation has got from memory, too */
        eaten = trial_eat(x);
    else
        trial_arm(x);
    note(x, &rc,
         later ? ep_ineighbor_allgather(&x->rank, 1, MPI_INT, out, 1, MPI_INT, graph, &r)
               : ep_neighbor_allgather(&x->rank, 1, MPI_INT, out, 1, MPI_INT, graph));
    if (later && rc == MPI_SUCCESS)
        note(x, &rc, ep_wait(&r, EP_STATUS_IGNORE));
    for (int p = 0; p < n && rc == MPI_SUCCESS; p++)
        wrong_if(x, out[p] != p, "data are wrong");
    trial_quiet(x);
    if (starved)
        trial_digest(x, eaten);
    EXPECT_OK(ep_comm_free(&graph));
    free(out);
    free(ranks);
    return rc;
}

static int neighbors(struct trial *x)
{
    return neighbours(x, false, false);
}

static int ineighbors(struct trial *x)
{
    return neighbours(x, true, false);
}

static int neighbors_starved(struct trial *x)
{
    return neighbours(x, false, true);
}

static int ineighbors_starved(struct trial *x)
{
    return neighbours(x, true, true);
}

/* Many operations under way, and a blocking one behind them. */
static int many(struct trial *x)
{
    enum { MANY = 200, N = 400 };
    int rc = MPI_SUCCESS, (*sum)[N] = xmalloc(MANY * sizeof *sum), *one = xmalloc(N * sizeof *one);
    ep_request r[MANY];
    for (int i = 0; i < N; i++)
        one[i] = 1;
    for (int i = 0; i < MANY; i++) {
        int got = i % 2 ? ep_iallreduce(one, sum[i], N, MPI_INT, MPI_SUM, x->comm, &r[i])
                        : ep_ibarrier(x->comm, &r[i]);
        if (got != MPI_SUCCESS)
            r[i] = EP_REQUEST_NULL;
        if (rc == MPI_SUCCESS)
            rc = got;
    }
    int got = ep_allreduce(MPI_IN_PLACE, one, N, MPI_INT, MPI_SUM, x->comm);
    wrong_if(x, got == MPI_SUCCESS && one[N - 1] != x->size, "the sum is wrong");
    rc = rc ? rc : got;
    for (int i = 0; i < MANY; i++) {
        bool null = r[i] == EP_REQUEST_NULL;
        got = ep_wait(&r[i], EP_STATUS_IGNORE);
        wrong_if(x, got == MPI_SUCCESS && i % 2 && !null && sum[i][N - 1] != x->size, "a sum is wrong");
        rc = rc ? rc : got;
    }
    free(one);
    free(sum);
    return rc;
}

/* A message to and from each endpoint of the other process. */
static int large(struct trial *x)
{
    enum { N = 10000 };
    int rc = MPI_SUCCESS, *in = xmalloc(N * sizeof *in), *out = xmalloc((size_t)x->size * N * sizeof *out);
    for (int i = 0; i < N; i++)
        in[i] = x->rank + i;
    note(x, &rc, ep_allgather(in, N, MPI_INT, out, N, MPI_INT, x->comm));
    for (int p = 0; p < x->size && rc == MPI_SUCCESS; p++)
        wrong_if(x, out[p * N + N - 1] != p + N - 1, "data are wrong");
    free(out);
    free(in);
    return rc;
}

static int duplicated(struct trial *x)
{
    ep_comm dup;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_comm_dup(x->comm, &dup));
    if (rc == MPI_SUCCESS)
        EXPECT_OK(ep_comm_free(&dup));
    return rc;
}

/* All want what one has: its process keeps who waits. */
static int locks(struct trial *x)
{
    long sum = 0, one = 1;
    int rc = MPI_SUCCESS, got;
    ep_win win;
    trial_quiet(x); /* making it is another scenario */
    EXPECT_OK(ep_win_create(&sum, sizeof sum, sizeof sum, MPI_INFO_NULL, x->comm, &win));
    ep_win_set_errhandler(win, EP_ERRORS_RETURN);
    trial_arm(x);
    for (int i = 0; i < 2; i++) {
        while ((got = ep_win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win)) != MPI_SUCCESS)
            note(x, &rc, got);
        while ((got = ep_accumulate(&one, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win)) != MPI_SUCCESS)
            note(x, &rc, got);
        while ((got = ep_win_unlock(0, win)) != MPI_SUCCESS)
            note(x, &rc, got);
    }
    trial_quiet(x);
    EXPECT_OK(ep_win_free(&win));
    wrong_if(x, sum != (x->rank == 0 ? 2 * x->size : 0), "the sum is wrong");
    return rc;
}

/* A scenario after the reserve is used up. */
#define STARVED(name)                                                                                        \
    static int name##_starved(struct trial *x)                                                               \
    {                                                                                                        \
        ep_request *eaten = trial_eat(x);                                                                    \
        int rc = name(x);                                                                                    \
        trial_digest(x, eaten);                                                                              \
        return rc;                                                                                           \
    }
STARVED(alltoallw)
STARVED(ialltoallw)
STARVED(many)
STARVED(large)
STARVED(duplicated)

/* Those that need most come first, while the pools are empty. */
static const struct scenario list[] = {{.name = "neighbors starved", .run = neighbors_starved},
                                       {.name = "ineighbors starved", .run = ineighbors_starved},
                                       {.name = "alltoallw starved", .run = alltoallw_starved},
                                       {.name = "ialltoallw starved", .run = ialltoallw_starved},
                                       {.name = "many starved", .run = many_starved},
                                       {.name = "large starved", .run = large_starved},
                                       {.name = "dup starved", .run = duplicated_starved, .agrees = true},
                                       {.name = "locks", .run = locks},
                                       {.name = "alltoallw", .run = alltoallw},
                                       {.name = "ialltoallw", .run = ialltoallw},
                                       {.name = "neighbors", .run = neighbors},
                                       {.name = "ineighbors", .run = ineighbors},
                                       {.name = "many", .run = many}};

static void all(void)
{
    trials_at_once(list, (int)(sizeof list / sizeof list[0]));
}

static const harness_test tests[] = {{"crowded", NULL, all}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "alloc crowded", tests);
}
