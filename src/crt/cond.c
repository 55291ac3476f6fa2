/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/cond.h"

#include <assert.h>
#include <errno.h>

#include "crt/idle.h"
#include "crt/poll.h"
#include "crt/team/sched.h"

enum { POLL_NS = 200 * 1000 };

static bool cond_publish(crt_cond_t *cond, uintptr_t waiter)
{
    uintptr_t old = EMPTY;
    bool ok = cas_acq_rel(cond_word(cond), &old, waiter) || old != SIGNALLED;
    assert((!ok || old == EMPTY || old == waiter) && "crt_wait: another waits for this condition");
    return ok;
}

bool cond_publish_fiber(crt_cond_t *cond, struct fiber *f)
{
    return cond_publish(cond, (uintptr_t)f);
}

bool cond_publish_thread(crt_cond_t *cond, struct thread *t)
{
    return cond_publish(cond, (uintptr_t)t + THREAD);
}

/* Sleep until signalled. Returns at once if the signal came first. */
static void sleep_on(crt_cond_t *cond)
{
    struct thread *self = thread_self();
    uint32_t ticket = evcount_prepare(&self->evcount);
    if (cond_publish_thread(cond, self) && !cond_signalled(cond))
        evcount_wait(&self->evcount, ticket, poll_is_set() ? POLL_NS : -1);
}

/* Block the thread. */
static void wait_thread(crt_cond_t *cond)
{
    struct idle idle = {0};
    while (!cond_signalled(cond)) {
        if (poll_call()) {
            idle_reset(&idle);
            continue;
        }
        switch (idle_round(&idle)) {
        case IDLE_SPIN:
            break;
        case IDLE_YIELD:
            idle_yield(&idle);
            break;
        case IDLE_SLEEP:
            sleep_on(cond);
            break;
        }
    }
}

void crt_wait(crt_cond_t *cond)
{
    struct worker *w = worker_suspends();
    if (!cond_signalled(cond)) {
        int saved = errno;
        if (w)
            sched_wait_external(w, cond);
        else
            wait_thread(cond);
        errno = saved; /* of what polled */
    }
    cond_consume(cond);
}

void crt_signal(crt_cond_t *cond)
{
    uintptr_t old = swap_acq_rel(cond_word(cond), SIGNALLED);
    assert(old != SIGNALLED && "crt_signal: the condition is signalled already");
    if (old <= SIGNALLED)
        return;
    if (old & THREAD)
        evcount_notify(&((struct thread *)(old - THREAD))->evcount);
    else
        sched_resume((struct fiber *)old);
}
