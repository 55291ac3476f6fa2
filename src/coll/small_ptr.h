/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of some KiB in one process with a core for each endpoint: the slots carry addresses. Each endpoint posts where
 * its data are, and those who need them copy or reduce them from there. Nobody whose data are read returns before
 * the readers have: they publish at once that they have finished the call, and the owner waits for that. An operation
 * (op.h) costs more cache lines, but shares the copying; so that is for more bytes. With more endpoints than cores a second
 * wait in a call costs too much.
 */
#ifndef EP_COLL_SMALL_PTR_H
#define EP_COLL_SMALL_PTR_H

#include "coll/call.h"
#include "coll/flag_slots.h"

bool small_ptr_fits(ep_comm view, const struct call *call);
void small_ptr_run(struct small_call *t, const struct call *call);

#endif
