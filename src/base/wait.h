/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one way to wait: look at a condition, rest as a policy of wait.def says, look again. Whatever waits in the library goes
 * through wait_with: nowhere else does a thread pause, yield its core or nap (tools/check_layers).
 *
 *   look     the condition. It is not looked at again once it held, so looking may have an effect (take the message)
 *   serve    optional, after a look that found nothing: work for others or towards the condition. What it achieves lets the
 *            policy begin anew
 *   rest     optional, after both found nothing: what the policy advises; a layer that lets go of a lock or sleeps
 *            on an event count has a function of its own
 *
 * No wake-up is lost. A wait ends when a look finds that the condition holds, and never by what it was told. So it can
 * only miss something by not looking any more, and each rest but one ends by itself: a pause, a yield, a nap, or a task of
 * the same thread that comes to wait or ends. The other one is sleep on an event count. A rest that sleeps calls evcount_prepare,
 * then looks once more at the condition, and at everything that serve would find, and sleeps only if there
 * is nothing. Who makes the condition true, or makes work for serve, does so by a release store and then calls evcount_notify.
 * By the two fences of crt/evcount.h either that second look sees the store, or the notifier sees the bit that
 * evcount_prepare has set, and the sleep ends or does not begin. Where what ends a wait notifies nobody, or another event count,
 * the policy limits the sleep (`most`): then the loop looks again. A task that is suspended instead (p2p/progress/suspend.h) is put
 * where who changes the condition finds it, under the lock under which that happens, before it leaves its thread.
 * tests/spin/evcount.pml, poller.pml, await.pml are the models.
 *
 * No lock is held over a rest beyond pauses. Builds with assertions check that (lock_assert_none); the policies for which it is
 * otherwise have the flag LOCKED.
 */
#ifndef EP_BASE_WAIT_H
#define EP_BASE_WAIT_H

#include "base/atomics.h"
#include "base/settings.h"

enum wait_policy {
#define POLICY(name, looks, pauses, yields, shared_pauses, shared_yields, then, least, most, flags, where,   \
               why)                                                                                          \
    POLICY_##name,
#include "base/wait.def"
#undef POLICY
    POLICIES
};

/* What a policy advises for a turn. */
enum wait_advice {
    ADVICE_SPIN,  /* it paused, or need not; look again */
    ADVICE_YIELD, /* give the core away, to a task of this thread if there is one */
    ADVICE_NAP,
    ADVICE_SLEEP, /* on an event count; where there is none, as yield */
    ADVICE_STOP   /* give up */
};

/* Flags of policies. */
enum {
    WAIT_HEEDS = 1, /* EP_WAIT chooses */
    WAIT_TASKS =
        2, /* tasks of the same thread come before other threads; where there are any, it is shared */
    WAIT_LOCKED = 4, /* locks may be held */
    WAIT_SLEEPY = 8  /* on shared cores: sleep where others yield first */
};

/* One wait, as far as it has come. */
struct waiter {
    enum wait_policy policy;
    bool sleepy;    /* as WAIT_SLEEPY */
    bool shared;    /* WAIT_TASKS: by tasks or cores, at the first turn that does not look again at once */
    unsigned turns; /* since something last happened */
    unsigned nap;   /* the next, in us */
    bool prompt;    /* something goes on meanwhile that wants to be looked at: no long naps */
};

struct wait_way {
    bool (*look)(void *arg);
    bool (*serve)(void *arg);
    void (*rest)(void *arg, struct waiter *w, enum wait_advice advice);
};

/* Longest sleep in ns; < 0: no limit. */
long wait_sleep_limit(enum wait_policy policy);

/* Out of line part of wait_turn. */
enum wait_advice wait_turn_slow(struct waiter *w, enum wait_policy policy);

/* So that known functions and a known policy cost nothing. */
#define WAIT_INLINE inline __attribute__((always_inline))

/* The first turns look again at once: a pause costs as much as a cache line takes to travel. */
static WAIT_INLINE enum wait_advice wait_turn(struct waiter *w, enum wait_policy policy)
{
    static const struct {
        unsigned char looks;
        bool stops; /* a policy that has looks and gives up has nothing else */
    } first[] = {
#define POLICY(name, looks, pauses, yields, shared_pauses, shared_yields, then, least, most, flags, where,   \
               why)                                                                                          \
    {looks, (looks) > 0 && ADVICE_##then == ADVICE_STOP},
#include "base/wait.def"
#undef POLICY
    };
    w->turns++;
    return likely(w->turns < first[policy].looks) ? ADVICE_SPIN
           : first[policy].stops                  ? ADVICE_STOP
                                                  : wait_turn_slow(w, policy);
}

static inline void wait_reset(struct waiter *w)
{
    w->turns = 0;
    w->nap = 0;
}

/* The next naps are as long as the policy has them. */
enum wait_advice wait_tire(struct waiter *w);

/* Do what is advised beyond spinning. */
void wait_rest(struct waiter *w, enum wait_advice advice);

/* Until way->look(arg). False: the policy has it give up. w: zero, but it may be sleepy or prompt. */
static WAIT_INLINE bool wait_with(struct waiter *w, const struct wait_way *way, void *arg,
                                  enum wait_policy policy)
{
    w->policy = policy;
    while (!way->look(arg)) {
        if (way->serve && way->serve(arg)) {
            wait_reset(w);
            continue;
        }
        enum wait_advice advice = wait_turn(w, policy);
        if (advice == ADVICE_STOP)
            return false;
        if (way->rest)
            way->rest(arg, w, advice);
        else if (advice != ADVICE_SPIN)
            wait_rest(w, advice);
    }
    return true;
}

static WAIT_INLINE bool wait_serving(bool (*look)(void *arg), bool (*serve)(void *arg), void *arg,
                                     enum wait_policy policy)
{
    struct waiter w = {0};
    return wait_with(&w, &(struct wait_way){.look = look, .serve = serve}, arg, policy);
}

/* Until look(arg). */
static WAIT_INLINE bool wait_for(bool (*look)(void *arg), void *arg, enum wait_policy policy)
{
    return wait_serving(look, NULL, arg, policy);
}

/* ---- cores and threads ---- */

/* From now on there may be more waiting threads than CPUs. */
void wait_set_crowded(void);
bool wait_crowded(void);

/* Waiting for others that are about to come, and may need this core or this thread: give it away some times before anything
 * else? */
bool wait_shared(void);

/* A look that the program will repeat found nothing: where threads share cores, or tasks a thread, another may need
 * this one. True if it was given away. No lock is held. */
bool wait_missed(void);

/* Where a thread runs tasks, those who know them: could it run another one now, and let it do so. False: none. */
struct wait_tasks {
    bool (*others)(void);
    bool (*yield)(void);
};
/* Before there are any; tasks is kept. */
void wait_set_tasks(const struct wait_tasks *tasks);

/* Not to wait by: for a yield that the program asked for, and for EP_CHAOS. */
void wait_core(void);
void wait_nap(long nanoseconds);

#endif
