/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_COLL_PLANS_H
#define EP_COLL_PLANS_H

#include "coll/op.h"

extern const struct plan plan_barrier;
/* Not all called the same kind of function. */
extern const struct plan plan_discord;
/* Blocks between the endpoints of one process. */
extern const struct plan plan_near;
/* bcast on an intracommunicator with several processes: MPI's in segments. */
extern const struct plan plan_bcast;
/* Blocks between processes: one message for each pair of them, large blocks by themselves. */
extern const struct plan plan_move;

#endif
