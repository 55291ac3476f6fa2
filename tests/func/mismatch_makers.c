/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mismatch_makers.c: EP_CHECK=1 compares calls that make something of a whole communicator (duplicates, topologies, windows)
 * with each other and with collective calls, those on neighbourhoods among them, and lets pass what fits together.
 *
 * Catches: a hang, a result that does not reach everybody or does not name both functions, and a communicator that is of no use
 * afterwards.
 */
#include "harness.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64 };

/* Each returns the error of a call on `on`, and undoes what it has made. */
typedef int function(const team_t *t, ep_comm on);

static int finish(int rc, ep_request *r)
{
    return rc == MPI_SUCCESS ? ep_wait(r, EP_STATUS_IGNORE) : rc;
}

static int undo(int rc, ep_comm *made)
{
    if (rc == MPI_SUCCESS && *made != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(made));
    return rc;
}

/* ---- makers ---- */

static int duplicate(const team_t *t, ep_comm on)
{
    ep_comm made;
    (void)t;
    return undo(ep_comm_dup(on, &made), &made);
}

static int idup(const team_t *t, ep_comm on)
{
    ep_comm made;
    ep_request r;
    (void)t;
    return undo(finish(ep_comm_idup(on, &made, &r), &r), &made);
}

static int split(const team_t *t, ep_comm on)
{
    ep_comm made;
    return undo(ep_comm_split(on, t->rank % 2, 0, &made), &made);
}

static int create(const team_t *t, ep_comm on)
{
    ep_comm made;
    ep_group group;
    (void)t;
    EXPECT_OK(ep_comm_group(on, &group));
    int rc = undo(ep_comm_create(on, group, &made), &made);
    EXPECT_OK(ep_group_free(&group));
    return rc;
}

static int ring(const team_t *t, ep_comm on)
{
    ep_comm made;
    int periodic = 1;
    return undo(ep_cart_create(on, 1, &t->size, &periodic, 0, &made), &made);
}

static int neighbours(const team_t *t, ep_comm on)
{
    ep_comm made;
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    return undo(ep_dist_graph_create_adjacent(on, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                              MPI_INFO_NULL, 0, &made),
                &made);
}

static int edges(const team_t *t, ep_comm on)
{
    ep_comm made;
    int one = 1, next = (t->rank + 1) % t->size;
    return undo(ep_dist_graph_create(on, 1, &t->rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
                &made);
}

static int window(const team_t *t, ep_comm on)
{
    static int memory[MOST];
    ep_win win;
    int rc = ep_win_create(&memory[t->rank % MOST], sizeof(int), 1, MPI_INFO_NULL, on, &win);
    if (rc == MPI_SUCCESS)
        EXPECT_OK(ep_win_free(&win));
    return rc;
}

static function *const makers[] = {duplicate, idup, split, create, ring, neighbours, edges, window};
static const char *const maker_names[] = {"ep_comm_dup(",          "ep_comm_idup(",
                                          "ep_comm_split(",        "ep_comm_create(",
                                          "ep_cart_create(",       "ep_dist_graph_create_adjacent(",
                                          "ep_dist_graph_create(", "ep_win_create("};
enum { MAKERS = sizeof makers / sizeof *makers };

/* ---- collective calls ---- */

static int barrier(const team_t *t, ep_comm on)
{
    (void)t;
    return ep_barrier(on);
}

static int ibarrier(const team_t *t, ep_comm on)
{
    ep_request r;
    (void)t;
    return finish(ep_ibarrier(on, &r), &r);
}

static int bcast(const team_t *t, ep_comm on)
{
    int value = t->rank;
    return ep_bcast(&value, 1, MPI_INT, 0, on);
}

static int iallreduce(const team_t *t, ep_comm on)
{
    int in = t->rank, out = 0;
    ep_request r;
    return finish(ep_iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, on, &r), &r);
}

static int allgather(const team_t *t, ep_comm on)
{
    int *all = calloc((size_t)t->size, sizeof *all),
        rc = ep_allgather(&t->rank, 1, MPI_INT, all, 1, MPI_INT, on);
    free(all);
    return rc;
}

static int around(const team_t *t, ep_comm on)
{
    int got[2] = {-1, -1}, rc = ep_neighbor_allgather(&t->rank, 1, MPI_INT, got, 1, MPI_INT, on);
    if (rc == MPI_SUCCESS)
        EXPECT_EQ(got[1], (t->rank + 1) % t->size);
    return rc;
}

static int iaround(const team_t *t, ep_comm on)
{
    int got[2] = {-1, -1}, two[2] = {t->rank, t->rank};
    ep_request r;
    int rc = finish(ep_ineighbor_alltoall(two, 1, MPI_INT, got, 1, MPI_INT, on, &r), &r);
    if (rc == MPI_SUCCESS)
        EXPECT_EQ(got[1], (t->rank + 1) % t->size);
    return rc;
}

static function *const calls[] = {barrier, ibarrier, bcast, iallreduce, allgather, around, iaround};
static const char *const call_names[] = {"ep_barrier(",           "ep_ibarrier(",  "ep_bcast(",
                                         "ep_iallreduce(",        "ep_allgather(", "ep_neighbor_allgather(",
                                         "ep_ineighbor_alltoall("};
enum { CALLS = sizeof calls / sizeof *calls };

/* ---- tests ---- */

/* A communicator that has neighbourhoods. */
static ep_comm on_a_ring(const team_t *t)
{
    ep_comm on = EP_COMM_NULL;
    int periodic = 1;
    EXPECT_OK(ep_cart_create(t->comm, 1, &t->size, &periodic, 0, &on));
    return on;
}

static void differ(const team_t *t, ep_comm on, function *const most, function *const stranger, int who,
                   const char *const names[2])
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length, sum = 0, one = 1, rc = (t->rank == who ? stranger : most)(t, on);
    if (EXPECT_EQ(rc, MPI_ERR_ARG)) {
        EXPECT_OK(ep_error_string(rc, text, &length));
        EXPECT_CONTAINS(text, names[0]);
        EXPECT_CONTAINS(text, names[1]);
    }
    EXPECT_OK(ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, on));
    EXPECT_EQ(sum, t->size);
}

static void crossed(team_t *t, void *arg)
{
    ep_comm on = on_a_ring(t);
    (void)arg;
    for (int m = 0; m < MAKERS && t->size > 1; m++)
        for (int k = 0; k < CALLS; k++) {
            const char *const names[2] = {maker_names[m], call_names[k]};
            differ(t, on, makers[m], calls[k], (m + k) % t->size, names);
            differ(t, on, calls[k], makers[m], (m + 2 * k) % t->size, names);
        }
    EXPECT_OK(ep_comm_free(&on));
}

static void makers_differ(team_t *t, void *arg)
{
    ep_comm on = on_a_ring(t);
    (void)arg;
    for (int m = 0; m < MAKERS && t->size > 1; m++)
        for (int k = 0; k < MAKERS; k++) {
            const char *const names[2] = {maker_names[m], maker_names[k]};
            if (m != k)
                differ(t, on, makers[m], makers[k], (m + k) % t->size, names);
        }
    EXPECT_OK(ep_comm_free(&on));
}

static void calls_differ(team_t *t, void *arg)
{
    ep_comm on = on_a_ring(t);
    (void)arg;
    for (int m = 0; m < CALLS && t->size > 1; m++)
        for (int k = 0; k < CALLS; k++) {
            const char *const names[2] = {call_names[m], call_names[k]};
            if (m != k)
                differ(t, on, calls[m], calls[k], (m + k) % t->size, names);
        }
    EXPECT_OK(ep_comm_free(&on));
}

/* Creations of groups of other sizes, and the end of a communicator. */
static void ends(team_t *t, void *arg)
{
    static const char *const names[2] = {"ep_comm_disconnect(", "ep_barrier("};
    static const char *const across[2] = {"ep_intercomm_create(", "ep_allreduce("};
    ep_comm on, made = EP_COMM_NULL;
    int sum, length;
    char text[MPI_MAX_ERROR_STRING] = "";
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &on));
    int rc = t->rank ? ep_comm_disconnect(&on) : ep_barrier(on);
    EXPECT_EQ(rc, t->size > 1 ? MPI_ERR_ARG : MPI_SUCCESS);
    for (int i = 0; i < 2 && t->size > 1; i++) {
        EXPECT_OK(ep_error_string(rc, text, &length));
        EXPECT_CONTAINS(text, names[i]);
    }
    rc = t->rank
             ? ep_intercomm_create(on, 0, t->comm, 1, 5, &made) /* nobody gets as far as the other group */
             : ep_allreduce(&t->rank, &sum, 1, MPI_INT, MPI_SUM, on);
    EXPECT_EQ(rc, t->size > 1 ? MPI_ERR_ARG : MPI_SUCCESS);
    for (int i = 0; i < 2 && t->size > 1; i++) {
        EXPECT_OK(ep_error_string(rc, text, &length));
        EXPECT_CONTAINS(text, across[i]);
    }
    EXPECT_OK(ep_comm_disconnect(&on));
}

/* What fits together passes, also while much is under way, completed in any order. */
static void sound(team_t *t, void *arg)
{
    enum { COPIES = 4, PER_COPY = 4, REQUESTS = COPIES * PER_COPY };
    ep_comm on = on_a_ring(t), copies[COPIES];
    ep_request r[REQUESTS];
    int in[2] = {t->rank, t->rank}, sums[COPIES], got[COPIES][2], first[COPIES], n = 0;
    (void)arg;
    for (int m = 0; m < MAKERS; m++)
        EXPECT_OK(makers[m](t, on));
    for (int i = 0; i < COPIES; i++) {
        first[i] = t->rank == i % t->size ? 40 + i : 0;
        EXPECT_OK(ep_comm_idup(on, &copies[i], &r[n++]));
        EXPECT_OK(ep_iallreduce(in, &sums[i], 1, MPI_INT, MPI_SUM, on, &r[n++]));
        EXPECT_OK(ep_ineighbor_alltoall(in, 1, MPI_INT, got[i], 1, MPI_INT, on, &r[n++]));
        EXPECT_OK(ep_ibcast(&first[i], 1, MPI_INT, i % t->size, on, &r[n++]));
        EXPECT_OK(around(t, on));
    }
    for (int left = n, k; left > 0; left--) {
        for (k = random_below(&t->random, n); r[k] == EP_REQUEST_NULL;)
            k = (k + 1) % n;
        EXPECT_OK(ep_wait(&r[k], EP_STATUS_IGNORE));
    }
    for (int i = 0; i < COPIES; i++) {
        EXPECT_EQ(sums[i], t->size * (t->size - 1) / 2);
        EXPECT_EQ(got[i][1], (t->rank + 1) % t->size);
        EXPECT_EQ(first[i], 40 + i);
        EXPECT_OK(ep_barrier(copies[i]));
        EXPECT_OK(ep_comm_free(&copies[i]));
    }
    EXPECT_OK(ep_comm_free(&on));
}

static const harness_test tests[] = {{"crossed", crossed, NULL},
                                     {"makers_differ", makers_differ, NULL},
                                     {"calls_differ", calls_differ, NULL},
                                     {"ends", ends, NULL},
                                     {"sound", sound, NULL}};

/* The setting is read when the library is loaded. */
int main(int argc, char **argv)
{
    if (!getenv("EP_CHECK")) {
        setenv("EP_CHECK", "1", 1);
        execv("/proc/self/exe", argv);
    }
    return HARNESS_MAIN(argc, argv, "mismatch_makers", tests);
}
