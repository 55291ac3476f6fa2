/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A party: the heads of all processes that take part in one collective call, as each head sees it. Built
 * from what all of them know, so that it is the same everywhere. Processes are counted by position, from
 * the root.
 */
#ifndef EP_DERIVE_PARTY_H
#define EP_DERIVE_PARTY_H

#include "derive/meeting.h"
#include "derive/tree.h"
#include "derive/turn.h"

/* What a process says of itself. */
struct passport {
    uint64_t process;  /* no other has it */
    uint64_t universe; /* of the communicator it comes with */
    uint64_t time;     /* turn.h */
    uint64_t hash;     /* of what all must agree upon */
    int inner;         /* rank in the universe's inner communicator */
    int world;         /* rank in MPI_COMM_WORLD */
    int proc;          /* process of that communicator */
    int rc;            /* an error that one of its endpoints brings */
    int culprit;       /* its union rank */
    uint32_t call;     /* hash of the function that all have called */
    int checks;        /* EP_CHECK of the universe */
    int unused;
};

/* The link to another party, used by the two roots: messages of their own kind on a communicator that has
 * both. */
struct bridge {
    ep_comm peer; /* NULL: not the root */
    int rank, tag;
};

struct vote {
    int rc;
    int got; /* the turn, or did not want it */
};

_Static_assert(sizeof(struct vote) % TREE_GRAIN == 0 && sizeof(struct passport) % TREE_GRAIN == 0, "they go by trees");

struct party {
    struct comm *comm;
    struct meeting *meeting; /* of this process */
    int n, me;
    int *proc, *count,
        *rank; /* by position: process in comm, endpoints that take part, rank of the head. NULL: no memory */
    const int *ranks; /* party_group: members */
    int nranks;
    int root, root_proc; /* party_whole */
    struct tree tree;
    struct bridge *bridge; /* NULL if there is no other party */
    /* after party_exchange: passport and items of each process */
    size_t item;
    size_t *offset;
    char *data;
    struct ticket ticket;
    int culprit;  /* union rank of an endpoint that brought an error, or -1 */
    bool at_odds; /* endpoints called different functions: all know, and nobody goes on */
    /* the vote under way */
    struct vote *votes;
    size_t *vote_offset;
    bool got_turn;
};

/* Everybody of head's communicator takes part, and the root is the head of the process that union rank root
 * lives in. A process without memory takes part in everything nevertheless, and makes it fail for all. p
 * must stay where it is. */
void party_whole(struct party *p, struct meeting *m, ep_comm head, int tag, int root);
/* The endpoints with these union ranks take part; the root is the head of the first one's process. */
void party_group(struct party *p, struct meeting *m, ep_comm head, int tag, const int ranks[], int n);
void party_free(struct party *p);

/* Everybody's passport and what the slots brought, `item` bytes each. hash: what must be the same
 * everywhere. An error class, the worst of all. */
int party_exchange(struct party *p, size_t item, uint64_t hash);
const struct passport *party_passport(const struct party *p, int position);
/* What the i-th endpoint of a process brought. */
const void *party_item(const struct party *p, int position, int i);

/* The same in steps: begin, tree, middle, tree, end. */
void exchange_begin(struct party *p, size_t item, uint64_t hash);
void exchange_middle(struct party *p);
int exchange_end(struct party *p);

/* Agree on rc; with MPI_SUCCESS this process has the turn then, if it wanted it. */
int party_vote(struct party *p, int rc, bool want_turn);
/* The same in steps; when vote_end says false, it has to be done again. */
void vote_begin(struct party *p, int rc, bool want_turn);
void vote_middle(struct party *p);
bool vote_end(struct party *p, int *rc);

/* After a vote that was won. */
void party_end_turn(struct party *p, bool had_turn);

/* Roots exchange data. */
int bridge_swap(const struct bridge *b, const void *out, size_t out_bytes, void *in, size_t in_bytes);

/* The text where they are at odds. */
extern const char party_at_odds[];

/* All that came to this process's meeting get this result, unless they have another one. */
void party_fail(struct party *p, int rc, const char *why);

#endif
