/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/idle.h"

#include <sched.h>
#include <time.h>

#include "crt/caller.h"
#include "crt/team/sched.h"

/* Turns of spinning before the core is given away: about 0.1 ms with a core each (a wake-up costs a tenth
 * of that), next to nothing when others need the core. Then what is waited for is often done by those who share the
 * core: going to sleep and being woken costs ten times as much as giving it to them until it is done. */
enum { SPIN_ALONE = 2000, SPIN_CROWDED = 80, YIELD_CROWDED = SPIN_CROWDED + 300, NAP_AFTER = 100000 };

static _Atomic bool crowded; /* relaxed */

void idle_set_crowded(void)
{
    store_relaxed(&crowded, true);
}

bool idle_crowded(void)
{
    return load_relaxed(&crowded);
}

bool idle_yields_first(void)
{
    return settings.wait == WAIT_YIELD || (settings.wait == WAIT_AUTO && idle_crowded()) ||
           caller_has_others();
}

bool idle_missed(void)
{
    lock_assert_none();
    if (caller_has_others())
        sched_yield_task(worker_here(), true);
    else if (settings.wait == WAIT_YIELD || (settings.wait != WAIT_SPIN && idle_crowded()))
        sched_yield();
    else
        return false;
    return true;
}

enum idle_advice idle_round_slow(struct idle *i)
{
    cpu_pause();
    switch (settings.wait) {
    case WAIT_SPIN:
        return IDLE_SPIN;
    case WAIT_YIELD:
        return IDLE_YIELD;
    case WAIT_SLEEP:
        return i->turns < SPIN_CROWDED ? IDLE_SPIN : IDLE_SLEEP;
    default:
        if (idle_crowded())
            return i->turns < SPIN_CROWDED                  ? IDLE_SPIN
                   : i->turns < YIELD_CROWDED && !i->sleepy ? IDLE_YIELD
                                                            : IDLE_SLEEP;
        return i->turns < SPIN_ALONE ? IDLE_SPIN : IDLE_YIELD;
    }
}

void idle_yield(struct idle *i)
{
    if (i->turns > NAP_AFTER && settings.wait != WAIT_YIELD) {
        struct timespec t = {0, 20 * 1000};
        nanosleep(&t, NULL);
    } else {
        sched_yield();
    }
}
