/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the groups of an intercommunicator to be share a process, two heads of this process act for it, one
 * per group, and one communicator is to come of it. They find each other by a number that both groups know.
 * The second to come builds; the first only votes, and waits until the other is through. The builder blocks
 * in MPI, with MPI_THREAD_SERIALIZED to the exclusion of all other threads, so it first waits until the
 * other has passed the result of the vote on.
 */
#ifndef EP_DERIVE_JOINT_H
#define EP_DERIVE_JOINT_H

#include "derive/meeting.h"

struct joint {
    struct joint *next;
    uint64_t key[2];
    struct meeting *meeting[2];  /* of the lower and the upper group */
    struct port *first, *second; /* of the heads, as they came */
    _Atomic bool voted;          /* the first: release joint_voted; builder: acquire flag_set (by pointer) */
    _Atomic bool done; /* builder: release joint_end, its last access; the first: acquire flag_set (by pointer), then it frees the object */
};

/* Come with the meeting of a group. *builds: the other one is there already. NULL without memory. */
struct joint *joint_come(const uint64_t key[2], int side, struct meeting *m, struct port *port, bool *builds);
/* The vote is over, with rc, and passed on. The builder waits until this is so for both. False: the other
 * one never came, because the vote failed there, and j is gone. */
bool joint_voted(struct joint *j, bool builds, int rc);
/* The builder is through. */
void joint_end(struct joint *j);
/* The other one: wait for that. */
void joint_wait(struct joint *j);

#endif
