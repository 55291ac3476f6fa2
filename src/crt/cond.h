/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The word of a condition and how waiters get into it.
 *
 * EMPTY, SIGNALLED, or the waiter: a fiber, or a thread with THREAD added. A waiter publishes itself by compare-and-swap from
 * EMPTY (release; pairs with the acquire of the signaller's exchange), the signaller exchanges SIGNALLED in
 * (release; pairs with the waiter's acquire load). That exchange is the signaller's last access to the condition, so
 * it may live on the waiter's stack; what it touches after that is the fiber, which cannot go on before, or
 * the thread, which is never freed.
 *
 * A fiber is published by its scheduler, after the switch: so nobody resumes one that is still running.
 */
#ifndef EP_CRT_COND_H
#define EP_CRT_COND_H

#include <crt.h>

#include "base/base.h"

struct fiber;
struct thread;

enum { EMPTY = 0, SIGNALLED = 1, THREAD = 2 };

static inline _Atomic uintptr_t *cond_word(crt_cond_t *cond)
{
    return (_Atomic uintptr_t *)&cond->word;
}

static inline bool cond_signalled(crt_cond_t *cond)
{
    return load_acquire(cond_word(cond)) == SIGNALLED;
}

/* Take the signal: ready for the next wait. */
static inline void cond_consume(crt_cond_t *cond)
{
    store_relaxed(cond_word(cond), EMPTY);
}

/* False if the signal came first. */
bool cond_publish_fiber(crt_cond_t *cond, struct fiber *f);
/* The same; may be called again while it waits. */
bool cond_publish_thread(crt_cond_t *cond, struct thread *t);

#endif
