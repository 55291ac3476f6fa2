/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of windows (MPI 11.5.3): a gate per target endpoint, in the target's process.
 *
 * First come, first served: a claim is granted if nobody waits and the holders allow it. When the last holder goes, the
 * head of the queue is granted, and if it is shared all shared ones up to the next exclusive one.
 *
 * But a shared claim of an endpoint that holds another lock of the window (lock_all takes many) waits for an exclusive
 * holder only, never for one that waits: that one may wait for somebody who waits for the claim's own endpoint. Example, with
 * lock_all in A and B, exclusive locks in X and Y: A holds 0 and claims 3, B holds 3 and claims 0, X waits at 0 for
 * A, Y at 3 for B. With the rule such a claim waits for the end of an epoch that is open, and by itself for nothing else; so a
 * circle needs exclusive holders that claim more locks, which is the program's own circle.
 *
 * Who has overtaken somebody so is told (`overtakes`), and makes up for it: its next lock_all takes that target's lock first,
 * holding nothing, and so queues like anybody else (of several targets one each time, in turn). So those who repeat
 * lock_all do not keep an exclusive claim waiting for ever. ep_win_lock never waits at another target than its own.
 *
 * A claim is the claimant's memory if it is near (on its stack, it waits) and in the parcel of its grant if it is far (turn.c).
 * The lock is never held while anything waits or calls MPI: grants are collected under it and given after it.
 */
#ifndef EP_RMA_LOCK_H
#define EP_RMA_LOCK_H

#include "base/base.h"

enum lock_kind {
    LOCK_SHARED = 1,
    LOCK_EXCLUSIVE = 2,
    LOCK_KINDS = 3,
    LOCK_MORE = 4 /* beside the kind: claim.more */
};

struct claim {
    struct claim *next;
    enum lock_kind kind;
    bool more;      /* its endpoint holds another lock of the window */
    bool overtakes; /* it got or gets in before others who came earlier; set by gate_enter */
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
