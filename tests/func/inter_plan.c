/* SPDX-License-Identifier: BSD-3-Clause */
/* inter_plan.c: see inter_plan.h. */
#include "inter_plan.h"
#include <string.h>

static int halves(const team_t *t, int rank)
{
    return rank >= t->size / 2;
}

static int odd_ranks(const team_t *t, int rank)
{
    (void)t;
    return rank % 2;
}

static int odd_processes(const team_t *t, int rank)
{
    int before = 0; /* processes that have endpoints */
    for (int p = team_process_of(t, rank) - 1; p >= 0; p--)
        before += t->counts[p] > 0;
    return before % 2;
}

static int last_process(const team_t *t, int rank)
{
    return team_process_of(t, rank) == team_process_of(t, t->size - 1);
}

static int one_against_all(const team_t *t, int rank)
{
    return rank == t->size / 2 ? 0 : 1;
}

static int with_gaps(const team_t *t, int rank)
{
    (void)t;
    return rank % 3 == 1 ? NEITHER : rank % 3 == 2;
}

side_rule *const side_rules[] = {halves, odd_ranks, odd_processes, last_process, one_against_all, with_gaps};
const int side_rule_count = (int)(sizeof side_rules / sizeof *side_rules);

void inter_set_sides(const team_t *t, inter_plan *b, const int side[])
{
    memset(b, 0, sizeof *b);
    b->size = t->size;
    b->peer = t->comm;
    b->tag = 3;
    b->leader[0] = b->leader[1] = -1;
    for (int r = 0; r < t->size; r++) {
        b->side[r] = side[r];
        b->key[r] = b->peer_rank[r] = r;
        if (side[r] != NEITHER && b->leader[side[r]] < 0)
            b->leader[side[r]] = r;
    }
    b->mine = side[t->rank];
}

int inter_by_rule(const team_t *t, inter_plan *b, side_rule *rule)
{
    int side[TRAFFIC_MAX];
    for (int r = 0; r < t->size; r++)
        side[r] = rule(t, r);
    inter_set_sides(t, b, side);
    return b->leader[0] >= 0 && b->leader[1] >= 0;
}

int inter_locals(team_t *t, inter_plan *b)
{
    int color = b->mine == NEITHER ? MPI_UNDEFINED : b->mine;
    b->local = b->inter = EP_COMM_NULL;
    for (int s = 0; s < 2; s++)
        b->n[s] = in_order(t->size, b->side, b->key, s, b->ranks[s]);
    if (!EXPECT_OK(ep_comm_split(t->comm, color, b->key[t->rank], &b->local)))
        return 0;
    if (b->mine == NEITHER) {
        EXPECT(b->local == EP_COMM_NULL);
        return 0;
    }
    return expect_members(t, b->local, b->ranks[b->mine], b->n[b->mine], NULL, 0);
}

int inter_join(team_t *t, inter_plan *b)
{
    int leader = b->leader[b->mine], other = b->leader[!b->mine], i_lead = leader == t->rank, rc;
    rc = ep_intercomm_create(b->local, find(b->ranks[b->mine], b->n[b->mine], leader),
                             i_lead ? b->peer : EP_COMM_NULL, i_lead ? b->peer_rank[other] : -77,
                             i_lead ? b->tag : -5, &b->inter);
    return EXPECT_RC(rc, MPI_SUCCESS) &&
           expect_members(t, b->inter, b->ranks[b->mine], b->n[b->mine], inter_peers(b), b->n[!b->mine]);
}

int inter_build(team_t *t, inter_plan *b)
{
    return inter_locals(t, b) && inter_join(t, b);
}

void inter_free(inter_plan *b)
{
    if (b->inter != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(&b->inter));
    if (b->local != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(&b->local));
}

int inter_merged(const inter_plan *b, int first, int members[])
{
    memcpy(members, b->ranks[first], (size_t)b->n[first] * sizeof *members);
    memcpy(members + b->n[first], b->ranks[!first], (size_t)b->n[!first] * sizeof *members);
    return b->n[0] + b->n[1];
}
