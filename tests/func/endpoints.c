/* SPDX-License-Identifier: BSD-3-Clause */
/* endpoints.c: creating endpoints on all kinds of parents, and what a communicator knows about itself. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

/* A ring in both directions: proves that ranks, size and traffic belong together. */
static void ring(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size, got = -1;
    (void)arg;
    EXPECT_OK(
        ep_sendrecv(&t->rank, 1, MPI_INT, next, 1, &got, 1, MPI_INT, before, 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(got, before);
    EXPECT_OK(
        ep_sendrecv(&t->rank, 1, MPI_INT, before, 2, &got, 1, MPI_INT, next, 2, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(got, next);
}

static void rank_order(team_t *t, void *arg)
{
    int first = 0, total = 0, inter = -1;
    (void)arg;
    for (int p = 0; p < t->processes; p++) {
        first += p < t->process ? t->counts[p] : 0;
        total += t->counts[p];
    }
    EXPECT_EQ(t->rank, first + t->index);
    EXPECT_EQ(t->size, total);
    EXPECT_OK(ep_comm_test_inter(t->comm, &inter));
    EXPECT_EQ(inter, 0);
    ring(t, NULL);
}

static int world_rank(int *size)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    return rank;
}

/* Counts that differ from process to process and from round to round, with zeros among them. */
static void differing_counts(void)
{
    int size, rank = world_rank(&size);
    for (int round = 0; round < 4; round++) {
        int n = round == 3 ? (rank == size - 1 ? 5 : 0) : (rank + round) % 3 + (rank == round % size);
        ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
        if (EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms)))
            team_run_on(comms, n, 0, rank_order, NULL);
        free(comms);
        team_verdict();
    }
}

/* In each communicator rank r counts to parent rank and index by the rules of ep.h. */
static void check_ranks(MPI_Comm parent, ep_comm comms[], int n)
{
    int first = 0, total = 0, size = -1, rank = -1;
    MPI_Exscan(&n, &first, 1, MPI_INT, MPI_SUM, parent);
    MPI_Allreduce(&n, &total, 1, MPI_INT, MPI_SUM, parent);
    MPI_Comm_rank(parent, &rank);
    if (rank == 0)
        first = 0;
    for (int i = 0; i < n; i++) {
        EXPECT_OK(ep_comm_rank(comms[i], &rank));
        EXPECT_OK(ep_comm_size(comms[i], &size));
        EXPECT_EQ(rank, first + i);
        EXPECT_EQ(size, total);
    }
}

static void message_between(ep_comm from, ep_comm to, int value)
{
    ep_request request;
    int source, dest, got = -1;
    EXPECT_OK(ep_comm_rank(from, &source));
    EXPECT_OK(ep_comm_rank(to, &dest));
    EXPECT_OK(ep_irecv(&got, 1, MPI_INT, source, 3, to, &request));
    EXPECT_OK(ep_send(&value, 1, MPI_INT, dest, 3, from));
    EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(got, value);
}

/* Endpoints on a parent; the main thread plays all of them, which any thread may. */
static void on_parent(MPI_Comm parent, int n)
{
    ep_comm comms[8];
    if (!EXPECT_OK(ep_comm_create_endpoints(parent, n, MPI_INFO_NULL, comms)))
        return;
    check_ranks(parent, comms, n);
    for (int i = 0; i < n; i++)
        message_between(comms[i], comms[n - 1 - i], 10 * i + n);
    for (int i = 0; i < n; i++) {
        EXPECT_OK(ep_comm_free(&comms[i]));
        EXPECT(comms[i] == EP_COMM_NULL);
    }
}

static void parents(void)
{
    int size, rank = world_rank(&size), reorder = 0;
    MPI_Comm comm;
    on_parent(MPI_COMM_SELF, 3);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    on_parent(comm, 2);
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm); /* reversed */
    on_parent(comm, 2);
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
    on_parent(comm, 1 + rank % 2);
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &comm);
    if (comm != MPI_COMM_NULL) {
        on_parent(comm, 4);
        MPI_Comm_free(&comm);
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &reorder, 0, &comm);
    on_parent(comm, 2);
    MPI_Comm_free(&comm);
}

/* The parent is not kept: endpoints live on when it is freed. */
static void parent_freed(void)
{
    int n = team_local_count();
    ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
    MPI_Comm parent;
    MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    int ok = EXPECT_OK(ep_comm_create_endpoints(parent, n, MPI_INFO_NULL, comms));
    MPI_Comm_free(&parent);
    if (ok)
        team_run_on(comms, n, 0, ring, NULL);
    free(comms);
}

/* Same tags and ranks in several sets of endpoints on one parent: no message strays. */
static void several_sets(team_t *t, void *arg)
{
    ep_comm *others = arg;
    ep_comm mine[3] = {t->comm, others[t->index], others[t->local + t->index]};
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    for (int s = 0; s < 3; s++) {
        int value = 1000 * s + t->rank;
        EXPECT_OK(ep_send(&value, 1, MPI_INT, next, 5, mine[s]));
    }
    for (int s = 2; s >= 0; s--) {
        int got = -1, flag = 1;
        EXPECT_OK(ep_recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, mine[s], EP_STATUS_IGNORE));
        EXPECT_EQ(got, 1000 * s + before);
        EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, mine[s], &flag, EP_STATUS_IGNORE));
        EXPECT_EQ(flag, 0);
    }
    EXPECT_OK(ep_comm_free(&mine[1]));
    team_barrier(t); /* all have looked: set 0 may be used again */
    ring(t, NULL);   /* the others stay whole */
    EXPECT_OK(ep_comm_free(&mine[2]));
}

static void sets_on_one_parent(void)
{
    int n = team_local_count();
    ep_comm *comms = xmalloc(3 * (size_t)n * sizeof *comms);
    int ok = 1;
    for (int s = 0; s < 3; s++)
        ok &= EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms + s * n));
    if (ok)
        team_run_on(comms, n, 0, several_sets, comms + n);
    free(comms);
}

/* One process asks for -1 endpoints: all are told, and the next creation works. */
static void negative_count(void)
{
    int size, rank = world_rank(&size);
    ep_errhandler before = EP_ERRHANDLER_NULL;
    EXPECT_OK(ep_comm_get_errhandler(EP_COMM_WORLD, &before));
    EXPECT(before == EP_ERRORS_ARE_FATAL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    for (int bad = 0; bad < size; bad++) {
        ep_comm comms[2];
        EXPECT_RC(ep_comm_create_endpoints(MPI_COMM_WORLD, rank == bad ? -1 : 2, MPI_INFO_NULL, comms),
                  MPI_ERR_ARG);
    }
    EXPECT_RC(ep_comm_create_endpoints(MPI_COMM_WORLD, 0, MPI_INFO_NULL, NULL),
              MPI_ERR_ARG); /* nobody has one */
    EXPECT_RC(ep_comm_create_endpoints(MPI_COMM_NULL, 1, MPI_INFO_NULL, &(ep_comm){0}), MPI_ERR_COMM);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, before));
    team_run(ring, NULL);
}

/* One process asks for so many that nobody can have them: all are told at once, before anybody takes memory for them. */
static void too_many(void)
{
    int size, rank = world_rank(&size);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    for (int bad = 0; bad < size; bad++) {
        ep_comm comms[2]; /* not touched */
        EXPECT_RC(ep_comm_create_endpoints(MPI_COMM_WORLD, rank == bad ? 1 << 30 : 2, MPI_INFO_NULL, comms),
                  size == 1 ? MPI_ERR_NO_MEM : MPI_ERR_ARG);
    }
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
    team_run(ring, NULL);
}

/* Messages on their way and receives already posted outlive the sender's handle. */
static void free_with_traffic(team_t *t, void *arg)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    unsigned char small[100], *big = xmalloc(300000), *in = xmalloc(300000);
    ep_request requests[2];
    (void)arg;
    fill(small, sizeof small, (unsigned)t->rank);
    fill(big, 300000, (unsigned)t->rank + 50);
    EXPECT_OK(ep_send(small, sizeof small, MPI_BYTE, next, 1, t->comm));
    EXPECT_OK(ep_irecv(in, 300000, MPI_BYTE, before, 2, t->comm, &requests[0]));
    EXPECT_OK(ep_isend(big, 300000, MPI_BYTE, next, 2, t->comm, &requests[1]));
    EXPECT_OK(ep_recv(small, sizeof small, MPI_BYTE, before, 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_FILLED(small, sizeof small, (unsigned)before);
    EXPECT_OK(ep_comm_free(&t->comm));
    EXPECT_OK(ep_waitall(2, requests, EP_STATUSES_IGNORE));
    EXPECT_FILLED(in, 300000, (unsigned)before + 50);
    free(in);
    free(big);
}

static void create_free_often(void)
{
    int n = team_local_count(), rounds = 40 / harness_slowness() + 1;
    ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
    for (int round = 0; round < rounds; round++) {
        if (!EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms)))
            break;
        for (int i = 0; i < n; i++)
            EXPECT_OK(ep_comm_free(&comms[(i + round) % n]));
    }
    free(comms);
    team_run(ring, NULL);
}

static const harness_test tests[] = {
    {"ranks in order", rank_order, NULL},
    {"counts differ, zeros", NULL, differing_counts},
    {"all kinds of parents", NULL, parents},
    {"parent is freed", NULL, parent_freed},
    {"several sets on one parent", NULL, sets_on_one_parent},
    {"negative count", NULL, negative_count},
    {"too many", NULL, too_many},
    {"free with traffic", free_with_traffic, NULL},
    {"create and free often", NULL, create_free_often},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "endpoints", tests);
}
