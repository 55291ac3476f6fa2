/* SPDX-License-Identifier: BSD-3-Clause */
/* info.c: hints of communicators (MPI 6.4.4). */
#include "pairs.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The hint is value, or is not there (NULL). */
static void expect_hint(MPI_Info info, const char *key, const char *value)
{
    char got[MPI_MAX_INFO_VAL + 1] = "";
    int flag = -1;
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, got, &flag);
    EXPECT_EQ(flag, value != NULL);
    if (flag && value)
        EXPECT_STR(got, value);
}

static void expect_comm_hint(ep_comm comm, const char *key, const char *value)
{
    MPI_Info info = MPI_INFO_NULL;
    if (!EXPECT_OK(ep_comm_get_info(comm, &info)) || !EXPECT(info != MPI_INFO_NULL))
        return;
    expect_hint(info, key, value);
    MPI_Info_free(&info);
}

static void set_hint(ep_comm comm, const char *key, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    EXPECT_OK(ep_comm_set_info(comm, info));
    MPI_Info_set(info, key, "changed later"); /* not any more the communicator's business */
    MPI_Info_free(&info);
}

static void set_and_get(team_t *t, void *arg)
{
    MPI_Info mine = MPI_INFO_NULL;
    char longest[MPI_MAX_INFO_VAL];
    (void)arg;
    expect_comm_hint(t->comm, "colour", NULL);
    set_hint(t->comm, "colour", t->rank % 2 ? "red" : "green");
    team_barrier(t); /* all have set theirs */
    expect_comm_hint(t->comm, "colour", t->rank % 2 ? "red" : "green");
    set_hint(t->comm, "shape", "round"); /* the other one stays */
    expect_comm_hint(t->comm, "colour", t->rank % 2 ? "red" : "green");
    expect_comm_hint(t->comm, "shape", "round");
    set_hint(t->comm, "colour", "blue");
    expect_comm_hint(t->comm, "colour", "blue");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    set_hint(t->comm, "colour", longest);
    expect_comm_hint(t->comm, "colour", longest);
    EXPECT_OK(ep_comm_get_info(t->comm, &mine)); /* the caller's own */
    MPI_Info_set(mine, "shape", "square");
    MPI_Info_free(&mine);
    expect_comm_hint(t->comm, "shape", "round");
    team_barrier(t);
}

static void what_ep_says(team_t *t, void *arg)
{
    const char *single = arg;
    expect_comm_hint(t->comm, "ep_single_owner", single);
    set_hint(t->comm, "ep_single_owner", strcmp(single, "true") ? "true" : "false"); /* too late */
    expect_comm_hint(t->comm, "ep_single_owner", single);
    expect_comm_hint(t->comm, "ep_intercomm_case", NULL);
    expect_comm_hint(t->comm, "ep_intercomm_leaders", NULL);
}

static void single_owner(void)
{
    static char yes[] = "true", no[] = "false";
    int n = team_local_count();
    ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_single_owner", "true");
    if (EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, info, comms)))
        team_run_on(comms, n, 0, what_ep_says, yes);
    MPI_Info_free(&info);
    team_run(what_ep_says, no);
    free(comms);
}

static void duplicates(team_t *t, void *arg)
{
    ep_comm dup = EP_COMM_NULL, other = EP_COMM_NULL;
    MPI_Info info;
    (void)arg;
    set_hint(t->comm, "colour", "red");
    MPI_Info_create(&info);
    MPI_Info_set(info, "shape", "round");
    if (EXPECT_OK(ep_comm_dup(t->comm, &dup))) {
        expect_comm_hint(dup, "colour", "red");
        set_hint(dup, "colour", "green");
        expect_comm_hint(t->comm, "colour", "red");
        EXPECT_OK(ep_comm_free(&dup));
    }
    if (EXPECT_OK(ep_comm_dup_with_info(t->comm, info, &other))) {
        expect_comm_hint(other, "colour", NULL);
        expect_comm_hint(other, "shape", "round");
        EXPECT_OK(ep_comm_free(&other));
    }
    MPI_Info_free(&info);
}

/* ---- ep_reproducible ---- */

/* Passed on by dup and idup, replaced by dup_with_info, not passed on by split. */
static void who_inherits(team_t *t, void *arg)
{
    const char *value = arg;
    ep_comm c[4] = {EP_COMM_NULL};
    ep_request r = EP_REQUEST_NULL;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_reproducible", strcmp(value, "true") ? "true" : "false");
    expect_comm_hint(t->comm, "ep_reproducible", value);
    EXPECT_OK(ep_comm_dup(t->comm, &c[0]));
    EXPECT_OK(ep_comm_idup(t->comm, &c[1], &r));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_OK(ep_comm_dup_with_info(t->comm, info, &c[2]));
    EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &c[3]));
    MPI_Info_free(&info);
    expect_comm_hint(c[0], "ep_reproducible", value);
    expect_comm_hint(c[1], "ep_reproducible", value);
    expect_comm_hint(c[2], "ep_reproducible", strcmp(value, "true") ? "true" : "false");
    expect_comm_hint(c[3], "ep_reproducible", "false");
    set_hint(c[3], "ep_reproducible", "true");
    set_hint(c[3], "colour", "red");
    expect_comm_hint(c[3], "ep_reproducible", "true");
    set_hint(c[3], "ep_reproducible", "perhaps"); /* neither nor: it stays */
    expect_comm_hint(c[3], "ep_reproducible", "true");
    set_hint(c[3], "ep_reproducible", "FALSE");
    expect_comm_hint(c[3], "ep_reproducible", "false");
    for (int i = 0; i < 4; i++)
        EXPECT_OK(ep_comm_free(&c[i]));
}

static void reproducible(void)
{
    static char yes[] = "true", no[] = "false";
    int n = team_local_count();
    ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_reproducible", "true");
    if (EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, info, comms)))
        team_run_on(comms, n, 0, who_inherits, yes);
    MPI_Info_free(&info);
    team_run(who_inherits, no);
    free(comms);
}

/* The even ranks and the odd ones. */
static void intercommunicator(team_t *t, void *arg)
{
    ep_comm half = EP_COMM_NULL, inter = EP_COMM_NULL;
    static const char *const cases[] = {"0", "1", "2", "3a", "3b", "3c"};
    char value[MPI_MAX_INFO_VAL + 1] = "", *end = value;
    int side = t->rank % 2, flag = 0, known = 0;
    MPI_Info info = MPI_INFO_NULL;
    (void)arg;
    if (!EXPECT_OK(ep_comm_split(t->comm, side, t->rank, &half)))
        return;
    if (EXPECT_OK(ep_intercomm_create(half, 0, t->comm, 1 - side, 12, &inter)) &&
        EXPECT_OK(ep_comm_get_info(inter, &info))) {
        MPI_Info_get(info, "ep_intercomm_case", MPI_MAX_INFO_VAL, value, &flag);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            known += flag && strcmp(value, cases[i]) == 0;
        EXPECT_EQ(known, 1);
        MPI_Info_get(info, "ep_intercomm_leaders", MPI_MAX_INFO_VAL, value, &flag);
        if (EXPECT(flag)) {
            long lower = strtol(value, &end, 10), upper = *end == ',' ? strtol(end + 1, &end, 10) : -1;
            EXPECT(*end == '\0');
            EXPECT(lower >= 0 && lower < t->processes && upper >= 0 && upper < t->processes);
        }
        MPI_Info_free(&info);
        EXPECT_OK(ep_comm_free(&inter));
    }
    EXPECT_OK(ep_comm_free(&half));
}

static void bad_arguments(team_t *t, void *arg)
{
    (void)arg;
    EXPECT_RC(ep_comm_set_info(t->comm, MPI_INFO_NULL), MPI_ERR_INFO);
    EXPECT_RC(ep_comm_get_info(t->comm, NULL), MPI_ERR_ARG);
}

/* ---- two threads, one endpoint ---- */

enum { ROUNDS = 200 };

static void *set_often(void *arg)
{
    team_t *t = arg;
    team_adopt(t);
    for (int i = 0; i < ROUNDS / harness_slowness(); i++)
        set_hint(t->comm, "colour", i % 2 ? "red" : "green");
    return NULL;
}

static void two_threads(team_t *t, void *arg)
{
    pthread_t other;
    (void)arg;
    set_hint(t->comm, "shape", "round");
    int started = EXPECT(pthread_create(&other, NULL, set_often, t) == 0);
    for (int i = 0; i < ROUNDS / harness_slowness(); i++)
        expect_comm_hint(t->comm, "shape", "round");
    if (started)
        pthread_join(other, NULL);
    expect_comm_hint(t->comm, "colour", (ROUNDS / harness_slowness()) % 2 ? "green" : "red");
}

static const harness_test tests[] = {
    {"set and get", set_and_get, NULL},
    {"single owner", NULL, single_owner},
    {"duplicates", duplicates, NULL},
    {"reproducible", NULL, reproducible},
    {"intercommunicator", intercommunicator, NULL},
    {"bad arguments", bad_arguments, NULL},
    {"two threads", two_threads, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "info", tests);
}
