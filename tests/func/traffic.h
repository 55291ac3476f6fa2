/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h: who is on a communicator, and do messages go to them and to nobody else.
 *
 * Members are named by their rank in the team. The peers of a communicator are those that one can send to: on an
 * intercommunicator the other group. All functions here are called by all members of the communicator.
 */
#ifndef EP_TEST_TRAFFIC_H
#define EP_TEST_TRAFFIC_H

#include "harness.h"

enum { TRAFFIC_MAX = 64 }; /* endpoints of a team in these tests */

/* Number of peers. */
int peers_of(ep_comm comm);

/* n ints of each peer, in the order of ranks. */
void gather(ep_comm comm, const int *mine, int n, int *all);

/* Returns when all members of both groups have come. */
void meet(ep_comm comm);

/* Rank, size, groups and kind of comm are those of these members; other is NULL for an intracommunicator. Local.
 * Returns 1 if so. */
int expect_members(const team_t *t, ep_comm comm, const int own[], int n, const int other[], int m);

/* A short message from everyone to every peer, or all kinds of them. */
enum { TRAFFIC_SHORT, TRAFFIC_LONG };
void traffic(team_t *t, ep_comm comm, const int peers[], int depth);

/* Messages of one tag on several communicators at once, received with wildcards in the opposite order. Called by
 * the whole team; a communicator may be EP_COMM_NULL. */
void expect_apart(team_t *t, ep_comm comms[], int n);

/* fn(mine) in this thread and fn(another) in one of its own at the same time. While the latter goes on, this thread stays
 * inside ep, which it must at MPI_THREAD_FUNNELED if it is the main thread. Local. */
void side_by_side(void *(*fn)(void *), void *mine, void *another);

/* Position of value in list, or -1. */
int find(const int list[], int n, int value);

/* Ranks of the team that have this color, by key, then rank. Returns how many. */
int in_order(int size, const int colors[], const int keys[], int color, int members[]);

#endif
