/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lifetimes_derived.c: communicators that are freed while something is pending on them, in any order, and
 * ep_comm_disconnect.
 *
 * Catches: messages lost with their communicator, receives that never complete, parents that take their children along,
 * a disconnect that does not wait.
 */
#include "inter_plan.h"
#include <stdlib.h>
#include <string.h>

enum { BIG = 100000, TAG = 4, SIZES = 3 };
static const int sizes[SIZES] = {4, 3000, BIG};

/* dup, or a split in the opposite order; peers in it by rank. */
static ep_comm derive(const team_t *t, int turned, int members[])
{
    ep_comm c = EP_COMM_NULL;
    for (int r = 0; r < t->size; r++)
        members[r] = turned ? t->size - 1 - r : r;
    if (turned)
        EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &c));
    else
        EXPECT_OK(ep_comm_dup(t->comm, &c));
    return c;
}

static unsigned key_of(int from, int to, int which)
{
    return 10000u * (unsigned)from + 100u * (unsigned)to + (unsigned)which;
}

/* One message of each size for every peer, and as many receives. */
typedef struct {
    team_t *t;
    int members[TRAFFIC_MAX], n;
    char *in, *out;
    ep_request *receives, *sends;
} load;

static size_t place(int peer, int size)
{
    return ((size_t)peer * SIZES + (size_t)size) * BIG;
}

static void load_make(load *l, team_t *t)
{
    size_t n = (size_t)t->size * SIZES;
    l->t = t;
    l->n = t->size;
    l->in = xmalloc(n * BIG);
    l->out = xmalloc(n * BIG);
    l->receives = xmalloc(n * sizeof *l->receives);
    l->sends = xmalloc(n * sizeof *l->sends);
}

static void load_free(load *l)
{
    free(l->in);
    free(l->out);
    free(l->receives);
    free(l->sends);
}

static void post_receives(load *l, ep_comm c)
{
    for (int p = 0; p < l->n; p++)
        for (int s = 0; s < SIZES; s++)
            EXPECT_OK(
                ep_irecv(l->in + place(p, s), sizes[s], MPI_BYTE, p, TAG, c, &l->receives[p * SIZES + s]));
}

static void start_sends(load *l, ep_comm c, int synchronous)
{
    for (int p = 0; p < l->n; p++)
        for (int s = 0; s < SIZES; s++) {
            char *buf = l->out + place(p, s);
            fill(buf, (size_t)sizes[s], key_of(l->t->rank, l->members[p], s));
            EXPECT_OK((synchronous ? ep_issend : ep_isend)(buf, sizes[s], MPI_BYTE, p, TAG, c,
                                                           &l->sends[p * SIZES + s]));
        }
}

static void expect_load(load *l)
{
    for (int p = 0; p < l->n; p++)
        for (int s = 0; s < SIZES; s++)
            EXPECT_FILLED(l->in + place(p, s), (size_t)sizes[s], key_of(l->members[p], l->t->rank, s));
}

static void complete(load *l, ep_request r[])
{
    EXPECT_OK(ep_waitall(l->n * SIZES, r, EP_STATUSES_IGNORE));
}

/* Everything is started, then the communicator is freed, then all completes. */
static void free_then_complete(team_t *t, void *arg)
{
    load l;
    (void)arg;
    load_make(&l, t);
    for (int way = 0; way < 4; way++) {
        ep_comm c = derive(t, way % 2, l.members);
        post_receives(&l, c);
        start_sends(&l, c, way / 2);
        EXPECT_OK(ep_comm_free(&c));
        EXPECT(c == EP_COMM_NULL);
        complete(&l, t->rank % 2 ? l.sends : l.receives);
        complete(&l, t->rank % 2 ? l.receives : l.sends);
        expect_load(&l);
    }
    load_free(&l);
}

/* All even ones send and free before any odd one has posted a receive. */
static void freed_by_sender(team_t *t, void *arg)
{
    load l;
    (void)arg;
    load_make(&l, t);
    for (int way = 0; way < 4; way++) {
        ep_comm c = derive(t, way % 2, l.members);
        start_sends(&l, c, way / 2);
        if (t->rank % 2 == 0) {
            post_receives(&l, c);
            EXPECT_OK(ep_comm_free(&c));
        }
        team_barrier(t);
        if (t->rank % 2) {
            int flag = 0;
            EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, c, &flag, EP_STATUS_IGNORE));
            post_receives(&l, c);
            EXPECT_OK(ep_comm_free(&c));
        }
        complete(&l, l.receives);
        complete(&l, l.sends);
        expect_load(&l);
    }
    load_free(&l);
}

/* Small messages that were sent completely, by endpoints that are gone from the communicator, one after the other. */
static void left_behind(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], got[TRAFFIC_MAX] = {0}, sent[TRAFFIC_MAX];
    ep_request r[TRAFFIC_MAX];
    ep_comm c = derive(t, 1, members);
    (void)arg;
    for (int p = 0; p < t->size; p++) {
        sent[p] = 100 * t->rank + members[p];
        EXPECT_OK(ep_isend(&sent[p], 1, MPI_INT, p, TAG, c, &r[p]));
    }
    for (int turn = 0; turn < t->size; turn++) {
        if (turn == t->rank) {
            for (int i = 0; i < t->size; i++) {
                int value = -1;
                ep_status s = {.MPI_SOURCE = -1};
                EXPECT_OK(ep_recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG, c, &s));
                if (EXPECT(s.MPI_SOURCE >= 0 && s.MPI_SOURCE < t->size)) {
                    EXPECT_EQ(value, 100 * members[s.MPI_SOURCE] + t->rank);
                    EXPECT_EQ(got[s.MPI_SOURCE]++, 0);
                }
            }
            EXPECT_OK(ep_comm_free(&c));
        }
        team_barrier(t);
    }
    EXPECT_OK(ep_waitall(t->size, r, EP_STATUSES_IGNORE));
}

/* A message that was probed, and a persistent request that is active. */
static void probed_and_persistent(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    int in[2] = {-1, -1}, out[2] = {10 * t->rank, 10 * t->rank + 1};
    ep_request r[3];
    ep_message m = EP_MESSAGE_NULL;
    ep_status s;
    ep_comm c = derive(t, 0, members);
    (void)arg;
    EXPECT_OK(ep_recv_init(&in[0], 1, MPI_INT, before, TAG, c, &r[0]));
    EXPECT_OK(ep_send_init(&out[0], 1, MPI_INT, next, TAG, c, &r[1]));
    EXPECT_OK(ep_isend(&out[1], 1, MPI_INT, next, TAG + 1, c, &r[2]));
    EXPECT_OK(ep_mprobe(MPI_ANY_SOURCE, TAG + 1, c, &m, &s));
    EXPECT_EQ(s.MPI_SOURCE, before);
    EXPECT_OK(ep_startall(2, r));
    EXPECT_OK(ep_comm_free(&c));
    EXPECT_OK(ep_mrecv(&in[1], 1, MPI_INT, &m, &s));
    EXPECT_EQ(s.MPI_SOURCE, before);
    EXPECT_OK(ep_waitall(3, r, EP_STATUSES_IGNORE));
    EXPECT_EQ(in[0], 10 * before);
    EXPECT_EQ(in[1], 10 * before + 1);
    EXPECT_OK(ep_request_free(&r[0]));
    EXPECT_OK(ep_request_free(&r[1]));
}

/* A receive that nobody answers is cancelled after the communicator is gone. */
static void cancelled_after(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], value = -1, flag = 0;
    ep_request r;
    ep_status s;
    ep_comm c = derive(t, 1, members);
    (void)arg;
    EXPECT_OK(ep_irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, c, &r));
    EXPECT_OK(ep_comm_free(&c));
    EXPECT_OK(ep_cancel(&r));
    EXPECT_OK(ep_wait(&r, &s));
    EXPECT_OK(ep_test_cancelled(&s, &flag));
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(value, -1);
}

/* ---- Order ---- */

static void root_first(team_t *t, void *arg)
{
    int all[TRAFFIC_MAX], back[TRAFFIC_MAX], half[TRAFFIC_MAX], n = 0;
    ep_comm d = derive(t, 0, all), b = derive(t, 1, back), h = EP_COMM_NULL, x = EP_COMM_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_free(&t->comm));
    for (int i = 0; i < t->size; i++)
        if (back[i] % 2 == t->rank % 2)
            half[n++] = back[i];
    if (EXPECT_OK(ep_comm_split(b, t->rank % 2, 0, &h)) && expect_members(t, h, half, n, NULL, 0))
        traffic(t, h, half, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&b));
    traffic(t, d, all, TRAFFIC_LONG);
    if (EXPECT_OK(ep_comm_dup(h, &x)))
        traffic(t, x, half, TRAFFIC_SHORT);
    EXPECT_OK(ep_comm_free(&d));
    EXPECT_OK(ep_comm_free(&h));
    traffic(t, x, half, TRAFFIC_LONG);
    EXPECT_OK(ep_comm_free(&x));
}

enum { TREE = 12 };

/* A random tree of communicators under one that is freed in the middle, each endpoint in its own order; those left are
 * used in between. */
static void any_order(team_t *t, void *arg)
{
    uint64_t common = harness_seed() + 17;
    int members[TREE][TRAFFIC_MAX], order[TREE];
    ep_comm tree[TREE] = {t->comm};
    (void)arg;
    for (int r = 0; r < t->size; r++)
        members[0][r] = r;
    for (int i = 1; i < TREE; i++) {
        int parent = random_below(&common, i), turned = random_below(&common, 2), rank = -1;
        EXPECT_OK(ep_comm_rank(tree[parent], &rank));
        if (!EXPECT_OK(ep_comm_split(tree[parent], 3, turned ? -rank : rank, &tree[i])))
            return;
        for (int r = 0; r < t->size; r++)
            members[i][r] = members[parent][turned ? t->size - 1 - r : r];
    }
    for (int i = 0; i < TREE; i++)
        order[i] = i;
    for (int i = TREE - 1; i > 0; i--) {
        int k = random_below(&t->random, i / 2 + 1), o = order[i]; /* rather the older ones first */
        order[i] = order[k];
        order[k] = o;
    }
    t->comm = EP_COMM_NULL;
    for (int i = 0; i < TREE; i++) {
        EXPECT_OK(ep_comm_free(&tree[order[i]]));
        if (order[i] != TREE - 1 && tree[TREE - 1] != EP_COMM_NULL && i < 3)
            EXPECT_OK(
                ep_send(NULL, 0, MPI_INT, find(members[TREE - 1], t->size, t->rank), TAG, tree[TREE - 1]));
    }
}

/* The tree again, freed in one order by all, with all kinds of messages on what is left. */
static void traffic_on_the_rest(team_t *t, void *arg)
{
    int members[TRAFFIC_MAX], back[TRAFFIC_MAX];
    ep_comm c[4] = {t->comm};
    (void)arg;
    c[1] = derive(t, 0, members);
    EXPECT_OK(ep_comm_dup(c[1], &c[2]));
    c[3] = derive(t, 1, back);
    t->comm = EP_COMM_NULL;
    for (int i = 0; i < 3; i++) {
        EXPECT_OK(ep_comm_free(&c[(i + 1) % 3])); /* child, grandchild, root */
        traffic(t, c[3], back, TRAFFIC_SHORT);
    }
    EXPECT_OK(ep_comm_free(&c[3]));
}

/* Some endpoints of a process leave for good while their neighbours go on. */
static void some_leave(team_t *t, void *arg)
{
    int half[TRAFFIC_MAX], n = 0;
    ep_comm h = EP_COMM_NULL;
    (void)arg;
    for (int r = t->rank % 2; r < t->size; r += 2)
        half[n++] = r;
    EXPECT_OK(ep_comm_split(t->comm, t->rank % 2, 0, &h));
    EXPECT_OK(ep_comm_free(&t->comm));
    if (t->rank % 2)
        EXPECT_OK(ep_comm_free(&h));
    for (int i = 0; t->rank % 2 == 0 && i < 10; i++) {
        ep_comm d = EP_COMM_NULL;
        EXPECT_OK(ep_comm_dup(h, &d));
        traffic(t, d, half, i ? TRAFFIC_SHORT : TRAFFIC_LONG);
        EXPECT_OK(ep_comm_free(&d));
    }
    if (t->rank % 2 == 0)
        EXPECT_OK(ep_comm_free(&h));
}

/* ---- Intercommunicators ---- */

static void inter_parts(team_t *t, void *arg)
{
    inter_plan b;
    int all[TRAFFIC_MAX], n;
    ep_comm merged = EP_COMM_NULL;
    (void)arg;
    if (!inter_by_rule(t, &b, side_rules[1]) || !inter_build(t, &b))
        return;
    EXPECT_OK(ep_comm_free(&b.local));
    EXPECT_OK(ep_comm_free(&t->comm));
    traffic(t, b.inter, inter_peers(&b), TRAFFIC_SHORT);
    n = inter_merged(&b, 0, all);
    if (EXPECT_OK(ep_intercomm_merge(b.inter, b.mine, &merged))) {
        int *to = all, in[TRAFFIC_MAX], out = t->rank;
        ep_request r[2 * TRAFFIC_MAX];
        for (int p = 0; p < b.n[!b.mine]; p++) {
            EXPECT_OK(ep_irecv(&in[p], 1, MPI_INT, p, TAG, b.inter, &r[2 * p]));
            EXPECT_OK(ep_issend(&out, 1, MPI_INT, p, TAG, b.inter, &r[2 * p + 1]));
        }
        EXPECT_OK(ep_comm_free(&b.inter));
        EXPECT_OK(ep_waitall(2 * b.n[!b.mine], r, EP_STATUSES_IGNORE));
        for (int p = 0; p < b.n[!b.mine]; p++)
            EXPECT_EQ(in[p], inter_peers(&b)[p]);
        EXPECT_EQ(n, t->size);
        traffic(t, merged, to, TRAFFIC_LONG);
        EXPECT_OK(ep_comm_free(&merged));
    }
}

/* ---- Disconnect ---- */

/* When it returns, everything that the caller had started is done. */
static void disconnect_waits(team_t *t, void *arg)
{
    load l;
    (void)arg;
    load_make(&l, t);
    for (int way = 0; way < 4; way++) {
        ep_comm c = derive(t, way % 2, l.members);
        int flag = 0;
        start_sends(&l, c, way / 2);
        if (t->rank % 2) { /* the even ones are in it already */
            for (int i = 0; i < 1000; i++)
                EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, TAG, c, &flag, EP_STATUS_IGNORE));
        }
        post_receives(&l, c);
        EXPECT_OK(ep_comm_disconnect(&c));
        EXPECT(c == EP_COMM_NULL);
        for (int i = 0; i < t->size * SIZES; i++) {
            ep_status s = {.MPI_SOURCE = -1};
            EXPECT_OK(ep_request_get_status(l.sends[i], &flag, EP_STATUS_IGNORE));
            EXPECT_EQ(flag, 1);
            EXPECT_OK(ep_request_get_status(l.receives[i], &flag, &s));
            EXPECT_EQ(flag, 1);
            EXPECT_EQ(s.MPI_SOURCE, i / SIZES);
        }
        expect_load(&l);
        complete(&l, l.sends);
        complete(&l, l.receives);
    }
    load_free(&l);
}

/* The requests themselves were given up; still it waits, or the data could not be there. */
static void disconnect_without_requests(team_t *t, void *arg)
{
    load l;
    (void)arg;
    load_make(&l, t);
    ep_comm c = derive(t, 1, l.members);
    post_receives(&l, c);
    start_sends(&l, c, 1);
    for (int i = 0; i < t->size * SIZES; i++) {
        EXPECT_OK(ep_request_free(&l.receives[i]));
        EXPECT_OK(ep_request_free(&l.sends[i]));
    }
    EXPECT_OK(ep_comm_disconnect(&c));
    expect_load(&l);
    memset(l.out, 0, (size_t)t->size * SIZES * BIG); /* what was sent is no longer read either */
    team_barrier(t);
    expect_load(&l);
    load_free(&l);
}

static void disconnect_inter(team_t *t, void *arg)
{
    inter_plan b;
    (void)arg;
    for (int rule = 0; rule < side_rule_count; rule++) {
        int in[TRAFFIC_MAX], out = t->rank, flag = 0;
        ep_request r[2 * TRAFFIC_MAX];
        if (!inter_by_rule(t, &b, side_rules[rule]) || !inter_build(t, &b))
            continue;
        int n = b.n[!b.mine];
        for (int p = 0; p < n; p++) {
            EXPECT_OK(ep_irecv(&in[p], 1, MPI_INT, p, TAG, b.inter, &r[p]));
            EXPECT_OK(ep_issend(&out, 1, MPI_INT, p, TAG, b.inter, &r[n + p]));
        }
        EXPECT_OK(ep_comm_disconnect(&b.inter));
        EXPECT_OK(ep_testall(2 * n, r, &flag, EP_STATUSES_IGNORE));
        EXPECT_EQ(flag, 1);
        for (int p = 0; p < n; p++)
            EXPECT_EQ(in[p], inter_peers(&b)[p]);
        EXPECT_OK(ep_comm_disconnect(&b.local));
    }
}

static const harness_test tests[] = {
    {"free, then complete", free_then_complete, NULL},
    {"freed by the sender", freed_by_sender, NULL},
    {"left behind", left_behind, NULL},
    {"probed and persistent", probed_and_persistent, NULL},
    {"cancelled after", cancelled_after, NULL},
    {"root first", root_first, NULL},
    {"any order", any_order, NULL},
    {"traffic on the rest", traffic_on_the_rest, NULL},
    {"some leave", some_leave, NULL},
    {"inter parts", inter_parts, NULL},
    {"disconnect waits", disconnect_waits, NULL},
    {"disconnect without requests", disconnect_without_requests, NULL},
    {"disconnect inter", disconnect_inter, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "lifetimes_derived", tests);
}
