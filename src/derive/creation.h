/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A creation: how the leaders of the processes make communicators out of one. creation.c has the states that it goes
 * through, the messages and why it ends; what is to be made says its kind (split.c, intercomm.c, idup.c).
 */
#ifndef EP_DERIVE_CREATION_H
#define EP_DERIVE_CREATION_H

#include "derive/builder.h"
#include "derive/leaders.h"

struct creation;
struct joining; /* intercomm.c */

struct creation_kind {
    size_t item; /* bytes that each endpoint brings */
    /* All is known: builders for what is to be made here, in the order that all processes keep. An error class. */
    int (*plan)(struct creation *c);
};

enum creation_state {
    EXCHANGE_UP,
    EXCHANGE_DOWN,
    SUMMARIES_LINK, /* this and the next three only of an intercommunicator */
    SUMMARIES_DOWN,
    MEMBERS_LINK,
    MEMBERS_DOWN,
    VOTE_UP,
    VOTE_LINK,
    VOTE_DOWN,
    PAIR,
    MAKE,
    OVER
};

struct creation {
    struct work work; /* of one in steps */
    const struct creation_kind *kind;
    void *arg; /* of the kind */
    struct leaders *leaders;
    struct joining *joining; /* of an intercommunicator, or NULL */
    enum creation_state state;
    struct tree *tree; /* what the state waits for: that it is over; */
    _Atomic bool
        *flag; /* or else that it is set: release by who sets it, acquire creation_run and creation_step */
    int rc;
    struct comm_builder *builders, **end; /* in the order in which they are made */
    struct far_call call;
    struct leaders own; /* of one in steps */
};

/* In the thread of the leader, which waits. hash: what must be the same everywhere. */
void creation_run(struct creation *c, uint64_t hash);

/* All endpoints of this process have come to m, and nobody waits: a work of the endpoint at position 0, which ends m.
 * c must stay where it is until the slots are released. kind: NULL if m is mixed. */
void creation_start(struct creation *c, struct gather *m, const struct creation_kind *kind);

/* One more, with nothing in it; the creation's. NULL without memory. */
struct comm_builder *creation_add(struct creation *c);

/* ---- what an intercommunicator has beside (intercomm.c) ---- */

/* Does this leader exchange with the other group's root? Then it waits for that after each joining_begin_. */
bool joining_links(const struct joining *j);
void joining_begin_summaries(struct creation *c, int rc);
/* What came goes to the own group. */
void joining_spread_summaries(struct creation *c);
/* An error class, the same in all leaders of both groups: then it is over. */
int joining_begin_members(struct creation *c);
void joining_spread_members(struct creation *c);
/* Both groups are known, or something went wrong here: an error class. */
int joining_learn(struct creation *c);
void joining_begin_vote(struct creation *c);
const struct vote *joining_other_vote(const struct creation *c);
/* After the vote: what this leader has to wait for before it goes on, or NULL. */
_Atomic bool *joining_pair(struct creation *c);
/* All is made or given up. */
void joining_end(const struct creation *c);

#endif
