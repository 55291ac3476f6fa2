/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scheduler of one thread in one team. It runs on the stack of the implicit task whenever that waits.
 * Switches go from a fiber to the scheduler or back, never from fiber to fiber: all decisions are
 * made in one place, nothing is ever buried under another task's frames, and what is to be done after a
 * switch (publish the fiber that left) is done by the scheduler. errno is what it was for whoever comes back, on either kind of stack.
 */
#ifndef EP_CRT_SCHED_H
#define EP_CRT_SCHED_H

#include "crt/team/team.h"

/* Suspend the running task, on a fiber or not, until cond is signalled; others run meanwhile. */
void sched_wait(struct worker *w, crt_cond_t *cond);
/* The same for who waits for tasks; the team's lock is held on entry and released. While it waits, the worker starts
 * what it waits for: members of group (or NULL), then children of the running task. */
void sched_wait_for_tasks(struct worker *w, crt_cond_t *cond, struct group *group);
/* The same for crt_wait: lifts the scheduling constraint of the team. */
void sched_wait_external(struct worker *w, crt_cond_t *cond);
/* t has an external event more to wait for, task_event takes it away: that lifts the constraint, too. No lock is held. */
void sched_add_event(struct task *t);
/* sched_wait for locks: nothing is started that is not needed. */
void sched_wait_lock(struct worker *w, crt_cond_t *cond);

/* Leave the running fiber until cond is signalled. */
void sched_leave_for(struct worker *w, crt_cond_t *cond);

/* Let others run once; any: also new tasks that the scheduling constraint forbids. */
void sched_yield_task(struct worker *w, bool any);

/* The same for who tries to get a lock: nothing is started that is not needed. */
void sched_yield_lock(struct worker *w);

/* Start t, which is in no list, in place of the running task; that one goes on when t ends or blocks. */
void sched_start(struct worker *w, struct task *t);

/* Run others, on the implicit task's stack, until `until` holds. cond: whose signal makes it hold, or NULL: then who makes
 * it hold wakes the idle workers. */
typedef bool sched_until_fn(struct worker *w, void *arg);
void sched_until(struct worker *w, sched_until_fn *until, void *arg, crt_cond_t *cond);

/* Could w run something else than the caller now? A hint, without the lock: it may be out of date, and a task in the queue may
 * be one that the scheduling constraint forbids. */
bool sched_has_other(struct worker *w);

/* Poll, if something is waited for and w's thread has not done so for a while. */
void sched_poll(struct worker *w);

/* f's condition was signalled: let it go on. Any thread; f and its team may be gone when this returns. */
void sched_resume(struct fiber *f);

/* What a fiber runs: one task after the other. */
void sched_fiber(void *fiber);

/* A worker waits. */
struct sched_wait {
    struct worker *worker;
    sched_until_fn *until;
    void *arg;
    crt_cond_t *cond; /* or NULL */
};
/* Nothing to do: poll, and rest as advised (sched_idle.c). */
void sched_rest(void *wait, struct waiter *waiter, enum wait_advice advice);

#endif
