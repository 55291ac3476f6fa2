/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * intercomm.c: ep_intercomm_create and what can be done with an intercommunicator, for groups that are disjoint as
 * endpoints and share processes in all ways.
 *
 * Catches: ranks or groups of the wrong side, near peers that are not reached, handshakes that meet the user's messages
 * or each other, calls that wait for endpoints that need not come, errors in one leader that leave the others hanging.
 */
#include "inter_plan.h"
#include <stdlib.h>
#include <string.h>

/* Run body for each rule of sides that is possible here; ready: with the intercommunicator made. */
static void for_rules(team_t *t, int ready, void (*body)(team_t *t, inter_plan *b))
{
    for (int rule = 0; rule < side_rule_count; rule++) {
        inter_plan b;
        if (!inter_by_rule(t, &b, side_rules[rule]))
            continue;
        if (!ready) {
            body(t, &b);
        } else {
            if (inter_build(t, &b))
                body(t, &b);
            inter_free(&b);
        }
        team_barrier(t);
    }
}

/* ---- Messages ---- */

static void traffic_body(team_t *t, inter_plan *b)
{
    traffic(t, b->inter, inter_peers(b), TRAFFIC_LONG);
}

static void messages(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, 1, traffic_body);
}

/* Leaders anywhere, local communicators in any order, a peer communicator in which ranks are others. */
static void leaders(team_t *t, void *arg)
{
    ep_comm peer = EP_COMM_NULL;
    (void)arg;
    if (!EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &peer)))
        return;
    for (int rule = 0; rule < side_rule_count; rule++)
        for (int way = 0; way < 4; way++) {
            inter_plan b;
            if (!inter_by_rule(t, &b, side_rules[rule]))
                continue;
            for (int r = 0; r < t->size; r++) {
                b.key[r] = way % 2 ? (r * 5 + 2) % 7 : -r;
                b.peer_rank[r] = way / 2 ? t->size - 1 - r : r;
                if (b.side[r] != NEITHER && (way + r) % 3)
                    b.leader[b.side[r]] = r;
            }
            b.peer = way / 2 ? peer : t->comm;
            b.tag = 32767 * (way % 2);
            if (inter_build(t, &b))
                traffic(t, b.inter, inter_peers(&b), TRAFFIC_SHORT);
            inter_free(&b);
        }
    EXPECT_OK(ep_comm_free(&peer));
}

/* Nothing said on an intercommunicator is heard on its local communicator, its duplicate or the world. */
static void apart(team_t *t, void *arg)
{
    (void)arg;
    for (int rule = 0; rule < side_rule_count; rule++) {
        inter_plan b;
        ep_comm c[5] = {t->comm};
        if (!inter_by_rule(t, &b, side_rules[rule]))
            continue;
        if (inter_build(t, &b)) {
            EXPECT_OK(ep_comm_dup(b.inter, &c[3]));
            EXPECT_OK(ep_intercomm_merge(b.inter, b.mine, &c[4]));
        }
        c[1] = b.local;
        c[2] = b.inter;
        expect_apart(t, c, 5);
        for (int i = 1; i < 5; i++)
            if (c[i] != EP_COMM_NULL)
                EXPECT_OK(ep_comm_free(&c[i]));
    }
}

/* ---- What is derived from it ---- */

static void dup_body(team_t *t, inter_plan *b)
{
    ep_comm d[2] = {0};
    ep_request r;
    EXPECT_OK(ep_comm_dup(b->inter, &d[0]));
    EXPECT_OK(ep_comm_idup(b->inter, &d[1], &r));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_OK(ep_comm_free(&b->inter));
    for (int i = 0; i < 2; i++) {
        if (expect_members(t, d[i], b->ranks[b->mine], b->n[b->mine], inter_peers(b), b->n[!b->mine]))
            traffic(t, d[i], inter_peers(b), i ? TRAFFIC_SHORT : TRAFFIC_LONG);
        EXPECT_OK(ep_comm_free(&d[i]));
    }
}

static void dups(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, 1, dup_body);
}

/* Colors and keys are known alike to all; those of color on both sides meet. */
static void split_checked(team_t *t, inter_plan *b, const int colors[], const int keys[])
{
    int part[2][TRAFFIC_MAX], n[2];
    ep_comm c = (ep_comm)(uintptr_t)0x123;
    for (int s = 0; s < 2; s++) {
        int of_side[TRAFFIC_MAX];
        for (int r = 0; r < t->size; r++)
            of_side[r] = b->side[r] == s ? colors[r] : MPI_UNDEFINED;
        /* ties are broken by the rank in the group, which is that in the team here */
        n[s] = in_order(t->size, of_side, keys, colors[t->rank], part[s]);
    }
    if (!EXPECT_OK(ep_comm_split(b->inter, colors[t->rank], keys[t->rank], &c)))
        return;
    if (colors[t->rank] == MPI_UNDEFINED || !n[0] || !n[1]) {
        EXPECT(c == EP_COMM_NULL);
        return;
    }
    if (expect_members(t, c, part[b->mine], n[b->mine], part[!b->mine], n[!b->mine]))
        traffic(t, c, part[!b->mine], TRAFFIC_SHORT);
    EXPECT_OK(ep_comm_free(&c));
}

static void split_body(team_t *t, inter_plan *b)
{
    uint64_t common = harness_seed();
    int colors[TRAFFIC_MAX], keys[TRAFFIC_MAX];
    for (int r = 0; r < t->size; r++) { /* one color per side: nobody meets */
        colors[r] = b->side[r] == 0;
        keys[r] = 0;
    }
    split_checked(t, b, colors, keys);
    for (int r = 0; r < t->size; r++) { /* all of one side, some of the other */
        colors[r] = b->side[r] == 0 || r % 2 ? 3 : MPI_UNDEFINED;
        keys[r] = -r;
    }
    split_checked(t, b, colors, keys);
    for (int round = 0; round < 8; round++) {
        for (int r = 0; r < t->size; r++) {
            colors[r] = random_below(&common, 4) - 1;
            if (colors[r] < 0)
                colors[r] = MPI_UNDEFINED;
            keys[r] = random_below(&common, 3) - 1;
        }
        split_checked(t, b, colors, keys);
    }
}

static void splits(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, 1, split_body);
}

/* Each side gives a part of its own group: every second member from the end; then one side gives nothing. */
static void create_body(team_t *t, inter_plan *b)
{
    int part[2][TRAFFIC_MAX], n[2] = {0}, positions[TRAFFIC_MAX];
    ep_group own = EP_GROUP_NULL, some = EP_GROUP_NULL;
    ep_comm c = (ep_comm)(uintptr_t)0x123;
    for (int s = 0; s < 2; s++)
        for (int i = b->n[s] - 1; i >= 0; i -= 2) {
            if (s == b->mine)
                positions[n[s]] = i;
            part[s][n[s]++] = b->ranks[s][i];
        }
    EXPECT_OK(ep_comm_group(b->inter, &own));
    EXPECT_OK(ep_group_incl(own, n[b->mine], positions, &some));
    EXPECT_OK(ep_group_free(&own));
    if (EXPECT_OK(ep_comm_create(b->inter, some, &c))) {
        if (find(part[b->mine], n[b->mine], t->rank) < 0) {
            EXPECT(c == EP_COMM_NULL);
        } else {
            if (expect_members(t, c, part[b->mine], n[b->mine], part[!b->mine], n[!b->mine]))
                traffic(t, c, part[!b->mine], TRAFFIC_SHORT);
            EXPECT_OK(ep_comm_free(&c));
        }
    }
    c = (ep_comm)(uintptr_t)0x123;
    EXPECT_OK(ep_comm_create(b->inter, b->mine ? some : EP_GROUP_EMPTY, &c));
    EXPECT(c == EP_COMM_NULL);
    EXPECT_OK(ep_group_free(&some));
}

static void creates(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, 1, create_body);
}

/* ---- Creation among other things ---- */

/* Messages with the tag of the creation, and receives of anything, pend on the peer communicator meanwhile. */
static void messages_undisturbed(team_t *t, void *arg)
{
    (void)arg;
    for (int rule = 0; rule < side_rule_count; rule++) {
        inter_plan b;
        int in[TRAFFIC_MAX], seen[TRAFFIC_MAX] = {0}, flag = -1;
        ep_request receives[TRAFFIC_MAX], sends[TRAFFIC_MAX];
        ep_status s[TRAFFIC_MAX];
        ep_comm peer = EP_COMM_NULL;
        if (!inter_by_rule(t, &b, side_rules[rule]))
            continue;
        EXPECT_OK(ep_comm_dup(t->comm, &peer));
        b.peer = peer;
        if (rule % 2 == 0) /* receives wait for messages, or messages for receives */
            for (int r = 0; r < t->size; r++)
                EXPECT_OK(ep_irecv(&in[r], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, peer, &receives[r]));
        else
            for (int r = 0; r < t->size; r++)
                EXPECT_OK(ep_isend(&t->rank, 1, MPI_INT, r, b.tag, peer, &sends[r]));
        team_barrier(t);
        if (inter_build(t, &b))
            traffic(t, b.inter, inter_peers(&b), TRAFFIC_SHORT);
        team_barrier(t);
        if (rule % 2 == 0) {
            EXPECT_OK(ep_testall(t->size, receives, &flag, s));
            EXPECT_EQ(flag, 0);
            for (int r = 0; r < t->size; r++) {
                EXPECT_OK(ep_request_get_status(receives[r], &flag, EP_STATUS_IGNORE));
                EXPECT_EQ(flag, 0);
            }
            team_barrier(t);
            for (int r = 0; r < t->size; r++)
                EXPECT_OK(ep_isend(&t->rank, 1, MPI_INT, r, b.tag, peer, &sends[r]));
        } else {
            for (int r = 0; r < t->size; r++)
                EXPECT_OK(ep_irecv(&in[r], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, peer, &receives[r]));
        }
        EXPECT_OK(ep_waitall(t->size, receives, s));
        EXPECT_OK(ep_waitall(t->size, sends, EP_STATUSES_IGNORE));
        for (int r = 0; r < t->size; r++) {
            EXPECT_EQ(s[r].MPI_TAG, b.tag);
            EXPECT_EQ(in[r], s[r].MPI_SOURCE);
            if (EXPECT(in[r] >= 0 && in[r] < t->size))
                EXPECT_EQ(seen[in[r]]++, 0);
        }
        inter_free(&b);
        EXPECT_OK(ep_comm_free(&peer));
    }
}

/* The endpoints of neither side are elsewhere meanwhile: in a receive that only ends afterwards. */
static void others_elsewhere(team_t *t, void *arg)
{
    int side[TRAFFIC_MAX], last = t->size - 1;
    inter_plan b;
    (void)arg;
    for (int r = 0; r < t->size; r++)
        side[r] = r == last ? NEITHER : r % 2;
    inter_set_sides(t, &b, side);
    inter_locals(t, &b);
    if (t->rank == last) {
        for (int i = 0; i < last; i++)
            EXPECT_OK(ep_recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 2, t->comm, EP_STATUS_IGNORE));
    } else {
        if (inter_join(t, &b))
            traffic(t, b.inter, inter_peers(&b), TRAFFIC_SHORT);
        EXPECT_OK(ep_send(NULL, 0, MPI_INT, last, 2, t->comm));
    }
    inter_free(&b);
}

/* Two intercommunicators between four groups at the same time over one peer communicator. */
static void two_at_once(team_t *t, void *arg)
{
    (void)arg;
    for (int round = 0; round < 10; round++) {
        inter_plan b;
        int side[TRAFFIC_MAX], team = t->rank / 2 % 2; /* groups: ranks 0, 1, 2, 3 modulo 4 */
        for (int r = 0; r < t->size; r++)
            side[r] = r / 2 % 2 == team ? r % 2 : NEITHER;
        inter_set_sides(t, &b, side);
        b.tag = 10 + (team ^ (round & 1));
        int colour = 2 * team + b.mine;
        for (int s = 0; s < 2; s++)
            b.n[s] = in_order(t->size, b.side, b.key, s, b.ranks[s]);
        b.inter = EP_COMM_NULL;
        if (EXPECT_OK(ep_comm_split(t->comm, colour, 0, &b.local)) && inter_join(t, &b))
            traffic(t, b.inter, inter_peers(&b), TRAFFIC_SHORT);
        inter_free(&b);
    }
}

typedef struct {
    team_t *t;
    inter_plan b;
} job;

static void *join_and_send(void *arg)
{
    job *j = arg;
    team_adopt(j->t);
    if (inter_join(j->t, &j->b))
        traffic(j->t, j->b.inter, inter_peers(&j->b), TRAFFIC_SHORT);
    return NULL;
}

/* Two threads of every endpoint make an intercommunicator between the same leaders; the tags tell them apart. */
static void two_threads(team_t *t, void *arg)
{
    (void)arg;
    for (int rule = 0; rule < 2; rule++) {
        job jobs[2] = {{.t = t}, {.t = t}};
        int ok = 1;
        for (int k = 0; k < 2; k++) {
            inter_by_rule(t, &jobs[k].b, side_rules[rule]);
            jobs[k].b.tag = 20 + k;
            for (int r = 0; r < t->size; r++) /* the orders tell which one it is */
                jobs[k].b.key[r] = k ? -r : r;
            ok &= inter_locals(t, &jobs[k].b);
        }
        int turned = t->rank % 2;
        if (!ok)
            return;
        side_by_side(join_and_send, &jobs[!turned], &jobs[turned]);
        inter_free(&jobs[0].b);
        inter_free(&jobs[1].b);
    }
}

/* ---- Endpoints of two creations ---- */

typedef struct {
    ep_comm *set[3];
} sets;

typedef struct {
    team_t *t;
    ep_comm local, peer;
    int side, rank, total;
} set_member;

/* Rank i of one set sends to all of the other; `to all` is what ranks are known by. */
static void *join_sets(void *arg)
{
    set_member *p = arg;
    ep_comm inter = EP_COMM_NULL, merged = EP_COMM_NULL;
    int peers[TRAFFIC_MAX], both[2 * TRAFFIC_MAX], size = 0, remote = 0, mine = 1000 * p->side + p->rank;
    int lead = p->side ? p->total - 1 : 0, other = p->side ? 0 : p->total - 1;
    team_adopt(p->t);
    EXPECT_OK(ep_comm_set_errhandler(p->local, EP_ERRORS_RETURN));
    EXPECT_OK(ep_comm_set_errhandler(p->peer, EP_ERRORS_RETURN));
    int rc = ep_intercomm_create(p->local, lead, p->rank == lead ? p->peer : EP_COMM_NULL,
                                 p->rank == lead ? other : -1, 6, &inter);
    if (!EXPECT_RC(rc, MPI_SUCCESS))
        return NULL;
    EXPECT_OK(ep_comm_size(inter, &size));
    EXPECT_EQ(size, p->total);
    EXPECT_OK(ep_comm_remote_size(inter, &remote));
    EXPECT_EQ(remote, p->total);
    gather(inter, &mine, 1, peers);
    for (int i = 0; i < p->total; i++)
        EXPECT_EQ(peers[i], 1000 * !p->side + i);
    if (EXPECT_OK(ep_intercomm_merge(inter, p->side, &merged))) {
        EXPECT_OK(ep_comm_free(&inter));
        gather(merged, &mine, 1, both);
        for (int i = 0; i < 2 * p->total; i++)
            EXPECT_EQ(both[i], i < p->total ? i : 1000 + i - p->total);
        EXPECT_OK(ep_comm_free(&merged));
    }
    return NULL;
}

/* Each thread of the team acts for its endpoint of the first set, a helper for that of the second. The leaders
 * know each other through a third: there they are different endpoints. */
static void two_creations_body(team_t *t, void *arg)
{
    sets *s = arg;
    set_member a = {t, s->set[0][t->index], s->set[2][t->index], 0, t->rank, t->size};
    set_member b = {t, s->set[1][t->index], s->set[2][t->index], 1, t->rank, t->size};
    side_by_side(join_sets, &a, &b);
    team_barrier(t);
    for (int i = 0; i < 3; i++)
        EXPECT_OK(ep_comm_free(&s->set[i][t->index]));
}

static void two_creations(void)
{
    int n = team_local_count(), ok = 1;
    sets s;
    for (int i = 0; i < 3; i++) {
        s.set[i] = xmalloc((size_t)n * sizeof *s.set[i]);
        ok &= EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, s.set[i]));
    }
    if (ok)
        team_run(two_creations_body, &s);
    for (int i = 0; i < 3; i++)
        free(s.set[i]);
}

/* ---- Errors ---- */

/* Everyone gets the same error, and a good one can be made afterwards. */
static void after_errors(team_t *t, inter_plan *b)
{
    if (b->inter != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(&b->inter));
    if (inter_join(t, b))
        traffic(t, b->inter, inter_peers(b), TRAFFIC_SHORT);
}

/* Creation with one argument other than planned, if it is not GOOD, on both sides. */
enum { GOOD = -100 };

static int create_with(inter_plan *b, int rank, int local_leader, int remote_leader, int tag)
{
    int lead = b->leader[b->mine] == rank;
    if (local_leader == GOOD)
        local_leader = find(b->ranks[b->mine], b->n[b->mine], b->leader[b->mine]);
    if (remote_leader == GOOD)
        remote_leader = b->peer_rank[b->leader[!b->mine]];
    return ep_intercomm_create(b->local, local_leader, lead ? b->peer : EP_COMM_NULL, remote_leader,
                               tag == GOOD ? b->tag : tag, &b->inter);
}

static void error_body(team_t *t, inter_plan *b)
{
    if (!inter_locals(t, b))
        return;
    EXPECT_RC(create_with(b, t->rank, -1, GOOD, GOOD), MPI_ERR_RANK);
    EXPECT_RC(create_with(b, t->rank, b->n[b->mine], GOOD, GOOD), MPI_ERR_RANK);
    EXPECT_RC(create_with(b, t->rank, GOOD, t->size, GOOD), MPI_ERR_RANK);
    EXPECT_RC(create_with(b, t->rank, GOOD, -3, GOOD), MPI_ERR_RANK);
    EXPECT_RC(create_with(b, t->rank, GOOD, GOOD, -1), MPI_ERR_TAG);
    EXPECT(b->inter == EP_COMM_NULL);
    after_errors(t, b);
    inter_free(b);
}

static void wrong_arguments(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, 0, error_body);
}

/* One endpoint, and it is no leader, is in both groups: of two threads of it one acts in each. */
typedef struct {
    team_t *t;
    ep_comm local, peer;
    int leader, remote, i_lead;
} half;

static void *join_half(void *arg)
{
    half *h = arg;
    ep_comm c = EP_COMM_NULL;
    team_adopt(h->t);
    int rc = ep_intercomm_create(h->local, h->leader, h->i_lead ? h->peer : EP_COMM_NULL, h->remote, 1, &c);
    EXPECT_RC(rc, MPI_ERR_COMM);
    EXPECT(c == EP_COMM_NULL);
    return NULL;
}

static void common_endpoint(team_t *t, void *arg)
{
    int common = t->size / 2, in_a = t->rank <= common, in_b = t->rank >= common, last = t->size - 1;
    int all[TRAFFIC_MAX];
    ep_comm a = EP_COMM_NULL, b = EP_COMM_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, in_a ? 0 : MPI_UNDEFINED, 0, &a));
    EXPECT_OK(ep_comm_split(t->comm, in_b ? 0 : MPI_UNDEFINED, 0, &b));
    half ha = {t, a, t->comm, 0, last, t->rank == 0}, hb = {t, b, t->comm, last - common, 0, t->rank == last};
    if (in_a && in_b)
        side_by_side(join_half, &ha, &hb);
    else
        join_half(in_a ? &ha : &hb);
    for (int r = 0; r < t->size; r++)
        all[r] = r;
    traffic(t, t->comm, all, TRAFFIC_SHORT);
    if (a != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(&a));
    if (b != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(&b));
}

/* What wants an intracommunicator refuses an intercommunicator, and the other way round. */
static void wrong_kind_body(team_t *t, inter_plan *b)
{
    ep_comm c = EP_COMM_NULL;
    ep_group g = EP_GROUP_NULL;
    EXPECT_RC(ep_intercomm_create(b->inter, 0, t->comm, 0, 0, &c), MPI_ERR_COMM);
    EXPECT_RC(ep_intercomm_merge(b->local, 0, &c), MPI_ERR_COMM);
    EXPECT_OK(ep_comm_group(b->inter, &g));
    EXPECT_RC(ep_comm_create_group(b->inter, g, 0, &c), MPI_ERR_COMM);
    EXPECT_RC(ep_send(NULL, 0, MPI_INT, b->n[!b->mine], 0, b->inter), MPI_ERR_RANK);
    EXPECT_RC(ep_recv(NULL, 0, MPI_INT, b->n[!b->mine], 0, b->inter, EP_STATUS_IGNORE), MPI_ERR_RANK);
    EXPECT_OK(ep_group_free(&g));
    traffic(t, b->inter, inter_peers(b), TRAFFIC_SHORT);
}

static void wrong_kind(team_t *t, void *arg)
{
    (void)arg;
    for_rules(t, 1, wrong_kind_body);
}

static const harness_test tests[] = {
    {"messages", messages, NULL},
    {"leaders", leaders, NULL},
    {"apart", apart, NULL},
    {"dups", dups, NULL},
    {"splits", splits, NULL},
    {"creates", creates, NULL},
    {"messages undisturbed", messages_undisturbed, NULL},
    {"others elsewhere", others_elsewhere, NULL},
    {"two at once", two_at_once, NULL},
    {"two threads", two_threads, NULL},
    {"two creations", NULL, two_creations},
    {"wrong arguments", wrong_arguments, NULL},
    {"common endpoint", common_endpoint, NULL},
    {"wrong kind", wrong_kind, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "intercomm", tests);
}
