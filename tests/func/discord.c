/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discord.c: endpoints of one communicator call different functions, and nothing compares their calls beforehand
 * (EP_CHECK is off). Those that make something, and non-blocking collectives within a process, notice it themselves.
 *
 * Catches: a crash, a hang, an endpoint that is told nothing, and a communicator that is of no use afterwards.
 */
#include "harness.h"
#include <stdlib.h>
#include <string.h>

/* Each returns the error of the call, which makes nothing. */
typedef int maker(const team_t *t, ep_comm *made);

static int dup(const team_t *t, ep_comm *made)
{
    return ep_comm_dup(t->comm, made);
}

static int idup(const team_t *t, ep_comm *made)
{
    ep_request r;
    int rc = ep_comm_idup(t->comm, made, &r);
    if (rc == MPI_SUCCESS && (rc = ep_wait(&r, EP_STATUS_IGNORE)) != MPI_SUCCESS)
        *made = EP_COMM_NULL; /* undefined then */
    return rc;
}

static int split(const team_t *t, ep_comm *made)
{
    return ep_comm_split(t->comm, t->rank % 2, 0, made);
}

static int create(const team_t *t, ep_comm *made)
{
    ep_group group;
    EXPECT_OK(ep_comm_group(t->comm, &group));
    int rc = ep_comm_create(t->comm, group, made);
    EXPECT_OK(ep_group_free(&group));
    return rc;
}

static int ring(const team_t *t, ep_comm *made)
{
    int periodic = 1;
    return ep_cart_create(t->comm, 1, &t->size, &periodic, 0, made);
}

static int neighbours(const team_t *t, ep_comm *made)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    return ep_dist_graph_create_adjacent(t->comm, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                         MPI_INFO_NULL, 0, made);
}

static int across(const team_t *t, ep_comm *made)
{
    return ep_intercomm_create(t->comm, 0, t->comm, 1, 5, made);
}

static int leave(const team_t *t, ep_comm *made)
{
    ep_comm comm = t->comm;
    (void)made;
    return ep_comm_disconnect(&comm);
}

static int window(const team_t *t, ep_comm *made)
{
    static int memory[64];
    ep_win win;
    (void)made;
    return ep_win_create(&memory[t->rank], sizeof(int), 1, MPI_INFO_NULL, t->comm, &win);
}

static int own_window(const team_t *t, ep_comm *made)
{
    int *memory;
    ep_win win;
    (void)made;
    return ep_win_allocate(sizeof(int), 1, MPI_INFO_NULL, t->comm, &memory, &win);
}

/* A right call goes through. */
static void expect_sound(const team_t *t)
{
    int sum = 0, one = 1;
    ep_comm made;
    EXPECT_OK(ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, t->comm));
    EXPECT_EQ(sum, t->size);
    if (EXPECT_OK(ep_comm_dup(t->comm, &made)))
        EXPECT_OK(ep_comm_free(&made));
}

static void differ(team_t *t, maker *most, maker *stranger, int who)
{
    ep_comm made = EP_COMM_NULL;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length, rc = (t->rank == who ? stranger : most)(t, &made);
    if (EXPECT_EQ(rc, MPI_ERR_ARG)) {
        EXPECT_OK(ep_error_string(rc, text, &length));
        EXPECT_CONTAINS(text, " called ");
    }
    EXPECT_EQ(made, EP_COMM_NULL);
    expect_sound(t);
}

static void makers(team_t *t, void *arg)
{
    static maker *const all[] = {dup, split, idup, create, ring, neighbours, window, own_window, leave};
    enum { N = sizeof all / sizeof *all };
    (void)arg;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            if (i != k && t->size > 1)
                differ(t, all[i], all[k], (i + k) % t->size);
}

/* Whose own text it is, where it can be known. */
static void text(team_t *t, void *arg)
{
    ep_comm made = EP_COMM_NULL;
    char said[MPI_MAX_ERROR_STRING] = "";
    int length, rc = t->index == 0 ? split(t, &made) : idup(t, &made);
    (void)arg;
    EXPECT_EQ(rc, MPI_ERR_ARG);
    EXPECT_OK(ep_error_string(rc, said, &length));
    EXPECT_CONTAINS(said, t->index == 0 ? "called ep_comm_idup meanwhile" : "called ep_comm_split meanwhile");
}

/* The leader's process has both calls in it, or the other one has. */
static void leaders(team_t *t, void *arg)
{
    (void)arg;
    differ(t, dup, across, 0);
    differ(t, dup, across, t->size - 1);
}

/* In one process these are seen where they come together. */
static void collectives(team_t *t, void *arg)
{
    ep_request r[2];
    int value = 1, sum, all[64], first = t->index != 1;
    (void)arg;
    for (int i = 0; i < 2; i++)
        EXPECT_OK(first == i ? ep_ibarrier(t->comm, &r[i])
                             : ep_ibcast(&value, 1, MPI_INT, 0, t->comm, &r[i]));
    for (int i = 0; i < 2; i++)
        EXPECT_EQ(ep_wait(&r[i], EP_STATUS_IGNORE), MPI_ERR_ARG);
    for (int i = 0; i < 2; i++)
        EXPECT_OK(first == i ? ep_iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, t->comm, &r[i])
                             : ep_iallgather(&value, 1, MPI_INT, all, 1, MPI_INT, t->comm, &r[i]));
    for (int i = 0; i < 2; i++)
        EXPECT_EQ(ep_wait(&r[i], EP_STATUS_IGNORE), MPI_ERR_ARG);
    expect_sound(t);
}

static void within(void)
{
    int processes;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    team_run(text, NULL);
    if (processes == 1)
        team_run(collectives, NULL);
}

static const harness_test tests[] = {
    {"makers", makers, NULL},
    {"leaders", leaders, NULL},
    {"within", NULL, within},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "discord", tests);
}
