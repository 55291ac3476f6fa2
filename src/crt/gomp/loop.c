/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Worksharing: libgomp hands out the work, the barriers and the task reductions are ours.
 *
 * GOMP_loop_end and GOMP_sections_end are their _nowait form and a barrier. The *_start functions here are
 * those that may carry a task reduction; the compiler uses them for little else. With reductions libgomp
 * opens a taskgroup in its implicit task and allocates the memory, GOMP_workshare_task_reduction_unregister
 * ends both; `memory` is for what the threads of the loop share, and all libgomp's.
 *
 * single copyprivate: who GOMP_single_copy_start returns NULL to runs the block and calls
 * GOMP_single_copy_end with what the others are to copy from; they get it from GOMP_single_copy_start. The
 * compiler emits one more GOMP_barrier after the copying, so one slot per team is enough.
 */
#include "crt/gomp/real.h"
#include "crt/team/ordered.h"
#include "crt/team/reduction.h"
#include "crt/team/team.h"

/* Note what libgomp has just registered. */
static void gomp_loop_note(uintptr_t *reductions)
{
    struct worker *w = reductions ? worker_get() : NULL;
    if (w)
        reduction_group(w, reductions);
}

bool GOMP_loop_start(long start, long end, long incr, long sched, long chunk, long *first, long *last,
                     uintptr_t *reductions, void **memory)
{
    bool any =
        real_function()->GOMP_loop_start(start, end, incr, sched, chunk, first, last, reductions, memory);
    gomp_loop_note(reductions);
    return any;
}

bool GOMP_loop_ordered_start(long start, long end, long incr, long sched, long chunk, long *first, long *last,
                             uintptr_t *reductions, void **memory)
{
    bool any = real_function()->GOMP_loop_ordered_start(start, end, incr, sched, chunk, first, last,
                                                        reductions, memory);
    ordered_begin((ull)start, any, first ? (ull)*first : 0, last ? (ull)*last : 0);
    gomp_loop_note(reductions);
    return any;
}

bool GOMP_loop_doacross_start(unsigned ncounts, long *counts, long sched, long chunk, long *first, long *last,
                              uintptr_t *reductions, void **memory)
{
    doacross_begin_long(ncounts, counts);
    bool any = real_function()->GOMP_loop_doacross_start(ncounts, counts, sched, chunk, first, last,
                                                         reductions, memory);
    gomp_loop_note(reductions);
    return any;
}

bool GOMP_loop_ull_start(bool up, ull start, ull end, ull incr, long sched, ull chunk, ull *first, ull *last,
                         uintptr_t *reductions, void **memory)
{
    bool any = real_function()->GOMP_loop_ull_start(up, start, end, incr, sched, chunk, first, last,
                                                    reductions, memory);
    gomp_loop_note(reductions);
    return any;
}

bool GOMP_loop_ull_ordered_start(bool up, ull start, ull end, ull incr, long sched, ull chunk, ull *first,
                                 ull *last, uintptr_t *reductions, void **memory)
{
    bool any = real_function()->GOMP_loop_ull_ordered_start(up, start, end, incr, sched, chunk, first, last,
                                                            reductions, memory);
    ordered_begin(start, any, first ? *first : 0, last ? *last : 0);
    gomp_loop_note(reductions);
    return any;
}

bool GOMP_loop_ull_doacross_start(unsigned ncounts, ull *counts, long sched, ull chunk, ull *first, ull *last,
                                  uintptr_t *reductions, void **memory)
{
    doacross_begin(ncounts, counts);
    bool any = real_function()->GOMP_loop_ull_doacross_start(ncounts, counts, sched, chunk, first, last,
                                                             reductions, memory);
    gomp_loop_note(reductions);
    return any;
}

unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **memory)
{
    unsigned first = real_function()->GOMP_sections2_start(count, reductions, memory);
    gomp_loop_note(reductions);
    return first;
}

void GOMP_scope_start(uintptr_t *reductions)
{
    real_function()->GOMP_scope_start(reductions);
    gomp_loop_note(reductions);
}

void GOMP_loop_end_nowait(void)
{
    struct worker *w = worker_here();
    if (w)
        order_leave(w);
    real_function()->GOMP_loop_end_nowait();
}

void GOMP_loop_end(void)
{
    struct worker *w = worker_here();
    if (!w) {
        real_function()->GOMP_loop_end();
        return;
    }
    order_leave(w);
    real_function()->GOMP_loop_end_nowait();
    team_barrier(w);
}

void GOMP_sections_end(void)
{
    struct worker *w = worker_here();
    if (!w) {
        real_function()->GOMP_sections_end();
        return;
    }
    real_function()->GOMP_sections_end_nowait();
    team_barrier(w);
}

bool GOMP_loop_end_cancel(void)
{
    struct worker *w = worker_here();
    if (!w)
        return real_function()->GOMP_loop_end_cancel();
    order_leave(w);
    real_function()->GOMP_loop_end_nowait();
    return team_barrier_cancel(w);
}

bool GOMP_sections_end_cancel(void)
{
    struct worker *w = worker_here();
    if (!w)
        return real_function()->GOMP_sections_end_cancel();
    real_function()->GOMP_sections_end_nowait();
    return team_barrier_cancel(w);
}

void *GOMP_single_copy_start(void)
{
    struct worker *w = worker_here();
    if (!w)
        return real_function()->GOMP_single_copy_start();
    if (real_function()->GOMP_single_start())
        return NULL;
    team_barrier(w);
    return w->team->copyprivate;
}

void GOMP_single_copy_end(void *data)
{
    struct worker *w = worker_here();
    if (!w) {
        real_function()->GOMP_single_copy_end(data);
        return;
    }
    w->team->copyprivate = data;
    team_barrier(w);
}
