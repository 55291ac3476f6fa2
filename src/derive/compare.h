/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EP_CHECK: before endpoints come together in a call of a whole communicator, all of them compare what they call: with each other,
 * and with the collective calls of others. That is done by the means of those, and so by the layer above: coll has these
 * functions (coll/run.c). The comparison has the number of the call; so whoever is told that the calls differ, and
 * therefore does not come together, has made one call, as the others have.
 */
#ifndef EP_DERIVE_COMPARE_H
#define EP_DERIVE_COMPARE_H

#include "p2p/p2p.h"

/* Wait until all have compared call number `number` of view's communicator, which is `name` here. Not MPI_SUCCESS: *why is a
 * text for it, to be freed, or NULL. */
int whole_compare(ep_comm view, unsigned number, const char *name, char **why);

/* The same without waiting: then(arg, rc, why), once, in any thread, which may be inside of an endpoint. The communicator is
 * held till then. False without memory: not begun. */
typedef void whole_compared(void *arg, int rc, char *why);
bool whole_compare_later(ep_comm view, unsigned number, const char *name, whole_compared *then, void *arg);

#endif
