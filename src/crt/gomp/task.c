/* SPDX-License-Identifier: BSD-3-Clause */
/* What of tasks is more than a call (entries.txt). */
#include "crt/gomp/gomp.h"

void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long arg_size, long arg_align,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach)
{
    struct worker *w = worker_get();
    if (!w) {
        real_function()->GOMP_task(fn, data, copy, arg_size, arg_align, if_clause, flags, depend, priority,
                                   detach);
        return;
    }
    if (cancel_keeps_out(w)) {
        if (flags & TASK_DETACH)
            *(uintptr_t *)detach = TASK_NO_EVENT; /* which the creator may hand on */
        return;
    }
    struct spawn s = {.fn = fn,
                      .data = data,
                      .copy = copy,
                      .arg_size = arg_size,
                      .arg_align = arg_align,
                      .if_clause = if_clause,
                      .flags = flags,
                      .depend = depend,
                      .detach = detach,
                      .priority = priority};
    task_spawn(w, &s);
}

static void gomp_task_nothing(void *data)
{
    (void)data;
}

/* A task without a body that others may depend on. */
void GOMP_taskwait_depend_nowait(void **depend)
{
    struct worker *w = worker_here();
    if (w)
        task_spawn(w, &(struct spawn){.fn = gomp_task_nothing,
                                      .arg_align = 1,
                                      .if_clause = true,
                                      .flags = TASK_DEPEND,
                                      .depend = depend});
    else if (real_function()->GOMP_taskwait_depend_nowait)
        real_function()->GOMP_taskwait_depend_nowait(depend);
    else
        real_function()->GOMP_taskwait_depend(depend);
}

void omp_fulfill_event(uintptr_t event)
{
    if (event & 1)
        task_fulfill(event);
    else
        real_function()->omp_fulfill_event(event);
}

int omp_in_explicit_task(void)
{
    struct worker *w = worker_here();
    if (w)
        return w->task != &w->implicit;
    return real_function()->omp_in_explicit_task ? real_function()->omp_in_explicit_task() : 0;
}
