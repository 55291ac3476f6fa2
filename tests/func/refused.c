/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * refused.c: a wrong argument in one endpoint of a collective call.
 *
 * Catches: the others wait for the one that returned at once; they believe that all is well, or are told another
 * class than it; its error handler is called twice, or theirs not at all; the next call on the communicator meets what
 * is left of this one.
 */
#include "traffic.h"
#include <stdio.h>
#include <string.h>

enum { TAG = 11 };

/* One call of a communicator in which the victim gives something wrong. */
typedef struct {
    const char *name;
    int (*call)(team_t *t, ep_comm comm, int wrong, ep_comm *c);
    int want;
    const char *argument; /* in the victim's message; empty: the others are not told who it was */
} refusal;

static _Thread_local int handled, handled_code;

static void note_code(ep_comm *comm, int *code, ...)
{
    (void)comm;
    handled++;
    handled_code = *code;
}

static ep_group group_of(ep_comm comm)
{
    ep_group g = EP_GROUP_NULL;
    EXPECT_OK(ep_comm_group(comm, &g));
    return g;
}

/* ---- The calls ---- */

static int split_color(team_t *t, ep_comm comm, int wrong, ep_comm *c)
{
    return ep_comm_split(comm, wrong ? -2 : t->rank % 2, 0, c);
}

static int split_alone(team_t *t, ep_comm comm, int wrong, ep_comm *c)
{
    return ep_comm_split(comm, wrong ? -1000000 : t->rank, 0, c);
}

static int split_undefined(team_t *t, ep_comm comm, int wrong, ep_comm *c)
{
    (void)t;
    return ep_comm_split(comm, wrong ? -2 : MPI_UNDEFINED, 0, c);
}

static int split_type(team_t *t, ep_comm comm, int wrong, ep_comm *c)
{
    (void)t;
    return ep_comm_split_type(comm, wrong ? 4711 : EP_COMM_TYPE_PROCESS, 0, MPI_INFO_NULL, c);
}

static int create_null_group(team_t *t, ep_comm comm, int wrong, ep_comm *c)
{
    ep_group g = group_of(comm);
    (void)t;
    int rc = ep_comm_create(comm, wrong ? EP_GROUP_NULL : g, c);
    EXPECT_OK(ep_group_free(&g));
    return rc;
}

static int create_freed_group(team_t *t, ep_comm comm, int wrong, ep_comm *c)
{
    ep_group g = group_of(comm), gone = g;
    (void)t;
    if (wrong)
        EXPECT_OK(ep_group_free(&g));
    int rc = ep_comm_create(comm, wrong ? gone : g, c);
    if (!wrong)
        EXPECT_OK(ep_group_free(&g));
    return rc;
}

/* The victim's group has an endpoint that is not in comm, which is a part of the team. */
static int create_stranger(team_t *t, ep_comm comm, int wrong, ep_comm *c)
{
    ep_group g = group_of(wrong ? t->comm : comm);
    int rc = ep_comm_create(comm, g, c);
    EXPECT_OK(ep_group_free(&g));
    return rc;
}

/* All others are in no group at all, so nobody misses the victim. */
static int create_empty(team_t *t, ep_comm comm, int wrong, ep_comm *c)
{
    (void)t;
    return ep_comm_create(comm, wrong ? EP_GROUP_NULL : EP_GROUP_EMPTY, c);
}

static int copy_fails(ep_comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm;
    (void)key;
    (void)extra;
    (void)out;
    *flag = 1;
    return in ? MPI_ERR_TOPOLOGY : MPI_SUCCESS; /* a class that no call here gives by itself */
}

static int dup_with_attribute(ep_comm comm, int wrong, int nonblocking, ep_comm *c)
{
    int key = MPI_KEYVAL_INVALID, mark = 1, rc;
    EXPECT_OK(ep_comm_create_keyval(copy_fails, EP_COMM_NULL_DELETE_FN, &key, NULL));
    EXPECT_OK(ep_comm_set_attr(comm, key, wrong ? &mark : NULL));
    if (nonblocking) {
        ep_request r = EP_REQUEST_NULL;
        int now = ep_comm_idup(comm, c, &r);
        rc = ep_wait(&r, EP_STATUS_IGNORE);
        if (wrong) /* it is told at once, as with any other error of the arguments */
            rc = now;
        else
            EXPECT_RC(now, MPI_SUCCESS);
        *c = EP_COMM_NULL;
    } else {
        rc = ep_comm_dup(comm, c);
    }
    EXPECT_OK(ep_comm_delete_attr(comm, key));
    EXPECT_OK(ep_comm_free_keyval(&key));
    return rc;
}

static int dup_copy(team_t *t, ep_comm comm, int wrong, ep_comm *c)
{
    (void)t;
    return dup_with_attribute(comm, wrong, 0, c);
}

static const refusal refusals[] = {
    {"split, color", split_color, MPI_ERR_ARG, "color is -2"},
    {"split, color of one alone", split_alone, MPI_ERR_ARG, "color is -1000000"},
    {"split, all others undefined", split_undefined, MPI_ERR_ARG, "color is -2"},
    {"split_type", split_type, MPI_ERR_ARG, "split_type is 4711"},
    {"create, no group", create_null_group, MPI_ERR_GROUP, "group is EP_GROUP_NULL"},
    {"create, freed group", create_freed_group, MPI_ERR_GROUP, "group is a freed"},
    {"create, non-member", create_stranger, MPI_ERR_GROUP, "is not in comm"},
    {"create, others empty", create_empty, MPI_ERR_GROUP, "group is EP_GROUP_NULL"},
    {"dup, copy callback", dup_copy, MPI_ERR_TOPOLOGY, ""},
};
enum { REFUSALS = sizeof refusals / sizeof *refusals };

/* ---- What everyone is told ---- */

static void expect_text(int code, const char *argument, int victim, int me)
{
    char text[MPI_MAX_ERROR_STRING] = "", culprit[32];
    int length = 0;
    snprintf(culprit, sizeof culprit, "endpoint %d of those", victim);
    EXPECT_OK(ep_error_string(code, text, &length));
    EXPECT_CONTAINS(text, me == victim ? argument : culprit);
    if (me == victim)
        EXPECT(!strstr(text, "of those that take part"));
}

/* Rank `victim` of comm does it wrong; then comm is as good as ever. members: of comm. */
static void refuse(team_t *t, ep_comm comm, const int members[], int n, const refusal *f, int victim)
{
    int rank = find(members, n, t->rank);
    ep_comm c = (ep_comm)(uintptr_t)0x123, next = EP_COMM_NULL;
    handled = 0;
    int rc = f->call(t, comm, rank == victim, &c), calls = handled, code = handled_code;
    EXPECT_RC(rc, f->want);
    EXPECT(c == EP_COMM_NULL);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(code, f->want);
    if (rc != MPI_SUCCESS)
        expect_text(rc, f->argument, victim, rank);
    if (EXPECT_OK(ep_comm_split(comm, 0, rank, &next)) && expect_members(t, next, members, n, NULL, 0))
        traffic(t, next, members, TRAFFIC_SHORT);
    if (next != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(&next));
}

static void count_errors(ep_comm comm)
{
    ep_errhandler h = EP_ERRHANDLER_NULL;
    EXPECT_OK(ep_comm_create_errhandler(note_code, &h));
    EXPECT_OK(ep_comm_set_errhandler(comm, h));
    EXPECT_OK(ep_errhandler_free(&h));
}

/* All calls with every endpoint as the victim, on a part of the team in the opposite order. */
static void one_is_wrong(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], n = t->size - 1;
    ep_comm part = EP_COMM_NULL;
    (void)arg;
    for (int i = 0; i < n; i++)
        members[i] = n - i; /* all but 0 */
    if (!EXPECT_OK(ep_comm_split(t->comm, t->rank ? 0 : MPI_UNDEFINED, -t->rank, &part)) || !t->rank)
        return;
    count_errors(part);
    for (int i = 0; i < REFUSALS; i++)
        for (int victim = 0; victim < n; victim++)
            refuse(t, part, members, n, &refusals[i], victim);
    EXPECT_OK(ep_comm_free(&part));
}

/* Several are wrong at once, each in its own way: everyone gets an error, and it is one of theirs. */
static void several_are_wrong(team_t *t, void *arg)
{
    int all[TRAFFIC_MAX];
    (void)arg;
    count_errors(t->comm);
    for (int r = 0; r < t->size; r++)
        all[r] = r;
    for (int i = 0; i < 20; i++) {
        ep_comm c = (ep_comm)(uintptr_t)0x123;
        uint64_t common = harness_seed() + (uint64_t)i;
        int one = random_below(&common, t->size), other = random_below(&common, t->size);
        handled = 0;
        int rc = ep_comm_split(t->comm, t->rank == one ? -2 : t->rank == other ? -3 : 0, 0, &c);
        EXPECT_RC(rc, MPI_ERR_ARG);
        EXPECT_EQ(handled, 1);
        EXPECT(c == EP_COMM_NULL);
        traffic(t, t->comm, all, TRAFFIC_SHORT);
    }
}

/* The same with idup: the wrong one is told by the call, the others by their requests. */
static void idup_refused(team_t *t, void *arg)
{
    (void)arg;
    int all[TRAFFIC_MAX];
    for (int r = 0; r < t->size; r++)
        all[r] = r;
    count_errors(t->comm);
    for (int victim = 0; victim < t->size; victim++) {
        ep_comm c = EP_COMM_NULL;
        int rc = dup_with_attribute(t->comm, t->rank == victim, 1, &c);
        EXPECT_RC(rc, MPI_ERR_TOPOLOGY);
        traffic(t, t->comm, all, TRAFFIC_SHORT);
    }
}

/* ---- Intercommunicators ---- */

enum { NO_PEER, FREED_PEER, FAR_RANK, NEGATIVE_RANK, OWN_RANK, NEGATIVE_TAG, HUGE_TAG, CASES };
static const struct {
    int want;
    const char *argument;
} cases[CASES] = {{MPI_ERR_COMM, "peer_comm is EP_COMM_NULL"}, {MPI_ERR_COMM, "peer_comm is a freed"},
                  {MPI_ERR_RANK, "remote_leader is"},          {MPI_ERR_RANK, "remote_leader is -1"},
                  {MPI_ERR_RANK, "remote_leader is"},          {MPI_ERR_TAG, "tag is -1"},
                  {MPI_ERR_TAG, "tag is 2147483647"}};

static int join_wrongly(team_t *t, ep_comm local, int leader, int i_lead, int what, ep_comm freed, ep_comm *c)
{
    ep_comm peer = !i_lead || what == NO_PEER ? EP_COMM_NULL : what == FREED_PEER ? freed : t->comm;
    int remote = what == FAR_RANK ? t->size : what == NEGATIVE_RANK ? -1 : what == OWN_RANK ? t->rank : 0;
    int tag = what == NEGATIVE_TAG ? -1 : what == HUGE_TAG ? 2147483647 : TAG;
    return ep_intercomm_create(local, leader, peer, i_lead ? remote : -7, i_lead ? tag : -9, c);
}

/* Endpoint 0 would be the other group; it never calls. */
static void leader_is_wrong(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], n = t->size - 1;
    ep_comm local = EP_COMM_NULL, part = EP_COMM_NULL, freed;
    (void)arg;
    for (int i = 0; i < n; i++)
        members[i] = n - i;
    if (!EXPECT_OK(ep_comm_split(t->comm, t->rank ? 0 : MPI_UNDEFINED, -t->rank, &local)) || !t->rank)
        return;
    EXPECT_OK(ep_comm_dup(local, &part));
    freed = part;
    EXPECT_OK(ep_comm_free(&part));
    count_errors(local);
    for (int what = 0; what < CASES; what++)
        for (int leader = 0; leader < n; leader++) {
            ep_comm c = (ep_comm)(uintptr_t)0x123;
            int rank = find(members, n, t->rank);
            handled = 0;
            int rc = join_wrongly(t, local, leader, rank == leader, what, freed, &c);
            EXPECT_RC(rc, cases[what].want);
            EXPECT_EQ(handled, 1);
            EXPECT(c == EP_COMM_NULL);
            if (rc != MPI_SUCCESS)
                expect_text(rc, cases[what].argument, leader, rank);
            traffic(t, local, members, TRAFFIC_SHORT);
        }
    EXPECT_OK(ep_comm_free(&local));
}

static const harness_test tests[] = {
    {"one is wrong", one_is_wrong, NULL},
    {"several are wrong", several_are_wrong, NULL},
    {"idup refused", idup_refused, NULL},
    {"leader is wrong", leader_is_wrong, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "refused", tests);
}
