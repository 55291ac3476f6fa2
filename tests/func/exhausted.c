/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exhausted.c: MPI makes no communicator any more. Of MPI's calls that make one the n-th fails, in all processes or in one of them,
 * for every n that a function of ep comes to: then no endpoint gets anything, MPI has as many communicators as before,
 * and all goes on. A call "fails" after MPI has made what other processes may then have.
 */
#include "harness.h"

#include <stdatomic.h>
#include <string.h>

enum { NOWHERE = -1, EVERYWHERE = -2 };

static atomic_int calls, fails_at; /* since it was armed; 0: never */
static atomic_int live;            /* communicators made and not freed */
static int here;                   /* rank in MPI_COMM_WORLD */
static int victim = NOWHERE;

static int fails(void)
{
    return atomic_fetch_add(&calls, 1) + 1 == atomic_load(&fails_at) &&
           (victim == EVERYWHERE || victim == here);
}

/* The call returned rc and made *c. */
static int outcome(int rc, MPI_Comm *c, int fail)
{
    if (rc != MPI_SUCCESS || *c == MPI_COMM_NULL)
        return fail ? MPI_ERR_INTERN : rc;
    if (!fail) {
        atomic_fetch_add(&live, 1);
        return rc;
    }
    MPI_Comm useless = *c;
    PMPI_Comm_free(&useless);
    *c = (MPI_Comm)(size_t)64; /* of no use, as after some failures of MPI */
    return MPI_ERR_INTERN;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    int fail = fails();
    return outcome(PMPI_Comm_dup(comm, made), made, fail);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    int fail = fails();
    return outcome(PMPI_Comm_split(comm, color, key, made), made, fail);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
{
    int fail = fails();
    return outcome(PMPI_Comm_split_type(comm, type, key, info, made), made, fail);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
{
    int fail = fails();
    return outcome(PMPI_Comm_create_group(comm, group, tag, made), made, fail);
}

int MPI_Intercomm_create(MPI_Comm mine, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *made)
{
    int fail = fails();
    return outcome(PMPI_Intercomm_create(mine, leader, peer, remote, tag, made), made, fail);
}

int MPI_Intercomm_merge(MPI_Comm inter, int high, MPI_Comm *made)
{
    int fail = fails();
    return outcome(PMPI_Intercomm_merge(inter, high, made), made, fail);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    atomic_fetch_sub(&live, 1);
    return PMPI_Comm_free(comm);
}

/* ---- what makes communicators ---- */

static int dup(team_t *t, ep_comm *made)
{
    return ep_comm_dup(t->comm, made);
}

static int idup(team_t *t, ep_comm *made)
{
    ep_request r;
    int rc = ep_comm_idup(t->comm, made, &r);
    return rc == MPI_SUCCESS ? ep_wait(&r, EP_STATUS_IGNORE) : rc;
}

static int split(team_t *t, ep_comm *made)
{
    return ep_comm_split(t->comm, 0, -t->rank, made);
}

static int create(team_t *t, ep_comm *made)
{
    ep_group all;
    ep_comm_group(t->comm, &all);
    int rc = ep_comm_create(t->comm, all, made);
    ep_group_free(&all);
    return rc;
}

static int create_group(team_t *t, ep_comm *made)
{
    ep_group all;
    ep_comm_group(t->comm, &all);
    int rc = ep_comm_create_group(t->comm, all, 3, made);
    ep_group_free(&all);
    return rc;
}

static int cart(team_t *t, ep_comm *made)
{
    int periodic = 1;
    return ep_cart_create(t->comm, 1, &t->size, &periodic, 0, made);
}

static ep_comm sides[512], inters[512]; /* by rank: half of all, and an intercommunicator of the halves */

static int intercomm(team_t *t, ep_comm *made)
{
    return ep_intercomm_create(sides[t->rank], 0, t->comm, 1 - t->rank % 2, 4, made);
}

static int inter_dup(team_t *t, ep_comm *made)
{
    return ep_comm_dup(inters[t->rank], made);
}

static int merge(team_t *t, ep_comm *made)
{
    return ep_intercomm_merge(inters[t->rank], t->rank % 2, made);
}

/* Of endpoints that were made by each process for itself. */
static ep_comm own[512];

static int cross(team_t *t, ep_comm *made)
{
    int first = 0;
    if (t->process > 0)
        while (team_process_of(t, first) != 1)
            first++;
    if (t->process > 1) /* two groups: the others have nothing to do */
        return MPI_SUCCESS;
    int there = 0;
    if (t->process == 0)
        while (team_process_of(t, there) != 1)
            there++;
    return ep_intercomm_create(own[t->index], 0, t->comm, there, 5, made);
}

static const struct way {
    const char *name;
    int (*make)(team_t *t, ep_comm *made);
    int inter;
} ways[] = {{"dup", dup, 0},
            {"idup", idup, 0},
            {"split", split, 0},
            {"create", create, 0},
            {"create_group", create_group, 0},
            {"cart", cart, 0},
            {"intercomm", intercomm, 1},
            {"inter_dup", inter_dup, 1},
            {"merge", merge, 0},
            {"cross", cross, 1}};
enum { WAYS = sizeof ways / sizeof *ways, CALLS_MOST = 60 };

/* ---- trying ---- */

static int most(team_t *t, int mine)
{
    int all = 0;
    EXPECT_OK(ep_allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, t->comm));
    return all;
}

static void arm(team_t *t, int n, int who)
{
    team_barrier(t);
    if (t->index == 0) {
        victim = who;
        atomic_store(&fails_at, n);
        atomic_store(&calls, 0);
    }
    team_barrier(t);
}

/* One that was made works. */
static void use(team_t *t, ep_comm *made)
{
    (void)t;
    int inter;
    if (*made == EP_COMM_NULL)
        return;
    EXPECT_OK(ep_comm_test_inter(*made, &inter));
    EXPECT_OK(ep_barrier(*made));
    EXPECT_OK(ep_comm_free(made));
}

/* True if the n-th call was made and failed. */
static int attempt(team_t *t, const struct way *w, int n, int who)
{
    ep_comm made = EP_COMM_NULL;
    int before = atomic_load(&live);
    arm(t, n, who);
    int rc = w->make(t, &made);
    int worst = most(t, rc), came = most(t, atomic_load(&calls) >= n && (who == EVERYWHERE || who == here));
    arm(t, 0, NOWHERE);
    if (came && rc != MPI_SUCCESS) {
        EXPECT(w->make == idup || made == EP_COMM_NULL);
        made = EP_COMM_NULL;
        char text[MPI_MAX_ERROR_STRING];
        int bytes;
        ep_error_string(rc, text, &bytes);
        EXPECT_CONTAINS(text, "context ids");
    }
    if (came && (w->make != cross || t->process < 2))
        EXPECT_RC(rc, MPI_ERR_INTERN);
    EXPECT_EQ(worst != MPI_SUCCESS, came);
    use(t, &made);
    team_barrier(t);
    EXPECT_EQ(atomic_load(&live), before);
    EXPECT_OK(ep_barrier(t->comm));
    return came;
}

static void try(team_t *t, const struct way *w, int who)
{
    int n = 1;
    while (n < CALLS_MOST && attempt(t, w, n, who))
        n++;
    EXPECT(n > 1 || t->processes == 1 || (w->make == cross && who > 1));
    EXPECT(n < CALLS_MOST);
}

static void run_ways(team_t *t, void *arg)
{
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, t->rank % 2, t->rank, &sides[t->rank]));
    ep_comm_set_errhandler(sides[t->rank], EP_ERRORS_RETURN);
    EXPECT_OK(ep_intercomm_create(sides[t->rank], 0, t->comm, 1 - t->rank % 2, 4, &inters[t->rank]));
    ep_comm_set_errhandler(inters[t->rank], EP_ERRORS_RETURN);
    for (int i = 0; i < WAYS; i++) {
        if (ways[i].make == cross && t->processes == 1)
            continue;
        try(t, &ways[i], EVERYWHERE);
        try(t, &ways[i], 0);
        try(t, &ways[i], t->processes - 1);
    }
    EXPECT_OK(ep_comm_free(&inters[t->rank]));
    EXPECT_OK(ep_comm_free(&sides[t->rank]));
    EXPECT_OK(ep_comm_free(&own[t->index]));
}

static void communicators(void)
{
    int n = team_local_count();
    MPI_Comm_rank(MPI_COMM_WORLD, &here);
    ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN);
    ep_comm_create_endpoints(MPI_COMM_SELF, n, MPI_INFO_NULL, own);
    team_run(run_ways, NULL);
}

/* ---- endpoints ---- */

static int create_all(int n, int who)
{
    ep_comm made[512];
    int before = atomic_load(&live), local = team_local_count();
    victim = who;
    atomic_store(&fails_at, n);
    atomic_store(&calls, 0);
    int rc = ep_comm_create_endpoints(MPI_COMM_WORLD, local, MPI_INFO_NULL, made);
    int came = atomic_load(&calls) >= n && (who == EVERYWHERE || who == here), any;
    atomic_store(&fails_at, 0);
    MPI_Allreduce(&came, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT(any ? rc == MPI_ERR_INTERN || rc == MPI_SUCCESS
               : rc == MPI_SUCCESS); /* where it can do without one */
    for (int i = 0; i < local && rc == MPI_SUCCESS; i++)
        EXPECT_OK(ep_comm_free(&made[i]));
    EXPECT(n == 0 || atomic_load(&live) == before);
    return any;
}

static void endpoints(void)
{
    static const int who[] = {EVERYWHERE, 0, 1};
    int processes;
    MPI_Comm_rank(MPI_COMM_WORLD, &here);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN);
    create_all(0, NOWHERE); /* which makes what stays */
    for (int i = 0; i < 3; i++)
        for (int n = 1; n < CALLS_MOST && who[i] < processes && create_all(n, who[i]); n++)
            continue;
}

/* ---- windows ---- */

static void window(team_t *t, void *arg)
{
    (void)arg;
    int x = -1, one = 1, n = 1, came = 1;
    for (; came && n < CALLS_MOST; n++) {
        ep_win win;
        int before = atomic_load(&live);
        arm(t, n, n % 2 ? EVERYWHERE : 0);
        int rc = ep_win_create(&x, sizeof x, sizeof x, MPI_INFO_NULL, t->comm, &win);
        came = most(t, atomic_load(&calls) >= n && (victim == EVERYWHERE || victim == here));
        arm(t, 0, NOWHERE);
        EXPECT_EQ(rc != MPI_SUCCESS, came);
        if (rc == MPI_SUCCESS) {
            EXPECT_OK(ep_win_fence(0, win));
            EXPECT_OK(ep_put(&one, 1, MPI_INT, (t->rank + 1) % t->size, 0, 1, MPI_INT, win));
            EXPECT_OK(ep_win_free(&win));
            EXPECT_EQ(x, 1);
        }
        team_barrier(t);
        EXPECT_EQ(atomic_load(&live), before);
    }
}

int main(int argc, char **argv)
{
    static const harness_test tests[] = {
        {"endpoints", NULL, endpoints}, {"communicators", NULL, communicators}, {"windows", window, NULL}};
    return HARNESS_MAIN(argc, argv, "exhausted", tests);
}
