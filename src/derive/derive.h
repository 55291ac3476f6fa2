/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * derive: communicators made from communicators. Every function is called by each endpoint concerned, from
 * its own thread; it raises errors itself and returns the class. w.view is the parent's view.
 */
#ifndef EP_DERIVE_DERIVE_H
#define EP_DERIVE_DERIVE_H

#include "derive/funnel.h"
#include "derive/leaders.h"
#include "p2p/p2p.h"

/* Number of the collective call that begins on view's communicator. Every endpoint counts its own calls. */
unsigned whole_number(ep_comm view);
/* It as a tag. */
int whole_tag(ep_comm view, unsigned number);

/* extras: *newcomm will have some, and there is room for them. */
int derive_split(struct where w, int64_t color, int key, bool extras, ep_comm *newcomm);
/* The endpoint is to be the rank-th of a group of `size` whose first member has rank `first` in its group;
 * or in none with size 0. */
int derive_create(struct where w, int first, int rank, int size, ep_comm *newcomm);
/* Take part in either with an error that was raised already, so that the others get it too. Returns rc. */
int derive_refuse(struct where w, int rc);
int derive_merge(struct where w, bool high, ep_comm *newcomm);

/* ranks: of the group's members in w.view's communicator; the caller is number `mine`. */
int derive_create_group(struct where w, const int ranks[], int n, int mine, int tag, ep_comm *newcomm);

/* rc: what the leader found wrong with its arguments. peer, remote_leader and tag: of the leader alone. */
struct meet_at {
    int local_leader;
    ep_comm peer;
    int remote_leader, tag;
};
int derive_intercomm(struct where w, const struct meet_at *at, int rc, ep_comm *newcomm);

/* Duplicate view without blocking: newview, from view_new, becomes the new communicator's when the request
 * is complete; if that has an error it is deleted. copies: attributes for newview, which has extras
 * already. rc: an error that the caller brings, which then is everybody's. call: for messages. Raises
 * nothing. newview may be NULL. MPI_ERR_NO_MEM: there was not even memory for a request; then this blocked
 * until all others know, and newview is deleted. */
int derive_idup(ep_comm view, ep_comm newview, struct attribute *copies, int rc, const char *call,
                ep_request *request);

/* The same for what has a communicator of its own (windows, files): wait for it. *view is NULL after an error, which is
 * noted. told: one that the caller has raised already, whose text stays. */
int derive_duplicate(struct where w, int told, ep_comm *view);

/* Everybody gets everybody's data: *all by rank, the r-th from (*offset)[r] to (*offset)[r + 1]; the caller
 * frees both. */
int derive_allgather(struct where w, const void *data, size_t bytes, void **all, size_t **offset);

/* Wait until all endpoints have come. */
int derive_barrier(struct where w);

/* ---- for calls that come together in the same way ---- */

/* Come together in this process; then the leader does act(leaders, arg) for all that came. root: the union
 * rank whose process is the root of the leaders. Returns slot->rc, raised. */
struct whole {
    struct gather_slot *slot;
    int root;
    void (*act)(struct leaders *p, void *arg);
    void *arg;
};
int whole_call(struct where w, const struct whole *call);

/*
 * EP_CHECK: before endpoints come together in a call of a whole communicator, all of them compare what they call: with each other,
 * and with the collective calls of others. That is done by the means of those, and so by the layer above: coll has these
 * functions (coll/run.c). The comparison has the number of the call; so whoever is told that the calls differ, and
 * therefore does not come together, has made one call, as the others have.
 */
/* Wait until all have compared call number `number` of view's communicator, which is `name` here. Not MPI_SUCCESS: *why is a
 * text for it, to be freed, or NULL. */
int whole_compare(ep_comm view, unsigned number, const char *name, char **why);

/* The same without waiting: then(arg, rc, why), once, in any thread, which may be inside of an endpoint. The communicator is
 * held till then. False without memory: not begun. */
typedef void whole_compared(void *arg, int rc, char *why);
bool whole_compare_later(ep_comm view, unsigned number, const char *name, whole_compared *then, void *arg);

#endif
