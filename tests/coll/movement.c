/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * movement.c: collectives that move data, on the communicator of all endpoints.
 *
 * Catches: blocks of the wrong rank, datatypes that are used with the other side's layout, bytes touched between
 * blocks, blocks of no data with null pointers, algorithms for a size or root that are wrong where another begins.
 */
#include "sweeps.h"
#include <stdlib.h>
#include <string.h>

enum { N = 30000 };

static void all_forms(team_t *t, void *arg)
{
    seat s = seat_on(t->comm);
    (void)arg;
    sweep_movement(&s, SWEEP_FULL);
}

/* Sizes around where one way of doing it ends and another begins. */
static void edges(team_t *t, void *arg)
{
    static const int sizes[] = {4, 5, 7, 8, 9, 15, 16, 17, 127, 128, 129, 1023, 1024, 1025, 4096, 8191, 8193};
    seat s = seat_on(t->comm);
    (void)arg;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = BCAST; kind < REDUCE; kind++) {
            coll_plan p = {.kind = (coll_kind)kind, .units = sizes[i], .seed = i, .root = (int)i % s.n[0]};
            p.mixed = (int)i % 2;
            collective(&s, &p);
        }
}

/* No data at all: null pointers and null types' elements are fine. */
static void nothing(team_t *t, void *arg)
{
    int *zeros = xmalloc((size_t)t->size * sizeof(int));
    MPI_Datatype *types = xmalloc((size_t)t->size * sizeof *types);
    ep_comm c = t->comm;
    (void)arg;
    memset(zeros, 0, (size_t)t->size * sizeof(int));
    for (int r = 0; r < t->size; r++) {
        types[r] = MPI_INT;
        EXPECT_OK(ep_bcast(NULL, 0, MPI_INT, r, c));
        EXPECT_OK(ep_gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, r, c));
        EXPECT_OK(ep_gatherv(NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, r, c));
        EXPECT_OK(ep_scatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, r, c));
        EXPECT_OK(ep_scatterv(NULL, zeros, zeros, MPI_INT, NULL, 0, MPI_INT, r, c));
    }
    EXPECT_OK(ep_allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, c));
    EXPECT_OK(ep_allgatherv(NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, c));
    EXPECT_OK(ep_alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, c));
    EXPECT_OK(ep_alltoallv(NULL, zeros, zeros, MPI_INT, NULL, zeros, zeros, MPI_INT, c));
    EXPECT_OK(ep_alltoallw(NULL, zeros, zeros, types, NULL, zeros, zeros, types, c));
    free(zeros);
    free(types);
}

/* One element of a large type and a large number of elements of a small one have the same signature; so have
 * types that are sent as one and received as the other. */
static void few_and_many(team_t *t, void *arg)
{
    MPI_Datatype whole = *(MPI_Datatype *)arg;
    char *bytes = xmalloc(N);
    for (int root = 0; root < t->size; root++) {
        int one = (t->rank + root) % 2;
        if (t->rank == root)
            fill(bytes, N, (unsigned)root);
        else
            memset(bytes, 0, N);
        EXPECT_OK(ep_bcast(bytes, one ? 1 : N, one ? whole : MPI_CHAR, root, t->comm));
        EXPECT_FILLED(bytes, N, (unsigned)root);
    }
    free(bytes);
}

static void with_oracle(team_body *body)
{
    oracle_open();
    team_run(body, NULL);
    oracle_close();
}

static void run_all_forms(void)
{
    with_oracle(all_forms);
}

static void run_edges(void)
{
    with_oracle(edges);
}

static void run_few_and_many(void)
{
    MPI_Datatype whole;
    MPI_Type_contiguous(N, MPI_CHAR, &whole);
    MPI_Type_commit(&whole);
    team_run(few_and_many, &whole);
    MPI_Type_free(&whole);
}

static const harness_test tests[] = {
    {"all forms", NULL, run_all_forms},
    {"edges", NULL, run_edges},
    {"nothing", nothing, NULL},
    {"few and many", NULL, run_few_and_many},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "movement", tests);
}
