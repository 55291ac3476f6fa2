/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/cond.h"

#include <assert.h>
#include <errno.h>

#include "crt/poll.h"
#include "crt/team/sched.h"

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
        evcount_wait(&self->evcount, ticket, poll_is_set() ? wait_sleep_limit(POLICY_CONDITION) : -1);
}

static bool cond_look(void *cond)
{
    return cond_signalled(cond);
}

static bool cond_serve(void *cond)
{
    (void)cond;
    return poll_call();
}

static void cond_rest(void *cond, struct waiter *w, enum wait_advice advice)
{
    if (advice == ADVICE_SLEEP)
        sleep_on(cond);
    else if (advice != ADVICE_SPIN)
        wait_rest(w, advice);
}

/* Block the thread. */
static void wait_thread(crt_cond_t *cond)
{
    static const struct wait_way way = {cond_look, cond_serve, cond_rest};
    struct waiter w = {.prompt = true}; /* what is polled for may go on only while it is */
    wait_with(&w, &way, cond, POLICY_CONDITION);
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
