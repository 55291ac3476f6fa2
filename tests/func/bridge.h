/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge.h: a plan of an intercommunicator, known alike to all endpoints of a team, and its making. */
#ifndef EP_TEST_BRIDGE_H
#define EP_TEST_BRIDGE_H

#include "talk.h"

enum { NEITHER = -1 };

typedef struct {
    /* the plan; ranks are those of the team */
    int size;
    int side[TALK_MAX]; /* 0, 1 or NEITHER */
    int key[TALK_MAX];  /* order of the local communicators */
    int leader[2];
    ep_comm peer;            /* t->comm, or another one of all endpoints */
    int peer_rank[TALK_MAX]; /* of each endpoint in peer */
    int tag;
    /* what follows from it */
    int mine;               /* the caller's side */
    int n[2];               /* sizes of the groups */
    int ranks[2][TALK_MAX]; /* members of the groups in order */
    ep_comm local, inter;   /* EP_COMM_NULL in those that are on neither side */
} bridge;

/* A plan with these sides: keys are ranks, the first of each side leads, the peer communicator is the team's. */
void bridge_plan(const team_t *t, bridge *b, const int side[]);

/* Sides by a rule; 0 if it leaves one side empty. */
typedef int side_rule(const team_t *t, int rank);
int bridge_by_rule(const team_t *t, bridge *b, side_rule *rule);
extern side_rule *const side_rules[];
extern const int side_rule_count;

/* Split the team as planned and check local. Collective over the team. */
int bridge_locals(team_t *t, bridge *b);
/* Make and check inter; all but the leaders give garbage where only the leaders' arguments count. Called by the
 * members of both sides; returns 1 if all is well. */
int bridge_join(team_t *t, bridge *b);
/* Both; 0 in those on neither side. */
int bridge_build(team_t *t, bridge *b);
void bridge_free(bridge *b);

/* The other side's members in order, and how many. */
static inline const int *bridge_peers(const bridge *b)
{
    return b->ranks[!b->mine];
}

/* What merging gives: members of the side that comes first, then of the other. */
int bridge_merged(const bridge *b, int first, int members[]);

#endif
