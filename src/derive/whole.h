/* SPDX-License-Identifier: BSD-3-Clause */
/* What the calls that are collective over a whole communicator have in common. */
#ifndef EP_DERIVE_WHOLE_H
#define EP_DERIVE_WHOLE_H

#include "derive/derive.h"
#include "derive/draft.h"

/* Come together in this process; then the head does act(party, arg) for all that came. root: the union rank
 * whose process is the party's root. Returns slot->rc, raised. */
struct whole {
    struct slot *slot;
    int root;
    struct bridge *bridge; /* in the root only */
    void (*act)(struct party *p, void *arg);
    void *arg;
};
int whole_call(struct where w, const struct whole *call);

/* Raise what a slot says. */
int slot_raise(struct where w, const struct slot *s);

/* Passports of all processes of a party, by position. NULL without memory. */
const struct passport **party_passports(const struct party *p);

/* Does the process need a turn for them? */
bool drafts_far(const struct draft d[], int n);
/* After the vote, with its result: make the MPI communicators of the drafts, open them or give them up. */
void drafts_conclude(struct party *p, struct draft d[], int n, int rc);
/* Vote on rc, conclude. */
void drafts_finish(struct party *p, struct draft d[], int n, int rc);

#endif
