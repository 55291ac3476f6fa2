/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops with ordered or doacross. The chunks are libgomp's, the waiting is ours (ordered.h). To ask for the next chunk is to say that
 * this one is done, which waits for its turn.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "crt/gomp/real.h"
#include "crt/team/ordered.h"

/* Of a nest of loops: few, as most have; and what is the most. */
enum { GOMP_ORDERED_FEW = 8, DIMENSIONS = 64 };

void ordered_begin(ull start, bool any, ull first, ull last)
{
    struct worker *w = worker_here();
    if (w)
        ordered_enter(w, start, any, first, last);
}

static bool gomp_ordered_entered(ull start, bool any, ull first, ull last)
{
    ordered_begin(start, any, first, last);
    return any;
}

/* The thread's worker, if its loop has an order; then it has its turn. */
static struct worker *gomp_ordered_await(void)
{
    struct worker *w = worker_here();
    if (!w || !w->order)
        return NULL;
    ordered_await(w);
    return w;
}

static bool gomp_ordered_passed(struct worker *w, bool any, ull first, ull last)
{
    if (w)
        ordered_pass(w, any, first, last);
    return any;
}

bool GOMP_loop_ordered_static_start(long start, long end, long incr, long chunk, long *first, long *last)
{
    bool any = real_function()->GOMP_loop_ordered_static_start(start, end, incr, chunk, first, last);
    return gomp_ordered_entered((ull)start, any, (ull)*first, (ull)*last);
}

bool GOMP_loop_ordered_static_next(long *first, long *last)
{
    struct worker *w = gomp_ordered_await();
    bool any = real_function()->GOMP_loop_ordered_static_next(first, last);
    return gomp_ordered_passed(w, any, (ull)*first, (ull)*last);
}

bool GOMP_loop_ull_ordered_static_start(bool up, ull start, ull end, ull incr, ull chunk, ull *first,
                                        ull *last)
{
    bool any = real_function()->GOMP_loop_ull_ordered_static_start(up, start, end, incr, chunk, first, last);
    return gomp_ordered_entered(start, any, *first, *last);
}

bool GOMP_loop_ull_ordered_static_next(ull *first, ull *last)
{
    struct worker *w = gomp_ordered_await();
    bool any = real_function()->GOMP_loop_ull_ordered_static_next(first, last);
    return gomp_ordered_passed(w, any, *first, *last);
}

bool GOMP_loop_ordered_dynamic_start(long start, long end, long incr, long chunk, long *first, long *last)
{
    bool any = real_function()->GOMP_loop_ordered_dynamic_start(start, end, incr, chunk, first, last);
    return gomp_ordered_entered((ull)start, any, (ull)*first, (ull)*last);
}

bool GOMP_loop_ordered_dynamic_next(long *first, long *last)
{
    struct worker *w = gomp_ordered_await();
    bool any = real_function()->GOMP_loop_ordered_dynamic_next(first, last);
    return gomp_ordered_passed(w, any, (ull)*first, (ull)*last);
}

bool GOMP_loop_ull_ordered_dynamic_start(bool up, ull start, ull end, ull incr, ull chunk, ull *first,
                                         ull *last)
{
    bool any = real_function()->GOMP_loop_ull_ordered_dynamic_start(up, start, end, incr, chunk, first, last);
    return gomp_ordered_entered(start, any, *first, *last);
}

bool GOMP_loop_ull_ordered_dynamic_next(ull *first, ull *last)
{
    struct worker *w = gomp_ordered_await();
    bool any = real_function()->GOMP_loop_ull_ordered_dynamic_next(first, last);
    return gomp_ordered_passed(w, any, *first, *last);
}

bool GOMP_loop_ordered_guided_start(long start, long end, long incr, long chunk, long *first, long *last)
{
    bool any = real_function()->GOMP_loop_ordered_guided_start(start, end, incr, chunk, first, last);
    return gomp_ordered_entered((ull)start, any, (ull)*first, (ull)*last);
}

bool GOMP_loop_ordered_guided_next(long *first, long *last)
{
    struct worker *w = gomp_ordered_await();
    bool any = real_function()->GOMP_loop_ordered_guided_next(first, last);
    return gomp_ordered_passed(w, any, (ull)*first, (ull)*last);
}

bool GOMP_loop_ull_ordered_guided_start(bool up, ull start, ull end, ull incr, ull chunk, ull *first,
                                        ull *last)
{
    bool any = real_function()->GOMP_loop_ull_ordered_guided_start(up, start, end, incr, chunk, first, last);
    return gomp_ordered_entered(start, any, *first, *last);
}

bool GOMP_loop_ull_ordered_guided_next(ull *first, ull *last)
{
    struct worker *w = gomp_ordered_await();
    bool any = real_function()->GOMP_loop_ull_ordered_guided_next(first, last);
    return gomp_ordered_passed(w, any, *first, *last);
}

bool GOMP_loop_ordered_runtime_start(long start, long end, long incr, long *first, long *last)
{
    bool any = real_function()->GOMP_loop_ordered_runtime_start(start, end, incr, first, last);
    return gomp_ordered_entered((ull)start, any, (ull)*first, (ull)*last);
}

bool GOMP_loop_ordered_runtime_next(long *first, long *last)
{
    struct worker *w = gomp_ordered_await();
    bool any = real_function()->GOMP_loop_ordered_runtime_next(first, last);
    return gomp_ordered_passed(w, any, (ull)*first, (ull)*last);
}

bool GOMP_loop_ull_ordered_runtime_start(bool up, ull start, ull end, ull incr, ull *first, ull *last)
{
    bool any = real_function()->GOMP_loop_ull_ordered_runtime_start(up, start, end, incr, first, last);
    return gomp_ordered_entered(start, any, *first, *last);
}

bool GOMP_loop_ull_ordered_runtime_next(ull *first, ull *last)
{
    struct worker *w = gomp_ordered_await();
    bool any = real_function()->GOMP_loop_ull_ordered_runtime_next(first, last);
    return gomp_ordered_passed(w, any, *first, *last);
}

void GOMP_ordered_start(void)
{
    (void)gomp_ordered_await();
    real_function()->GOMP_ordered_start();
}

/* ---- doacross ---- */

_Static_assert(sizeof(long) <= sizeof(ull), "indices are kept as ull");

/* Most that this thread has come to: so many arguments a wait that is libgomp's may have. One thing more than thread_here that is
 * a thread's, since it is needed where crt knows no thread. */
static _Thread_local unsigned most __attribute__((tls_model("initial-exec")));

void doacross_begin(unsigned dimensions, const ull *counts)
{
    struct worker *w = worker_here();
    if (dimensions > DIMENSIONS) {
        log_error("a doacross loop of %u dimensions; at most %d are possible with OMP_EXTERNAL", dimensions,
                  DIMENSIONS);
        abort(); /* OpenMP has no way to say so */
    }
    if (dimensions > most)
        most = dimensions;
    if (w)
        doacross_enter(w, dimensions, counts);
}

static void gomp_ordered_widen(ull *to, const long *from, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = (ull)from[i];
}

void doacross_begin_long(unsigned ncounts, const long *counts)
{
    ull wide[DIMENSIONS];
    gomp_ordered_widen(wide, counts, ncounts < DIMENSIONS ? ncounts : DIMENSIONS);
    doacross_begin(ncounts, wide);
}

bool GOMP_loop_doacross_static_start(unsigned ncounts, long *counts, long chunk, long *first, long *last)
{
    doacross_begin_long(ncounts, counts);
    return real_function()->GOMP_loop_doacross_static_start(ncounts, counts, chunk, first, last);
}

bool GOMP_loop_ull_doacross_static_start(unsigned ncounts, ull *counts, ull chunk, ull *first, ull *last)
{
    doacross_begin(ncounts, counts);
    return real_function()->GOMP_loop_ull_doacross_static_start(ncounts, counts, chunk, first, last);
}

bool GOMP_loop_doacross_dynamic_start(unsigned ncounts, long *counts, long chunk, long *first, long *last)
{
    doacross_begin_long(ncounts, counts);
    return real_function()->GOMP_loop_doacross_dynamic_start(ncounts, counts, chunk, first, last);
}

bool GOMP_loop_ull_doacross_dynamic_start(unsigned ncounts, ull *counts, ull chunk, ull *first, ull *last)
{
    doacross_begin(ncounts, counts);
    return real_function()->GOMP_loop_ull_doacross_dynamic_start(ncounts, counts, chunk, first, last);
}

bool GOMP_loop_doacross_guided_start(unsigned ncounts, long *counts, long chunk, long *first, long *last)
{
    doacross_begin_long(ncounts, counts);
    return real_function()->GOMP_loop_doacross_guided_start(ncounts, counts, chunk, first, last);
}

bool GOMP_loop_ull_doacross_guided_start(unsigned ncounts, ull *counts, ull chunk, ull *first, ull *last)
{
    doacross_begin(ncounts, counts);
    return real_function()->GOMP_loop_ull_doacross_guided_start(ncounts, counts, chunk, first, last);
}

bool GOMP_loop_doacross_runtime_start(unsigned ncounts, long *counts, long *first, long *last)
{
    doacross_begin_long(ncounts, counts);
    return real_function()->GOMP_loop_doacross_runtime_start(ncounts, counts, first, last);
}

bool GOMP_loop_ull_doacross_runtime_start(unsigned ncounts, ull *counts, ull *first, ull *last)
{
    doacross_begin(ncounts, counts);
    return real_function()->GOMP_loop_ull_doacross_runtime_start(ncounts, counts, first, last);
}

void GOMP_doacross_post(long *at)
{
    struct worker *w = worker_here();
    ull wide[DIMENSIONS];
    if (!w || !w->order) {
        real_function()->GOMP_doacross_post(at);
        return;
    }
    gomp_ordered_widen(wide, at, w->order->dimensions);
    doacross_post(w, wide);
}

void GOMP_doacross_ull_post(ull *at)
{
    struct worker *w = worker_here();
    if (w && w->order)
        doacross_post(w, at);
    else
        real_function()->GOMP_doacross_ull_post(at);
}

/* libgomp's, which looks at as many arguments as the loop has dimensions; more does no harm. */
#define EIGHT(a, i) a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4], a[i + 5], a[i + 6], a[i + 7]
#define MANY(a)                                                                                              \
    EIGHT(a, 0), EIGHT(a, 8), EIGHT(a, 16), EIGHT(a, 24), EIGHT(a, 32), EIGHT(a, 40), EIGHT(a, 48),          \
        EIGHT(a, 56)

static void wait_long(long *a, unsigned n)
{
    memset(a + n, 0, ((n <= GOMP_ORDERED_FEW ? GOMP_ORDERED_FEW : DIMENSIONS) - n) * sizeof *a);
    if (n <= GOMP_ORDERED_FEW)
        real_function()->GOMP_doacross_wait(EIGHT(a, 0));
    else
        real_function()->GOMP_doacross_wait(MANY(a));
}

static void wait_ull(ull *a, unsigned n)
{
    memset(a + n, 0, ((n <= GOMP_ORDERED_FEW ? GOMP_ORDERED_FEW : DIMENSIONS) - n) * sizeof *a);
    if (n <= GOMP_ORDERED_FEW)
        real_function()->GOMP_doacross_ull_wait(EIGHT(a, 0));
    else
        real_function()->GOMP_doacross_ull_wait(MANY(a));
}

void GOMP_doacross_wait(long first, ...)
{
    struct worker *w = worker_here();
    struct order *s = w ? w->order : NULL;
    unsigned n = s ? s->dimensions : most;
    long at[DIMENSIONS];
    ull wide[DIMENSIONS];
    va_list more;
    at[0] = first;
    va_start(more, first);
    for (unsigned i = 1; i < n; i++)
        at[i] = va_arg(more, long);
    va_end(more);
    if (!s) {
        wait_long(at, n > 0 ? n : 1);
        return;
    }
    gomp_ordered_widen(wide, at, n);
    doacross_wait(w, wide);
}

void GOMP_doacross_ull_wait(ull first, ...)
{
    struct worker *w = worker_here();
    struct order *s = w ? w->order : NULL;
    unsigned n = s ? s->dimensions : most;
    ull at[DIMENSIONS];
    va_list more;
    at[0] = first;
    va_start(more, first);
    for (unsigned i = 1; i < n; i++)
        at[i] = va_arg(more, ull);
    va_end(more);
    if (s)
        doacross_wait(w, at);
    else
        wait_ull(at, n > 0 ? n : 1);
}
