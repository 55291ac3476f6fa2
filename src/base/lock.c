/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/lock.h"

#include <sched.h>
#include <time.h>

enum { SPINS = 200, YIELDS = 2000 };

void lock_acquire_slow(struct lock *l)
{
    add_relaxed(&l->wanted, 1);
    for (int i = 0; !lock_try(l); i++) {
        if (i < SPINS) {
            cpu_pause();
        } else if (i < YIELDS) {
            sched_yield();
        } else {
            /* The holder was preempted and yields do not bring it back (other priority class). */
            struct timespec t = {0, 50 * 1000};
            nanosleep(&t, NULL);
        }
    }
    atomic_fetch_sub_explicit(&l->wanted, 1, memory_order_relaxed);
}
