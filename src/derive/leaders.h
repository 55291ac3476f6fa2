/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The leaders of all processes that take part in one collective call, as each leader sees it. Built
 * from what all of them know, so that it is the same everywhere. Processes are counted by position, from
 * the root.
 */
#ifndef EP_DERIVE_LEADERS_H
#define EP_DERIVE_LEADERS_H

#include "derive/gather.h"
#include "derive/tree.h"

/* What a process says of itself. */
struct process_info {
    uint64_t process; /* no other has it */
    uint64_t domain;  /* of the communicator it comes with */
    uint64_t time;    /* vote.c */
    uint64_t hash;    /* of what all must agree upon */
    int inner;        /* rank in the domain's inner communicator */
    int world;        /* rank in MPI_COMM_WORLD */
    int proc;         /* process of that communicator */
    int rc;           /* an error that one of its endpoints brings */
    int culprit;      /* its union rank */
    uint32_t call;    /* hash of the function that all have called */
    int checks;       /* EP_CHECK of the domain */
    int unused;
};

/* A creation's place in the order of all (vote.c). */
struct ticket {
    uint64_t time;
    uint64_t process, serial; /* of the root: break ties */
};

struct vote {
    int rc;
    int got; /* the creation lock, or did not want it */
};

_Static_assert(sizeof(struct vote) % TREE_GRAIN == 0 && sizeof(struct process_info) % TREE_GRAIN == 0,
               "they go by trees");

struct leaders {
    struct comm *comm;
    struct gather *gather; /* of this process */
    int n, me;
    int *proc, *count,
        *rank; /* by position: process in comm, endpoints that take part, rank of the leader. NULL: no memory */
    const int *ranks; /* leaders_group: members */
    int nranks;
    int root, root_proc; /* leaders_whole */
    struct tree tree;
    /* after leaders_exchange: process info and items of each process */
    size_t item;
    size_t *offset;
    char *data;
    struct ticket ticket;
    int culprit;  /* union rank of an endpoint that brought an error, or -1 */
    bool at_odds; /* endpoints called different functions: all know, and nobody goes on */
    /* the vote under way */
    struct vote *votes;
    size_t *vote_offset;
    bool got_lock;
};

/* Everybody of leader's communicator takes part, and the root is the leader of the process that union rank
 * root lives in. A process without memory takes part in everything nevertheless, and makes it fail for all. p
 * must stay where it is. */
void leaders_whole(struct leaders *p, struct gather *m, ep_comm leader, int tag, int root);
/* The endpoints with these union ranks take part; the root is the leader of the first one's process. */
void leaders_group(struct leaders *p, struct gather *m, ep_comm leader, int tag, const int ranks[], int n);
void leaders_free(struct leaders *p);

/* Everybody's process info and what the slots brought, `item` bytes each. hash: what must be the same
 * everywhere. An error class, the worst of all. */
int leaders_exchange(struct leaders *p, size_t item, uint64_t hash);
const struct process_info *leaders_process_info(const struct leaders *p, int position);
/* What the i-th endpoint of a process brought. */
const void *leaders_item(const struct leaders *p, int position, int i);

/* The same in steps: begin, tree, middle, tree, end. */
void exchange_begin(struct leaders *p, size_t item, uint64_t hash);
void exchange_middle(struct leaders *p);
int exchange_end(struct leaders *p);

/* ---- votes (vote.c) ---- */

/* Agree on rc; with MPI_SUCCESS this process has the creation lock then, if it wanted it. */
int leaders_vote(struct leaders *p, int rc, bool want_lock);
/* After a vote that was won. */
void leaders_unlock(struct leaders *p, bool had_lock);

/* The same in steps: begin, tree, middle, tree, end; when vote_end says false, it has to be done again. other: the sum of
 * the leaders of another group, or NULL. */
void vote_begin(struct leaders *p, int rc, bool want_lock);
void vote_middle(struct leaders *p, const struct vote *other);
bool vote_end(struct leaders *p, int *rc);
/* The root, before vote_middle: the sum of its own group. */
struct vote vote_sum(const struct leaders *p);

/* The time of this process, and that a ticket was given out: time goes on. */
uint64_t creation_clock(void);
void creation_clock_saw(uint64_t time);

/* A random number for this process, the same all the time. */
uint64_t process_random_id(void);

/* The text where they are at odds. */
extern const char leaders_at_odds[];

/* All that came to this process's local gather get this result, unless they have another one. */
void leaders_fail(struct leaders *p, int rc, const char *why);

#endif
