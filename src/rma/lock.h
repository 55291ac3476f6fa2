/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of windows (MPI 11.5.3): a gate per target endpoint, in the target's process.
 *
 * First come, first served: a claim is granted if nobody waits and the holders allow it. When the last holder goes, the
 * head of the queue is granted, and if it is shared all shared ones up to the next exclusive one. So nobody starves.
 *
 * A claim is the claimant's memory if it is near (on its stack, it waits) and malloc'd by the message's server if it is far.
 * The lock is never held while anything waits or calls MPI: grants are collected under it and given after it.
 */
#ifndef EP_RMA_LOCK_H
#define EP_RMA_LOCK_H

#include "base/base.h"

enum lock_kind { LOCK_SHARED = 1, LOCK_EXCLUSIVE = 2 };

struct claim {
    struct claim *next;
    enum lock_kind kind;
    /* it has the lock now. No lock is held; c is the callee's to free, the gate has forgotten it */
    void (*granted)(struct claim *c);
};

struct gate {
    struct lock lock;
    /* under lock */
    int shared;
    bool exclusive;
    struct claim *first, **last;
};

void gate_init(struct gate *g);
/* True: granted at once (c->granted is not called). */
bool gate_enter(struct gate *g, struct claim *c);
void gate_leave(struct gate *g, enum lock_kind kind);
/* Nobody holds it and nobody waits. */
bool gate_idle(struct gate *g);

#endif
