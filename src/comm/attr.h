/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes (MPI 6.7): per view a list, the newest first, made by what the user sets; and the predefined
 * ones of communicators. A window's are those of its view.
 *
 * The user's callbacks run with no lock held, and may use attributes themselves, of this view too. An
 * attribute whose delete callback runs is still found by get, as in other MPI libraries, but is nobody
 * else's to delete; so each value that was set is deleted once, whatever the threads of an endpoint do.
 */
#ifndef EP_COMM_ATTR_H
#define EP_COMM_ATTR_H

#include "comm/error.h"
#include "comm/keyval.h"

struct attribute;

/* The three public functions: they raise their errors for w. */
int attr_set(struct where w, int keyval, void *value);
int attr_get(struct where w, int keyval, void *value, int *flag);
int attr_delete(struct where w, int keyval);
/* Raises MPI_ERR_KEYVAL. */
int attr_no_key(struct where w, enum attr_kind kind, int keyval);

/* What a duplicate of `from` is to have, by the copy callbacks, the oldest first. Not MPI_SUCCESS: a
 * callback's error, or MPI_ERR_NO_MEM; the message is noted, it is not raised yet, and what was copied has
 * been deleted. NULL has none. */
int attr_copy(ep_comm from, struct attribute **copies);

/* Give the copies to a view that has none. MPI_ERR_NO_MEM: they are still the caller's. */
int attr_give(ep_comm view, struct attribute *copies);

/* Delete copies that no communicator got; errors of the callbacks are of no consequence. */
void attr_discard(ep_comm view_for_callbacks, struct attribute *copies);

/* Delete all, the newest first, up to the first callback that fails; its error is noted, not raised, and
 * returned. */
int attr_clear(ep_comm view);

#endif
