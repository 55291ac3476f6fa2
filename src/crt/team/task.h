/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tasks, explicit and implicit.
 *
 * The life of an explicit task: task_spawn makes it, counts it with its parent, its taskgroup and its team, and
 * registers its dependences. When it has none left it is ready and lies in three lists: the team's queue, its
 * parent's ready children, its taskgroup's ready members; whoever takes it takes it out of all. A scheduler
 * starts it on a fiber. When its body has ended and all its events are fulfilled it is complete: its
 * successors become ready, parent, taskgroup and team count down, and who waits for them is signalled.
 * Its memory lives on while children, complete or not, or dependence tables refer to it.
 *
 * Everything not said to be otherwise is guarded by the team's lock.
 */
#ifndef EP_CRT_TASK_H
#define EP_CRT_TASK_H

#include <assert.h>
#include <crt.h>

#include "crt/fiber/fiber.h"

struct copies_copy;
struct depends;
struct icv;
struct team;
struct wait;
struct worker;

/* Flags of GOMP_task, set by the compiler. */
enum {
    TASK_UNTIED = 1,
    TASK_FINAL = 2,
    TASK_MERGEABLE = 4,
    TASK_DEPEND = 8,
    TASK_PRIORITY = 16,
    TASK_UP = 1 << 8,
    TASK_GRAINSIZE = 1 << 9,
    TASK_IF = 1 << 10,
    TASK_NOGROUP = 1 << 11,
    TASK_REDUCTION = 1 << 12,
    TASK_DETACH = 1 << 13,
    TASK_STRICT = 1 << 14
};

/* So many tasks may wait for another before that takes memory. */
enum { FEW_AFTER = 2 };

/* Tasks that may be started, of one parent or taskgroup. Those just created are taken newest first, which keeps recursion
 * depth first; those that waited for others oldest first, for that is the order in which their results are wanted. Higher
 * priorities come first: each list is ordered by them. */
struct ready {
    struct list created, released;
};

/* A taskgroup. Its members are the tasks created in it and their descendants. */
struct group {
    struct group *outer;    /* constant */
    uintptr_t *reductions;  /* of the task that opened it: the arrays registered with it, newest first ... */
    bool workshare;         /* opened for the reductions of a worksharing construct */
    _Atomic bool cancelled; /* any thread; relaxed */
    bool own_copies;        /* ... and whether their memory is ours (reduction.h) ... */
    uintptr_t frame, place; /* ... and who will merge it  */
    void (*chunk)(void *);  /* of a taskloop with reductions: what its tasks do, ... */
    size_t arrays_at;       /* ... and where in their blocks the arrays are */
    _Atomic unsigned members; /* not complete; release count_down (by pointer), looked at under the lock */
    struct ready ready;       /* members, by task->member */
    crt_cond_t *waiter;       /* of its end, while it waits */
    struct wait *wait;        /* likewise */
};

struct task {
    struct pool_item item; /* the pool's while it is free */

    /* Constant after task_spawn. */
    struct thread *home; /* whose pool it is from; NULL: part of a worker */
    struct team *team;
    struct task *
        parent; /* NULL for implicit tasks; of a complete task the nearest ancestor that was not, at that time */
    struct group *group; /* the taskgroup it is a member of, or NULL */
    void (*fn)(void *);
    void *data;   /* points behind the task, to memory of its own, or, undeferred, to the creator's */
    void *own;    /* that memory, or NULL */
    int priority; /* 0, the least, to OMP_MAX_TASK_PRIORITY */
    bool final, undeferred;
    bool constructed; /* the data, by a function of the compiler */
    bool found; /* by who looks for what depends on another (copies.c); false outside of the team's lock */

    /* Of the thread that runs it. */
    struct icv *icv;            /* what it and its ancestors set with omp_set_..., or NULL (icv.h) */
    struct copies_copy *copies; /* private, of reductions that it takes part in (reduction.h) */
    struct group *groups;       /* innermost taskgroup it is in now: those it opened, below them its own */
    bool counted; /* with parent, group and team: all but undeferred tasks without dependences and events */

    /* Any thread. */
    _Atomic unsigned
        events; /* until it is complete: 1 for the body, 1 for each event; acq_rel task_forget_event, task_last_event */

    struct ready ready; /* children, by task->sibling */
    bool released;      /* the lists it is in, once ready */
    _Atomic unsigned
        references; /* itself until it is complete, children that exist, dependence tables; release task_unref, acquire run_undeferred */
    _Atomic unsigned children; /* not complete; release count_down (by pointer), acquire task_wait */
    crt_cond_t *waiter;        /* of its taskwait, while it waits */
    crt_cond_t *start;         /* undeferred: of its creator, while there are dependences */
    unsigned unstarted;        /* children that have not been started */
    unsigned since;            /* waits that its worker had begun when it was started */
    struct wait *wait;         /* while it is suspended in one */
    struct depends *depends;   /* what its children have said about addresses; NULL before the first */
    unsigned before;           /* tasks that must be complete before it starts */
    struct task **
        after; /* n_after tasks wait for it: if more than FEW_AFTER did, they are here, in memory of its own, ... */
    unsigned n_after, room_after;
    bool complete;

    /* Not zeroed in a new task. */
    unsigned place;                     /* in the team's queue: who has a lower one became ready before */
    struct node queue, sibling, member; /* lists of ready tasks: the team's, the parent's, the group's */
    struct task *few_after[FEW_AFTER];  /* ... else here */
    _Atomic uint32_t
        detached; /* how many tasks here had an event of detach, * 2, + 1 while that is outstanding (task.c); acq_rel take_event */
};

static inline struct task **task_after(struct task *t)
{
    return t->after ? t->after : t->few_after;
}

/* A task in a pool is followed by room for an argument block. */
enum { TASK_ARGS = (sizeof(struct task) + 15) / 16 * 16, TASK_BYTES = TASK_ARGS + 192 };

/* What the compiler says of a new task. */
struct spawn {
    void (*fn)(void *);
    void *data;                   /* the argument block, of arg_size and arg_align */
    void (*copy)(void *, void *); /* copies it, or NULL: memcpy */
    long arg_size, arg_align;
    bool if_clause;
    unsigned flags;
    void **depend;
    void *detach; /* the variable for the event handle */
    int priority; /* counts with TASK_PRIORITY */
    bool plain;   /* copy is not the compiler's: it constructs nothing */
};

/* Create a task; returns when that is done, or, undeferred, when its body has ended. */
void task_spawn(struct worker *w, const struct spawn *s);

/* Wait for the children of the running task. */
void task_wait(struct worker *w);
/* Wait as a task with this dependence list would. */
void task_wait_depend(struct worker *w, void **depend);

/* All children are known to be complete: forget what they said about addresses. */
void task_forget_depends(struct worker *w);

/* Open and end a taskgroup of the running task; task_group_end waits for the members. */
struct group *task_group_begin(struct worker *w);
void task_group_end(struct worker *w);

/* One external event of the task is fulfilled; or its body has ended. Any thread; the task may be gone when it returns. */
void task_event(struct task *t);
void task_body_ended(struct task *t);

/* The event of detach: the handle of t's, and its fulfilment, by any thread. It may come when t is gone, or another task in its
 * memory, if t was discarded: then there is nothing to do, as with TASK_NO_EVENT. */
enum { TASK_NO_EVENT = 1 };
uintptr_t task_detach(struct task *t);
void task_fulfill(uintptr_t handle);
/* t is discarded: it does not wait for its event, which its body may have been to see to. */
void task_forget_event(struct task *t);

/* Its first half: was that the last event? Then the task has to be completed. */
bool task_last_event(struct task *t);

/* Complete t: who has to be told is noted in *wakes. The team's lock is held. */
struct wakes;
void task_complete(struct team *team, struct task *t, struct wakes *wakes);
/* t's dependences are fulfilled: put it into the lists, or let its creator go on. The team's lock is held. */
void task_ready(struct team *team, struct task *t, struct wakes *wakes);
/* A reference more, for a child or a table, and one less. The team's lock is held. */
static inline void task_ref(struct task *t)
{
    assert(load_relaxed(&t->references) > 0);
    store_relaxed(&t->references, load_relaxed(&t->references) + 1);
}
void task_unref(struct task *t);
/* Nothing refers to t, and it refers to nothing. */
void task_free(struct task *t);

/* Dependences (depend.c). Register t, a child of t->parent, with the compiler's list; counts t->before. The team's lock is held. */
void depend_register(struct task *t, void **depend);
/* Forget everything: all children are complete, or there will be no more. The team's lock is held. */
void depend_clear(struct task *parent);

/* Count t with its parent, its group and its team. The team's lock is held. */
void task_count(struct task *t);

#endif
