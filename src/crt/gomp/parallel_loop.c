/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parallel constructs combined with others.
 *
 * All take the outlined function and its argument and pass them on to every thread, so both can be
 * exchanged for region_body and the region. GOMP_parallel_reductions looks at its argument itself: *data is
 * the reductions array, and so is the first word of a region. The compiler merges and unregisters that
 * array after the region (reduction.h).
 */
#include "crt/gomp/real.h"
#include "crt/team/copies.h"
#include "crt/team/reduction.h"
#include "crt/team/team.h"

typedef void body(void *);

/* True if the region is ours: then *fn and *data are exchanged, and region_close(r) comes after the call. */
static bool gomp_parallel_loop_enter(struct region *r, body **fn, void **data)
{
    if (!region_wanted())
        return false;
    region_open(r, *fn, *data, NULL);
    *fn = region_body;
    *data = r;
    return true;
}

static void gomp_parallel_loop_leave(struct region *r, bool ours)
{
    if (ours)
        region_close(r);
}

unsigned GOMP_parallel_reductions(body *fn, void *data, unsigned num_threads, unsigned flags)
{
    if (!region_wanted())
        return real_function()->GOMP_parallel_reductions(fn, data, num_threads, flags);
    struct region r;
    region_open(&r, fn, data, *(uintptr_t **)data);
    unsigned n = real_function()->GOMP_parallel_reductions(region_body, &r, num_threads, flags);
    region_close(&r);
    if (!r.group.own_copies)
        return n;
    copies_take(r.reductions);
    return reduction_copies(r.reductions); /* only the merge wants to know */
}

void GOMP_parallel_sections(body *fn, void *data, unsigned num_threads, unsigned count, unsigned flags)
{
    struct region r;
    bool ours = gomp_parallel_loop_enter(&r, &fn, &data);
    real_function()->GOMP_parallel_sections(fn, data, num_threads, count, flags);
    gomp_parallel_loop_leave(&r, ours);
}

void GOMP_parallel_loop_static(body *fn, void *data, unsigned num_threads, long start, long end, long incr,
                               long chunk, unsigned flags)
{
    struct region r;
    bool ours = gomp_parallel_loop_enter(&r, &fn, &data);
    real_function()->GOMP_parallel_loop_static(fn, data, num_threads, start, end, incr, chunk, flags);
    gomp_parallel_loop_leave(&r, ours);
}

void GOMP_parallel_loop_dynamic(body *fn, void *data, unsigned num_threads, long start, long end, long incr,
                                long chunk, unsigned flags)
{
    struct region r;
    bool ours = gomp_parallel_loop_enter(&r, &fn, &data);
    real_function()->GOMP_parallel_loop_dynamic(fn, data, num_threads, start, end, incr, chunk, flags);
    gomp_parallel_loop_leave(&r, ours);
}

void GOMP_parallel_loop_guided(body *fn, void *data, unsigned num_threads, long start, long end, long incr,
                               long chunk, unsigned flags)
{
    struct region r;
    bool ours = gomp_parallel_loop_enter(&r, &fn, &data);
    real_function()->GOMP_parallel_loop_guided(fn, data, num_threads, start, end, incr, chunk, flags);
    gomp_parallel_loop_leave(&r, ours);
}

void GOMP_parallel_loop_runtime(body *fn, void *data, unsigned num_threads, long start, long end, long incr,
                                unsigned flags)
{
    struct region r;
    bool ours = gomp_parallel_loop_enter(&r, &fn, &data);
    real_function()->GOMP_parallel_loop_runtime(fn, data, num_threads, start, end, incr, flags);
    gomp_parallel_loop_leave(&r, ours);
}

void GOMP_parallel_loop_nonmonotonic_dynamic(body *fn, void *data, unsigned num_threads, long start, long end,
                                             long incr, long chunk, unsigned flags)
{
    struct region r;
    bool ours = gomp_parallel_loop_enter(&r, &fn, &data);
    real_function()->GOMP_parallel_loop_nonmonotonic_dynamic(fn, data, num_threads, start, end, incr, chunk,
                                                             flags);
    gomp_parallel_loop_leave(&r, ours);
}

void GOMP_parallel_loop_nonmonotonic_guided(body *fn, void *data, unsigned num_threads, long start, long end,
                                            long incr, long chunk, unsigned flags)
{
    struct region r;
    bool ours = gomp_parallel_loop_enter(&r, &fn, &data);
    real_function()->GOMP_parallel_loop_nonmonotonic_guided(fn, data, num_threads, start, end, incr, chunk,
                                                            flags);
    gomp_parallel_loop_leave(&r, ours);
}

void GOMP_parallel_loop_nonmonotonic_runtime(body *fn, void *data, unsigned num_threads, long start, long end,
                                             long incr, unsigned flags)
{
    struct region r;
    bool ours = gomp_parallel_loop_enter(&r, &fn, &data);
    real_function()->GOMP_parallel_loop_nonmonotonic_runtime(fn, data, num_threads, start, end, incr, flags);
    gomp_parallel_loop_leave(&r, ours);
}

void GOMP_parallel_loop_maybe_nonmonotonic_runtime(body *fn, void *data, unsigned num_threads, long start,
                                                   long end, long incr, unsigned flags)
{
    struct region r;
    bool ours = gomp_parallel_loop_enter(&r, &fn, &data);
    real_function()->GOMP_parallel_loop_maybe_nonmonotonic_runtime(fn, data, num_threads, start, end, incr,
                                                                   flags);
    gomp_parallel_loop_leave(&r, ours);
}
