/* SPDX-License-Identifier: BSD-3-Clause */
/* What a waiting thread does when there is nothing to do: spin, yield, and when to go to sleep
 * (EP_WAIT). */
#ifndef EP_CRT_IDLE_H
#define EP_CRT_IDLE_H

#include "base/base.h"

struct idle {
    unsigned turns; /* since something last happened */
    bool sleepy;    /* on shared cores: sleep where others yield first */
};

enum idle_advice {
    IDLE_SPIN,  /* it paused; look again */
    IDLE_YIELD, /* give the core away: release what others may want, then idle_yield() */
    IDLE_SLEEP  /* as good as yield, but better asleep on an event count */
};

/* From now on there may be more waiting threads than CPUs. */
void idle_set_crowded(void);
bool idle_crowded(void);

/* Waiting for others that are about to come, and may need this core or this thread: give it away some times before anything
 * else (caller_give_way)? */
bool idle_yields_first(void);

/* A look that the program will repeat found nothing: where threads share cores, or tasks a thread, another may need
 * this one. True if it was given away. No lock is held. */
bool idle_missed(void);

/* Out of line part of idle_round. */
enum idle_advice idle_round_slow(struct idle *i);

/* The first turns look again at once: a pause costs as much as a cache line takes to travel. */
static inline enum idle_advice idle_round(struct idle *i)
{
    if (likely(++i->turns < 64))
        return IDLE_SPIN;
    return idle_round_slow(i);
}

static inline void idle_reset(struct idle *i)
{
    i->turns = 0;
}

/* Give the core to another thread; after a long time without events sleep shortly instead. */
void idle_yield(struct idle *i);

#endif
