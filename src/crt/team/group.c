/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "crt/cond.h"
#include "crt/team/sched.h"

struct group *task_group_begin(struct worker *w)
{
    struct group *g = calloc(1, sizeof *g);
    if (!g)
        log_no_memory("a group of tasks");
    g->outer = w->task->groups;
    w->task->groups = g;
    return g;
}

void task_group_end(struct worker *w)
{
    struct group *g = w->task->groups;
    crt_cond_t cond = CRT_COND_INITIALIZER;
    /* The lock even if nobody is left: who completed the last member may still be inside. */
    lock_acquire(&w->team->lock);
    if (load_relaxed(&g->members) != 0) {
        g->waiter = &cond;
        sched_wait_for_tasks(w, &cond, g);
    } else {
        lock_release(&w->team->lock);
    }
    w->task->groups = g->outer;
    free(g);
}
