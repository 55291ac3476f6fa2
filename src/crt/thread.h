/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What crt knows of an operating system thread. Made when the thread first waits or enters a region in task
 * mode; never freed, recycled when the thread ends. Never freed because whoever lets a waiter go on touches
 * its thread's event count last, when the waiter and all it owned may be gone.
 */
#ifndef EP_CRT_THREAD_H
#define EP_CRT_THREAD_H

#include "crt/evcount.h"

struct apart;
struct fiber;
struct worker;

struct thread {
    struct thread *next;    /* spare list, under its lock */
    struct thread *older;   /* made before this one; constant */
    struct evcount evcount; /* any thread notifies */

    /* The thread alone. */
    struct worker *worker; /* its part of the innermost team in task mode; NULL: everything is passed on */
    struct worker
        *root; /* its part of the team that tasks outside of any region belong to, once there were some */
    struct apart *apart; /* what it was made for, while its maker sleeps (apart.h), or NULL */
    bool unaware;        /* its blocking calls block it (crt_set_task_aware) */
    struct fiber *spare; /* fibers without a task */
    unsigned spares;
    struct fiber_segment *segments; /* further stacks that no fiber uses now */
    void *handlers;                 /* a stack for signals (fiber/stack.c), or NULL */
    struct pool tasks;              /* pool_put_remote: any thread */
    char *copies;         /* room for the private copies of its next reduction (copies.c), or NULL */
    struct copies *taken; /* of regions whose reductions it merges now, the last one first */

    uint64_t polled,
        looked; /* when it polled last, and when it looked at the clock for that (poll_is_due) ... */
    unsigned looks, looks_left; /* ... and how many looks it leaves out, and will yet */
    bool in_poll;               /* it is in the poll function, and keeps others out of it */

    /* The poller's role (poll.h), under its lock. */
    struct node sleeper; /* in the list of those who sleep while another polls */
    bool sleeping;       /* in that list */
    _Atomic bool polls; /* it is the poller; set by the thread itself or by whom it took over from; relaxed */
};

/* NULL until thread_self was called. The only thread-local variable of the task layer. */
extern _Thread_local struct thread *thread_here __attribute__((tls_model("initial-exec")));

/* Notify the event counts of all threads. */
void thread_ring_all(void);

/* Out of line part of thread_self. */
struct thread *thread_make(void);

static inline struct thread *thread_self(void)
{
    struct thread *t = thread_here;
    return likely(t) ? t : thread_make();
}

/* The caller's worker, or NULL if what it does is not our affair: not in task mode. */
static inline struct worker *worker_here(void)
{
    struct thread *t = thread_here;
    return t ? t->worker : NULL;
}

/* The same, and NULL if its blocking calls block the thread all the same. */
static inline struct worker *worker_suspends(void)
{
    struct thread *t = thread_here;
    return t && !t->unaware ? t->worker : NULL;
}

#endif
