/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of windows (MPI 11.5.3): a target lock per target endpoint, in the target's process.
 *
 * A shared claim waits only for an exclusive holder, never for an exclusive claim that waits: that one waits for the shared
 * holders, and they may wait, by messages or other locks, for the claim's own endpoint. (MPICH and Open MPI do the
 * same, and programs count on it.) Exclusive claims are first come, first served; when an exclusive holder goes, the head
 * of the queue is granted, and if it is shared, all shared ones.
 *
 * Who finds the lock taken looks at the word for a bounded time before it makes a claim (lock_request.c). To the queue that is as if it had
 * come later: a look that does not enter changes nothing, one that enters is lock_word_enter's, which does not admit an exclusive one
 * while claims wait. So nobody passes a claim that he would not have passed, and each looker is a claim after that time at the
 * latest.
 *
 * So that those who come again and again do not keep an exclusive claim out, who has overtaken one (`overtakes`) pauses for
 * a bounded time before its next epoch (lock_request.c). That makes it likely that the claim is granted; a promise would need
 * waiting, which may be waiting in a cycle.
 *
 * Who has the lock, and whether anybody waits, says one word, which all processes of the machine change by compare-and-swap where
 * it is in the shared memory of the target's process (net_word_get). Claims that wait are in a queue of the target's process. So
 * who finds the lock free takes it, and gives it back, without asking; who has to wait asks the target's process, and so does
 * the last holder to leave while anybody waits: the lock stays his until that process, under `lock`, hands it over.
 *
 *   word         changed by                                                   order
 *   + a holder   lock_word_enter, any thread of any process, if that may be   acquire: what earlier holders did is visible
 *   - a holder   lock_word_leave, the same, unless it is the last while       release
 *                claims wait
 *   QUEUED       under `lock`: set while there is a holder, by a claim that   acq_rel
 *                cannot enter; cleared when the last claim is let in
 *   last holder -> next ones      under `lock`: lock_hand_over                acq_rel
 *
 * No claim waits for ever: with QUEUED set there is a holder, and the last one to leave finds QUEUED set, since both are bits of
 * one word. tests/spin/target_lock.pml is the model, with mutants.
 *
 * A claim is the claimant's memory if it is near (on its stack, it waits) and in the packet of its grant if it is far (lock_request.c).
 * `lock` is never held while anything waits or calls MPI: grants are collected under it and given after it.
 */
#ifndef EP_RMA_LOCK_H
#define EP_RMA_LOCK_H

#include <assert.h>

#include "base/base.h"

enum lock_kind { LOCK_SHARED = 1, LOCK_EXCLUSIVE = 2 };

struct claim {
    struct claim *next;
    enum lock_kind kind;
    bool overtakes; /* it got in before an exclusive claim that came earlier; set before it is granted */
    /* it has the lock now. No lock is held; c is the callee's to free, the target lock has forgotten it */
    void (*granted)(struct claim *c);
};

/* The word: the number of shared holders behind two bits. */
enum { LOCK_WORD_QUEUED = 1, LOCK_WORD_EXCLUSIVE = 2, LOCK_WORD_SHARED = 4 };

struct target_lock {
    struct lock lock;
    struct claim *first, **last; /* under lock */
    _Atomic int *word; /* constant: acq_rel lock_word_enter, lock_word_leave, lock_mark, target_lock_leave */
    _Atomic int own;   /* the word where no other process sees it; relaxed by this name */
};

static inline int lock_word_of(enum lock_kind kind)
{
    return kind == LOCK_SHARED ? LOCK_WORD_SHARED : LOCK_WORD_EXCLUSIVE;
}

/* May a claim of that kind come in? An exclusive one not before others. */
static inline bool lock_word_admits(int word, enum lock_kind kind)
{
    return kind == LOCK_SHARED ? !(word & LOCK_WORD_EXCLUSIVE) : word == 0;
}

/* Any thread of any process. False: it has to be asked for (target_lock_enter). */
static inline bool lock_word_enter(_Atomic int *word, enum lock_kind kind, bool *overtakes)
{
    int now = load_relaxed(word);
    while (lock_word_admits(now, kind)) {
        chaos_point();
        *overtakes = now & LOCK_WORD_QUEUED;
        if (likely(cas_acq_rel(word, &now, now + lock_word_of(kind))))
            return true;
    }
    return false;
}

/* The same. False: it has to be handed over (target_lock_leave). */
static inline bool lock_word_leave(_Atomic int *word, enum lock_kind kind)
{
    int now = load_relaxed(word);
    assert(kind == LOCK_SHARED ? now >= LOCK_WORD_SHARED : now & LOCK_WORD_EXCLUSIVE);
    while (now - lock_word_of(kind) != LOCK_WORD_QUEUED) {
        chaos_point();
        if (likely(cas_acq_rel(word, &now, now - lock_word_of(kind))))
            return true;
    }
    return false;
}

/* word: NULL, or in memory that other processes see. */
void target_lock_init(struct target_lock *g, _Atomic int *word);
/* In the target's process. */
/* True: granted at once (c->granted is not called). */
bool target_lock_enter(struct target_lock *g, struct claim *c);
void target_lock_leave(struct target_lock *g, enum lock_kind kind);
/* Nobody holds it and nobody waits. */
bool target_lock_idle(const struct target_lock *g);

#endif
