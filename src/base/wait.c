/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/wait.h"

#include <limits.h>
#include <sched.h>
#include <time.h>

#include "base/lock.h"

/* After so many turns, which take about ten milliseconds, what is waited for takes long, and a core is burnt for it: a yield
 * is a nap, and where an event count wakes up there are no more yields. Where a core is to be had for what goes on, naps begin
 * later and stay short. */
enum { LONG = 10000, LONG_PROMPT = 100000 };
enum { FOREVER = INT_MAX };
/* Lengths of these naps, us. */
enum { NAP_LEAST = 20, NAP_MOST = 1000 };

static const struct wait_rules {
    unsigned looks, pauses, yields, shared_pauses, shared_yields;
    enum wait_advice then;
    unsigned least, most; /* us */
    unsigned flags;
} rules[] = {
#define HEEDS WAIT_HEEDS
#define TASKS WAIT_TASKS
#define LOCKED WAIT_LOCKED
#define SLEEPY WAIT_SLEEPY
#define POLICY(name, looks, pauses, yields, shared_pauses, shared_yields, then, least, most, flags, where,   \
               why)                                                                                          \
    {looks, pauses, yields, shared_pauses, shared_yields, ADVICE_##then, least, most, flags},
#include "base/wait.def"
#undef POLICY
};

static _Atomic bool crowded; /* relaxed */
static _Atomic(const struct wait_tasks *)
    wait_tasks; /* release wait_set_tasks, acquire has_others and give_to_task */

/* ---- cores and threads ---- */

void wait_set_crowded(void)
{
    store_relaxed(&crowded, true);
}

bool wait_crowded(void)
{
    return load_relaxed(&crowded);
}

void wait_set_tasks(const struct wait_tasks *tasks)
{
    store_release(&wait_tasks, tasks);
}

static bool has_others(void)
{
    const struct wait_tasks *t = load_acquire(&wait_tasks);
    return t && t->others();
}

static bool give_to_task(void)
{
    const struct wait_tasks *t = load_acquire(&wait_tasks);
    return t && t->yield();
}

static bool shares_cores(void)
{
    return settings.wait == WAIT_YIELD || (settings.wait == WAIT_AUTO && wait_crowded());
}

bool wait_shared(void)
{
    return shares_cores() || has_others();
}

bool wait_missed(void)
{
    lock_assert_none();
    if (has_others())
        return give_to_task();
    if (settings.wait != WAIT_YIELD && (settings.wait == WAIT_SPIN || !wait_crowded()))
        return false;
    sched_yield();
    return true;
}

void wait_core(void)
{
    sched_yield();
}

void wait_nap(long nanoseconds)
{
    nanosleep(&(struct timespec){.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000},
              NULL);
}

/* ---- one wait ---- */

long wait_sleep_limit(enum wait_policy policy)
{
    return rules[policy].most > 0 ? rules[policy].most * 1000L : -1;
}

static enum wait_advice wait_advise(const struct waiter *w, const struct wait_rules *r)
{
    bool heeds = r->flags & WAIT_HEEDS, sleeps = heeds && settings.wait == WAIT_SLEEP;
    if (heeds && settings.wait == WAIT_SPIN)
        return ADVICE_SPIN;
    if (heeds && settings.wait == WAIT_YIELD)
        return ADVICE_YIELD;
    bool shared = heeds ? sleeps || wait_crowded() : w->shared || shares_cores();
    unsigned pauses = shared ? r->shared_pauses : r->pauses, yields = shared ? r->shared_yields : r->yields;
    if (sleeps || (shared && (w->sleepy || r->flags & WAIT_SLEEPY)))
        yields = 0;
    return w->turns < pauses                                   ? ADVICE_SPIN
           : (yields == FOREVER || w->turns - pauses < yields) ? ADVICE_YIELD
                                                               : r->then;
}

enum wait_advice wait_turn_slow(struct waiter *w, enum wait_policy policy)
{
    const struct wait_rules *r = &rules[policy];
    if (r->flags & WAIT_TASKS && w->turns <= r->looks + 1)
        w->shared = wait_shared();
    enum wait_advice advice = wait_advise(w, r);
    if (advice == ADVICE_SPIN)
        cpu_pause();
    return advice;
}

enum wait_advice wait_tire(struct waiter *w)
{
    w->nap = rules[w->policy].most;
    return ADVICE_NAP;
}

/* Naps grow by this part: what comes after a pause waits for a small part of it only. */
static void nap_longer(struct waiter *w, unsigned least, unsigned most, unsigned part)
{
    unsigned nap = w->nap < least ? least : w->nap;
    nap = nap < most ? nap : most;
    wait_nap(nap * 1000L);
    w->nap = nap + nap / part + 1;
}

/* In place of a yield, if it is time for that. */
static bool nap_instead(struct waiter *w)
{
    bool prompt = w->prompt || rules[w->policy].flags & WAIT_LOCKED;
    if (w->turns <= (prompt ? LONG_PROMPT : LONG) || settings.wait == WAIT_YIELD)
        return false;
    nap_longer(w, NAP_LEAST, prompt ? NAP_LEAST : NAP_MOST, 32);
    return true;
}

void wait_rest(struct waiter *w, enum wait_advice advice)
{
    if (!(rules[w->policy].flags & WAIT_LOCKED))
        lock_assert_none();
    if (advice == ADVICE_NAP)
        nap_longer(w, rules[w->policy].least, rules[w->policy].most, 8);
    else if (rules[w->policy].flags & WAIT_TASKS && give_to_task())
        return;
    else if (!nap_instead(w))
        sched_yield();
}
