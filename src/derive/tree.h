/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A binomial tree over the leaders of processes: gathering to the root, broadcasting from it. Point-to-point
 * messages of ep's own kind, so that everybody goes on making progress and no MPI call blocks.
 *
 * Positions are counted from the root (0). Position v's parent is v without its lowest bit; its subtree are
 * the positions [v, v + lowest bit), so what it gathers is one piece. One operation at a time; one message
 * of it at a time.
 *
 * Who has no memory, or another error, takes part nevertheless, with data NULL, and sends the class of the error instead:
 * one int, which makes that the receiver's, too; so in the end all have one, and MPI_ERR_ARG if anybody had that. Data have a multiple of
 * TREE_GRAIN bytes, none among them, so an int is never taken for data. A message of another size than expected comes from another call:
 * MPI_ERR_ARG.
 *
 * What there is no memory for is tried again (tree_step says false). A message of at most NOTICE_MAX bytes, so each error, and what is decided
 * by a vote, is never left out, nor replaced by an error: it needs at most one of the requests that the endpoint keeps. A receive
 * gets one of them when its message has come. So what the root broadcasts in so few bytes all learn alike. More bytes may
 * become MPI_ERR_NO_MEM for some of them, who have to tell the others by a vote.
 */
#ifndef EP_DERIVE_TREE_H
#define EP_DERIVE_TREE_H

#include "p2p/p2p.h"

enum { TREE_GRAIN = 8 };

struct tree {
    /* set by the caller */
    ep_comm view;                                  /* the leader of this process */
    int tag;                                       /* with its kind */
    int n, me;                                     /* number of processes, own position */
    int (*rank_of)(const void *arg, int position); /* rank of a leader, as messages of this kind count it */
    const void *arg;
    /* the operation under way */
    enum { TREE_IDLE, TREE_UP, TREE_DOWN_GET, TREE_DOWN_GIVE } phase;
    bool to_all; /* what is gathered is broadcast then */
    int bit;
    char *data;
    const size_t
        *offset;  /* gathering: where each position's piece begins; n + 1 entries, multiples of TREE_GRAIN */
    size_t bytes; /* broadcasting; a multiple likewise */
    ep_request pending;
    bool starved;  /* there was no memory for the next message: to be tried again */
    size_t wanted; /* bytes, if pending is a receive */
    int told;      /* the error that goes out, or came where there is no room for data */
    int rc;        /* MPI_ERR_ARG, or else the first error; may be set before the first operation */
};

/* Own piece is in data; at the root all pieces are there in the end. offset may be NULL if data is. */
void tree_gather(struct tree *t, void *data, const size_t offset[]);
/* And then all pieces to everybody. */
void tree_allgather(struct tree *t, void *data, const size_t offset[]);
/* The root's data to everybody. */
void tree_bcast(struct tree *t, void *data, size_t bytes);

/* Go on; true when the operation is over. The lock of view's endpoint is held. */
bool tree_step(struct tree *t);
/* Block until it is over. Returns t->rc. */
int tree_run(struct tree *t);

#endif
