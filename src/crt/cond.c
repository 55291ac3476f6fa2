/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crt_wait and crt_signal in thread mode.
 *
 * cond->word: EMPTY, SIGNALLED, or the waiter. The waiter publishes itself by compare-and-swap from
 * EMPTY (release; pairs with the acquire of the signaller's exchange), the signaller exchanges SIGNALLED in
 * (release; pairs with the waiter's acquire load). That exchange is the signaller's last access to the
 * condition, so it may live on the waiter's stack; what it touches after that is the waiter's bell, whose
 * memory is never freed, only recycled.
 */
#include <assert.h>

#include "crt/crt.h"
#include "crt/poll.h"
#include "crt/waiter.h"

enum { EMPTY = 0, SIGNALLED = 1 };
enum { POLL_NS = 200 * 1000 };

static _Atomic uintptr_t *word_of(crt_cond_t *cond)
{
    return (_Atomic uintptr_t *)&cond->word;
}

/* Sleep until signalled. Returns at once if the signal came first. */
static void sleep_on(_Atomic uintptr_t *word)
{
    struct waiter *self = waiter_self();
    uint32_t ticket = bell_prepare(&self->bell);
    uintptr_t expected = EMPTY;
    if (!cas_acq_rel(word, &expected, (uintptr_t)self) && expected == SIGNALLED)
        return;
    if (load_acquire(word) != SIGNALLED)
        bell_sleep(&self->bell, ticket, poll_is_set() ? POLL_NS : -1);
}

void crt_wait(crt_cond_t *cond)
{
    _Atomic uintptr_t *word = word_of(cond);
    struct idle idle = {0};
    while (load_acquire(word) != SIGNALLED) {
        if (poll_call()) {
            idle_reset(&idle);
            continue;
        }
        switch (idle_turn(&idle)) {
        case IDLE_SPIN:
            break;
        case IDLE_YIELD:
            idle_yield(&idle);
            break;
        case IDLE_SLEEP:
            sleep_on(word);
            break;
        }
    }
    store_relaxed(word, EMPTY);
}

void crt_signal(crt_cond_t *cond)
{
    uintptr_t old = swap_acq_rel(word_of(cond), SIGNALLED);
    assert(old != SIGNALLED && "crt_signal: the condition is signalled already");
    if (old > SIGNALLED)
        bell_ring(&((struct waiter *)old)->bell);
}
