/* SPDX-License-Identifier: BSD-3-Clause */
/* inter_plan.h: a plan of an intercommunicator, known alike to all endpoints of a team, and its making. */
#ifndef EP_TEST_INTER_PLAN_H
#define EP_TEST_INTER_PLAN_H

#include "traffic.h"

enum { NEITHER = -1 };

typedef struct {
    /* the plan; ranks are those of the team */
    int size;
    int side[TRAFFIC_MAX]; /* 0, 1 or NEITHER */
    int key[TRAFFIC_MAX];  /* order of the local communicators */
    int leader[2];
    ep_comm peer;               /* t->comm, or another one of all endpoints */
    int peer_rank[TRAFFIC_MAX]; /* of each endpoint in peer */
    int tag;
    /* what follows from it */
    int mine;                  /* the caller's side */
    int n[2];                  /* sizes of the groups */
    int ranks[2][TRAFFIC_MAX]; /* members of the groups in order */
    ep_comm local, inter;      /* EP_COMM_NULL in those that are on neither side */
} inter_plan;

/* A plan with these sides: keys are ranks, the first of each side leads, the peer communicator is the team's. */
void inter_set_sides(const team_t *t, inter_plan *b, const int side[]);

/* Sides by a rule; 0 if it leaves one side empty. */
typedef int side_rule(const team_t *t, int rank);
int inter_by_rule(const team_t *t, inter_plan *b, side_rule *rule);
extern side_rule *const side_rules[];
extern const int side_rule_count;

/* Split the team as planned and check local. Collective over the team. */
int inter_locals(team_t *t, inter_plan *b);
/* Make and check inter; all but the leaders give garbage where only the leaders' arguments count. Called by the
 * members of both sides; returns 1 if all is well. */
int inter_join(team_t *t, inter_plan *b);
/* Both; 0 in those on neither side. */
int inter_build(team_t *t, inter_plan *b);
void inter_free(inter_plan *b);

/* The other side's members in order, and how many. */
static inline const int *inter_peers(const inter_plan *b)
{
    return b->ranks[!b->mine];
}

/* What merging gives: members of the side that comes first, then of the other. */
int inter_merged(const inter_plan *b, int first, int members[]);

#endif
