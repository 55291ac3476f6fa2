/* SPDX-License-Identifier: BSD-3-Clause */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "crt/gomp/real.h"
#include "crt/mode.h"
#include "crt/places.h"
#include "crt/team/cancel.h"
#include "crt/team/mutex.h"
#include "crt/team/ordered.h"
#include "crt/team/reduction.h"
#include "crt/team/team.h"

bool region_wanted(void)
{
    return worker_here() || mode_is_task();
}

enum { REGION_CPU_WORDS = 128 }; /* of 64 CPUs */

static int region_cpus(void)
{
    static _Atomic int known; /* relaxed */
    unsigned long set[REGION_CPU_WORDS];
    int n = load_relaxed(&known);
    if (n == 0) {
        n = places_cpus(set, sizeof set);
        n = n > 0 ? n : INT_MAX;
        store_relaxed(&known, n);
    }
    return n;
}

static void worker_init(struct worker *w, struct team *team, unsigned number)
{
    struct thread *t = thread_self();
    cancel_learn();
    memset(w, 0, sizeof *w);
    w->team = team;
    w->thread = t;
    w->number = number;
    w->outer = t->worker;
    w->exceptions = exec_context_exceptions();
    exec_context_adopt(&w->exec_context);
    w->implicit.team = team;
    w->implicit.references = 1;
    w->implicit.events = 1;
    w->task = &w->implicit;
}

void region_open(struct region *r, void (*fn)(void *), void *data, uintptr_t *reductions)
{
    memset(r, 0, sizeof *r);
    lock_init(&r->team.lock, LOCK_TEAM);
    r->fn = fn;
    r->data = data;
    r->reductions = reductions;
    r->group.reductions = reductions;
    r->team.up = worker_here();
    if (r->team.up)
        mutex_leave(r->team.up);
    atomic_store_explicit(&r->edge, 1, memory_order_release); /* with region_body's acquire: fork */
}

static void region_run(struct region *r, unsigned n, unsigned number)
{
    struct worker w;
    (void)load_acquire(&r->edge);
    store_relaxed(&r->team.n, n);
    worker_init(&w, &r->team, number);
    if (w.number == 0 && (int)n > region_cpus())
        wait_set_crowded();
    if (r->reductions) {
        w.implicit.group = w.implicit.groups = &r->group;
        lock_acquire(&r->team.lock);
        reduction_take_over(&r->group, r->reductions, n);
        lock_release(&r->team.lock);
    }
    w.thread->worker = &w;
    r->fn(r->data);
    team_barrier_end(&w);
    w.thread->worker = w.outer;
    lock_acquire(&r->team.lock);
    lock_release(&r->team.lock);
    free(w.implicit.icv);
    add_acq_rel(&r->edge, 1); /* with region_close's acquire: join */
}

void region_body(void *arg)
{
    region_run(arg, (unsigned)real_function()->omp_get_num_threads(),
               (unsigned)real_function()->omp_get_thread_num());
}

void region_alone(struct region *r)
{
    region_run(r, 1, 0);
}

void region_close(struct region *r)
{
    (void)load_acquire(&r->edge);
    order_free(&r->team);
    if (r->team.up)
        mutex_return(r->team.up);
}

/* ---- Threads outside of regions ---- */

struct root {
    struct team team;
    struct worker worker;
};

static struct worker *root_make(struct thread *t)
{
    struct root *r = t->root ? container_of(t->root, struct root, worker) : calloc(1, sizeof *r);
    if (!r)
        log_no_memory("a thread that makes tasks outside of regions");
    if (!t->root) {
        lock_init(&r->team.lock, LOCK_TEAM);
        r->team.n = 1;
        r->team.root = true;
        worker_init(&r->worker, &r->team, 0);
        t->root = &r->worker;
    }
    /* It may come from a thread that has ended. */
    exec_context_adopt(&r->worker.exec_context);
    r->worker.exceptions = exec_context_exceptions();
    t->worker = &r->worker;
    return &r->worker;
}

void root_finish(struct thread *t)
{
    struct worker *w = t->root;
    if (!w || load_acquire(&w->team->incomplete) == 0)
        return;
    if (t->worker != w || w->fiber) {
        t->root =
            NULL; /* pthread_exit in a region or a task, which OpenMP forbids: these stacks cannot go on */
        return;
    }
    team_barrier(w);
}

struct worker *worker_get(void)
{
    struct worker *w = worker_here();
    if (w || !mode_is_task() || real_function()->omp_get_level() > 0)
        return w;
    return root_make(thread_self());
}
