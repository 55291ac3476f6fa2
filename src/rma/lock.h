/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of windows (MPI 11.5.3): a target lock per target endpoint, in the target's process.
 *
 * A shared claim waits only for an exclusive holder, never for an exclusive claim that waits: that one waits for the shared
 * holders, and they may wait, by messages or other locks, for the claim's own endpoint. (MPICH and Open MPI do the
 * same, and programs count on it.) Exclusive claims are first come, first served; when an exclusive holder goes, the head
 * of the queue is granted, and if it is shared, all shared ones.
 *
 * So that those who come again and again do not keep an exclusive claim out, who has overtaken one (`overtakes`) pauses for
 * a bounded time before its next epoch (lock_request.c). That makes it likely that the claim is granted; a promise would need
 * waiting, which may be waiting in a cycle.
 *
 * A claim is the claimant's memory if it is near (on its stack, it waits) and in the packet of its grant if it is far (lock_request.c).
 * The lock is never held while anything waits or calls MPI: grants are collected under it and given after it.
 */
#ifndef EP_RMA_LOCK_H
#define EP_RMA_LOCK_H

#include "base/base.h"

enum lock_kind { LOCK_SHARED = 1, LOCK_EXCLUSIVE = 2 };

struct claim {
    struct claim *next;
    enum lock_kind kind;
    bool overtakes; /* it got in before an exclusive claim that came earlier; set before it is granted */
    /* it has the lock now. No lock is held; c is the callee's to free, the target lock has forgotten it */
    void (*granted)(struct claim *c);
};

struct target_lock {
    struct lock lock;
    /* under lock */
    int shared;
    bool exclusive;
    struct claim *first, **last;
};

void target_lock_init(struct target_lock *g);
/* True: granted at once (c->granted is not called). */
bool target_lock_enter(struct target_lock *g, struct claim *c);
void target_lock_leave(struct target_lock *g, enum lock_kind kind);
/* Nobody holds it and nobody waits. */
bool target_lock_idle(struct target_lock *g);

#endif
