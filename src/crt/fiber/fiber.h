/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fiber: a stack on which a deferred task's body runs, so that it can be left in the middle. It lies at
 * the top of its own stack: a blocked task costs one page. It belongs to one thread (tasks are tied) and
 * is run by its worker's scheduler, to which it switches back when it is done or blocks (sched.h).
 *
 * A fiber whose task is done stays suspended in its loop and takes the next task as it is.
 */
#ifndef EP_CRT_FIBER_H
#define EP_CRT_FIBER_H

#include <crt.h>

#include "crt/fiber/exec_context.h"
#include "crt/thread.h"

struct task;

struct fiber {
    struct exec_context exec_context;
    struct fiber *next;    /* the one list that it is in: ready, yielded, handed off, resumed, spare */
    struct worker *worker; /* constant while it has a task */
    struct task *task;     /* what it runs: the task it was started for, or one that is undeferred within */
    crt_cond_t *cond;      /* what it waits for: set by the fiber, published by the scheduler (cond.c) */
    struct fiber *older;   /* constant: all there are, for debuggers (tools/tasks.gdb) */
};

/* Room for one at the top of a stack. */
static inline size_t fiber_bytes(void)
{
    return (sizeof(struct fiber) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

/* A fiber without a task, of the calling thread t. */
struct fiber *fiber_get(struct thread *t);
void fiber_put(struct thread *t, struct fiber *f);

/* Call fn(arg) from the running fiber f of thread t, on another stack if less than half of this one is left: calls within calls
 * find room as long as there is memory. */
void fiber_call(struct thread *t, struct fiber *f, void (*fn)(void *), void *arg);

/* Fibers, first in first out. */
struct fibers {
    struct fiber *first, *last;
};

static inline void fibers_append(struct fibers *l, struct fiber *f)
{
    f->next = NULL;
    if (l->first)
        l->last->next = f;
    else
        l->first = f;
    l->last = f;
}

static inline struct fiber *fibers_pop(struct fibers *l)
{
    struct fiber *f = l->first;
    if (f)
        l->first = f->next;
    return f;
}

#endif
