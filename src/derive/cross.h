/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An intercommunicator whose groups come from different universes, that is from different calls of
 * ep_comm_create_endpoints: no MPI communicator is known that has the processes of both. Let A and B be the
 * processes of the lower and the upper group. One is made by MPI's own means: an intercommunicator of A and
 * of those of B that are not in A (which may be none), merged. What it needs beside is a communicator with
 * one process of each: B's universe if A and B have a process in common, else that of the peer
 * communicator, through the leaders.
 */
#ifndef EP_DERIVE_CROSS_H
#define EP_DERIVE_CROSS_H

#include "derive/draft.h"

struct cross {
    const struct bridge *bridge; /* in the leaders */
    struct comm *comm[2];        /* this process's part of the lower and the upper group, or NULL */
    /* set by cross_prepare */
    int *rest, nrest;   /* processes of B that are not in A: ranks in B's universe */
    int *a, na;         /* those of A: ranks in A's; in one piece with rest */
    bool common;        /* A and B have a process in common */
    int from_a, from_b; /* it, and the first of the rest, as ranks in B's universe */
    int leader_a;       /* the process of A that leads, as a rank of A's communicator */
};

/* Does nothing unless the universes differ; else sets d->cross and d->id. False without memory... as an
 * error class. */
int cross_prepare(struct cross *x, struct draft *d, const struct passport a[], int na,
                  const struct passport b[], int nb);
void cross_clean(struct cross *x);

/* A communicator of all processes, with this one's rank ordered by key. An error class, the same in all. Blocks in MPI;
 * the process has the turn. */
int cross_join(const struct cross *x, int key, MPI_Comm *all);

/* The processes with these ranks in inner, of which this one is number `me`, get the highest rc of all. Blocks in MPI. */
int cross_agree(MPI_Comm inner, const int ranks[], int n, int me, int rc);

#endif
