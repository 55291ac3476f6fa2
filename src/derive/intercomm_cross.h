/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An intercommunicator whose groups come from different domains, that is from different calls of
 * ep_comm_create_endpoints: no MPI communicator is known that has the processes of both. Let A and B be the
 * processes of the lower and the upper group. One is made by MPI's own means: an intercommunicator of A and
 * of those of B that are not in A (which may be none), merged. What it needs beside is a communicator with
 * one process of each: B's domain if A and B have a process in common, else that of the peer
 * communicator, through the leaders.
 */
#ifndef EP_DERIVE_INTERCOMM_CROSS_H
#define EP_DERIVE_INTERCOMM_CROSS_H

#include "derive/builder.h"

struct intercomm_cross {
    const struct root_link *root_link; /* in the leaders */
    struct comm *comm[2];              /* this process's part of the lower and the upper group, or NULL */
    /* set by intercomm_cross_prepare */
    int *rest, nrest;   /* processes of B that are not in A: ranks in B's domain */
    int *a, na;         /* those of A: ranks in A's; in one piece with rest */
    bool common;        /* A and B have a process in common */
    int from_a, from_b; /* it, and the first of the rest, as ranks in B's domain */
    int leader_a;       /* the process of A that leads, as a rank of A's communicator */
};

/* Does nothing unless the domains differ; else sets d->intercomm_cross and d->id. False without memory... as
 * an error class. */
int intercomm_cross_prepare(struct intercomm_cross *x, struct comm_builder *d, const struct process_info a[],
                            int na, const struct process_info b[], int nb);
void intercomm_cross_clean(struct intercomm_cross *x);

/* A communicator of all processes, with this one's rank ordered by key. An error class, the same in all. Blocks in MPI;
 * the process has the creation lock. */
int intercomm_cross_join(const struct intercomm_cross *x, int key, MPI_Comm *all);

/* The processes with these ranks in inner, of which this one is number `me`, get the highest rc of all. Blocks in MPI. */
int intercomm_cross_agree(MPI_Comm inner, const int ranks[], int n, int me, int rc);

#endif
