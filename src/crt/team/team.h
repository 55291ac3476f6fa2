/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A team: the threads of a parallel region in task mode, and the tasks they share. Made by the thread that
 * encounters the region before libgomp starts it, gone after libgomp has joined its threads, which is the proof
 * that nobody is inside. Every worker takes the team's lock once more when it leaves, so whoever did
 * the last thing in a team under its lock is out of it too.
 *
 * A worker: one thread's part of a team. It lies in the frame of the region's body.
 */
#ifndef EP_CRT_TEAM_H
#define EP_CRT_TEAM_H

#include "crt/team/task.h"

struct team {
    /* Constant. */
    struct worker *up; /* of the thread that encountered the region, or NULL */
    bool root;         /* the team of a thread outside of any region: tasks are started at once */

    _Atomic unsigned n; /* every worker stores the same when it comes; relaxed */

    struct lock lock;
    struct list idle;     /* asleep or about to be, by worker->idle_link: those that may start any task ... */
    struct list bound;    /* ... and those that the scheduling constraint binds */
    struct list queue;    /* tasks ready and not started, by task->queue, ... */
    unsigned places;      /* ... and how many there have been */
    bool prioritised;     /* some had a priority */
    struct list copyless; /* tasks that wait for private copies (copies.c) */
    _Atomic unsigned ready; /* how many; written under the lock, a look without it may be stale; relaxed */

    /* What lifts the constraint (queue.h), any thread: external counts workers with stacks in crt_wait and events of tasks that are
     * not fulfilled, here and in teams of regions within; locks counts workers with stacks that wait for a lock. */
    _Atomic unsigned external, locks; /* relaxed */

    /* The barrier (barrier.c): written under the lock or by who arrives. */
    _Atomic unsigned
        incomplete; /* explicit tasks; seq_cst: count_incomplete against arrive and team_barrier_check */
    _Atomic unsigned arrived;    /* seq_cst: arrive against count_incomplete; team_barrier_check */
    _Atomic unsigned generation; /* release team_barrier_check, acquire barrier_passed */

    /* The same at the end of a region that may be cancelled: who has left it does not come to its barriers. */
    _Atomic unsigned leaving; /* seq_cst: arrive (by pointer) against count_incomplete; check_end */
    _Atomic bool left;        /* release check_end, acquire has_left */

    /* Any thread; never taken back, and until the next barrier (cancel.h). */
    _Atomic bool cancelled,
        share_cancelled; /* cancelled: release cancel_region, acquire passed_or_cancelled; share_cancelled: relaxed */

    struct order *order; /* loops with an order that threads are in (ordered.h), under the lock */
    void *copyprivate;   /* between GOMP_single_copy_end and the barrier that follows it */
};

/* A taskwait, taskgroup end or dependence wait on a suspended stack of this worker: what it may start meanwhile (queue.h).
 * The team's lock guards it. */
struct wait {
    struct node node; /* worker->waits, in the order of their beginning */
    struct node leaf; /* worker->leaves, if inner is 0 */
    unsigned number;  /* counts the worker's waits */
    struct worker *worker;
    struct task *task;   /* who waits, for its children ... */
    struct group *group; /* ... and before those for the members of this, or NULL */
    struct wait *outer;  /* of the worker's waits that of the nearest ancestor of task, or NULL */
    unsigned inner;      /* waits whose outer this is */
};

/* What a fiber wants when it switches to its scheduler. */
enum ask { ASK_DONE, ASK_WAIT, ASK_YIELD, ASK_START };

/* Values of control variables (icv.h). */
struct icv {
    int threads, dynamic, kind, chunk, levels, device;
};

struct worker {
    /* Constant. */
    struct team *team;
    struct thread *thread;
    struct worker *outer; /* the thread's worker before this */
    unsigned number;      /* omp_get_thread_num() */

    /* The thread alone. */
    struct task *task;   /* running, innermost */
    struct fiber *fiber; /* running, or NULL: the stack of the implicit task, where the scheduler runs */
    struct exec_context exec_context; /* that stack, while a fiber runs */
    struct exceptions *exceptions;    /* exec_context_exceptions() */
    enum ask ask;                     /* of the fiber that switched to the scheduler ... */
    struct task *start;               /* ... and the task that it wants started in its place */
    struct fiber *handed;             /* creators that made way for their tasks, last in first out */
    struct fibers ready;              /* may go on */
    struct fibers yielded;
    struct icv *icv;     /* in libgomp at present: a task's, or NULL: what the team began with ... */
    struct icv own_icv;  /* ... which is here meanwhile */
    bool waiting;        /* the scheduler's own stack is in sched_until ... */
    crt_cond_t *awaited; /* ... for this, or NULL: a barrier */
    unsigned turns;
    struct order *order; /* of the loop that the implicit task is in, if that has an order */
    unsigned loops;      /* of that kind that it has come to */
    unsigned long long chunk_first, chunk_last;
    unsigned any; /* stacks in crt_yield: new tasks of any kind may be started */

    unsigned external; /* stacks of it in this team that wait in crt_wait */
    unsigned
        locks; /* the same for a lock; others read it, any and tries under the team's lock while the worker sleeps */
    unsigned tries; /* stacks that try to get a lock and let others run: unlike locks not counted by the team */

    /* Under the team's lock; waits and leaves are changed by the thread alone, under the lock, and read by others. */
    struct node idle_link;
    struct list *bedroom; /* the one of team->idle and team->bound that it is in, or NULL */
    struct list waits, leaves;
    unsigned waits_begun;

    /* Locks (mutex.c). */
    _Atomic bool away; /* in a region within; written by the thread alone; relaxed */
    _Atomic unsigned
        granted; /* stacks of it that were given a lock and have not gone on; any thread; relaxed */

    /* Any thread. */
    _Atomic(struct fiber *)
        resumed; /* fibers signalled by other threads, last in first out; release sched_resume, acquire take_resumed */

    struct task implicit;
};

/* ---- Regions: what the entry points of parallel constructs use ---- */

/* One region, in the frame of the entry point. */
struct region {
    uintptr_t *reductions; /* first: GOMP_parallel_reductions of libgomp looks for it at *data */
    void (*fn)(void *);
    void *data;
    struct team team;
    struct group group; /* what implicit tasks are in if there are reductions */
    _Atomic unsigned
        edge; /* orders what libgomp orders, for TSan; release run and region_open, acquire region_close and run */
};

/* Is the region that the caller is about to start ours? Else pass the call on. */
bool region_wanted(void);
/* Before the real entry point is called with region_body and r in place of fn and data, and after. reductions: of
 * GOMP_parallel_reductions, else NULL. */
void region_open(struct region *r, void (*fn)(void *), void *data, uintptr_t *reductions);
void region_body(void *r);
/* In place of both: a region that libgomp knows nothing of, with the calling thread alone. */
void region_alone(struct region *r);
void region_close(struct region *r);

/* ---- Inside ---- */

/* worker_here(), or a worker of a root team if the thread is outside of any region and task mode is on; NULL: pass the call on. */
struct worker *worker_get(void);

/* The thread, the caller, is about to end: wait until all tasks that it made outside of regions are complete. They are tied to
 * it, and some may be suspended. This is the barrier at the end of the implicit region around the whole thread. */
void root_finish(struct thread *t);

/* Wait until all threads of the team are here and all its tasks complete. */
void team_barrier(struct worker *w);
/* The same, or until the region is cancelled: then true. */
bool team_barrier_cancel(struct worker *w);
/* The last one of a region, of all threads whether it was cancelled or not. */
void team_barrier_end(struct worker *w);

/* Release the barrier if all is there and done. The team's lock is held. */
void team_barrier_check(struct team *team, struct wakes *wakes);

#endif
