/* SPDX-License-Identifier: BSD-3-Clause */
/* sweeps.h: all collectives on one communicator, compared with the oracle. Called by all its members alike. */
#ifndef EP_TEST_COLL_SWEEPS_H
#define EP_TEST_COLL_SWEEPS_H

#include "oracle.h"

typedef enum { SWEEP_SHORT, SWEEP_FULL } depth;

/* Those that move data, from nothing to 1 MiB: every root, in place or not, with datatypes that differ. */
void sweep_movement(const seat *s, depth how);
/* Those with operators: some of them on all sorts of calls; full: also all operators on all types. */
void sweep_reductions(const seat *s, depth how);
/* Every kind once, with this seed and up to so many units. */
void sweep_once(const seat *s, uint64_t seed, int units);

/* A plan of this kind, as if by chance. */
coll_plan random_plan(const seat *s, coll_kind kind, uint64_t seed, int units);

#endif
