/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_COLL_ALGORITHMS_H
#define EP_COLL_ALGORITHMS_H

#include "coll/op.h"

extern const struct coll_algorithm algorithm_barrier;
/* Not all called the same kind of function. */
extern const struct coll_algorithm algorithm_discord;
/* Blocks between the endpoints of one process. */
extern const struct coll_algorithm algorithm_near;
/* bcast on an intracommunicator with several processes: MPI's in segments. */
extern const struct coll_algorithm algorithm_bcast;
/* Blocks between processes: one message for each pair of them, large blocks by themselves. */
extern const struct coll_algorithm algorithm_move;

#endif
