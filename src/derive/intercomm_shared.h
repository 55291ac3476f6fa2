/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the groups of an intercommunicator to be share a process, two leaders of this process act for it, one
 * per group, and one communicator is to come of it. They find each other by a number that both groups know.
 * The second to come builds; the first only votes, and waits until the other is through. The builder blocks
 * in MPI, with MPI_THREAD_SERIALIZED to the exclusion of all other threads, so it first waits until the
 * other has passed the result of the vote on.
 */
#ifndef EP_DERIVE_INTERCOMM_SHARED_H
#define EP_DERIVE_INTERCOMM_SHARED_H

#include "derive/gather.h"

struct intercomm_shared {
    struct intercomm_shared *next;
    uint64_t key[2];
    struct gather *gather[2];        /* of the lower and the upper group */
    struct endpoint *first, *second; /* of the leaders, as they came */
    _Atomic bool
        voted; /* the first: release intercomm_shared_voted; builder: acquire flag_set (by pointer) */
    _Atomic bool
        done; /* builder: release intercomm_shared_end, its last access; the first: acquire flag_set (by pointer), then it frees the object */
};

/* Come with the local gather of a group. *builds: the other one is there already. NULL without memory. */
struct intercomm_shared *intercomm_shared_join(const uint64_t key[2], int side, struct gather *m,
                                               struct endpoint *endpoint, bool *builds);
/* The vote is over, with rc, and passed on. The builder waits until this is so for both. False: the other
 * one never came, because the vote failed there, and j is gone. */
bool intercomm_shared_voted(struct intercomm_shared *j, bool builds, int rc);
/* The builder is through. */
void intercomm_shared_end(struct intercomm_shared *j);
/* The other one: wait for that. */
void intercomm_shared_wait(struct intercomm_shared *j);

#endif
