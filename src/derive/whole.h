/* SPDX-License-Identifier: BSD-3-Clause */
/* What the calls that are collective over a whole communicator have in common. */
#ifndef EP_DERIVE_WHOLE_H
#define EP_DERIVE_WHOLE_H

#include "derive/derive.h"
#include "derive/builder.h"

/* Come together in this process; then the leader does act(leaders, arg) for all that came. root: the union
 * rank whose process is the root of the leaders. Returns slot->rc, raised. */
struct whole {
    struct gather_slot *slot;
    int root;
    struct root_link *root_link; /* in the root only */
    void (*act)(struct leaders *p, void *arg);
    void *arg;
};
int whole_call(struct where w, const struct whole *call);

/* Raise what a slot says. */
int slot_raise(struct where w, const struct gather_slot *s);

/* Process infos of all processes of these leaders, by position. NULL without memory. */
const struct process_info **leaders_process_infos(const struct leaders *p);

/* Does the process need the creation lock for them? */
bool builders_far(const struct comm_builder d[], int n);
/* After the vote, with its result: make the MPI communicators of the builders, open them or give them up. */
void builders_conclude(struct leaders *p, struct comm_builder d[], int n, int rc);
/* Vote on rc, conclude. */
void builders_finish(struct leaders *p, struct comm_builder d[], int n, int rc);

#endif
