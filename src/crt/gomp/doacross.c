/* SPDX-License-Identifier: BSD-3-Clause */
/* Doacross loops, with indices of either type: the waits and posts are ours (team/ordered.h). */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "crt/gomp/gomp.h"

/* Of a nest of loops: few, as most have; and what is the most. */
enum { DOACROSS_FEW = 8, DIMENSIONS = 64 };

_Static_assert(sizeof(long) <= sizeof(ull), "indices are kept as ull");

/* Most that this thread has come to: so many arguments a wait that is libgomp's may have. One thing more than thread_here that is
 * a thread's, since it is needed where crt knows no thread. */
static _Thread_local unsigned most __attribute__((tls_model("initial-exec")));

void doacross_begin_ull(unsigned dimensions, const ull *counts)
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

static void doacross_widen(ull *to, const long *from, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = (ull)from[i];
}

void doacross_begin_long(unsigned dimensions, const long *counts)
{
    ull wide[DIMENSIONS];
    doacross_widen(wide, counts, dimensions < DIMENSIONS ? dimensions : DIMENSIONS);
    doacross_begin_ull(dimensions, wide);
}

void GOMP_doacross_post(long *at)
{
    struct worker *w = worker_here();
    ull wide[DIMENSIONS];
    if (!w || !w->order) {
        real_function()->GOMP_doacross_post(at);
        return;
    }
    doacross_widen(wide, at, w->order->dimensions);
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

/* libgomp takes as many arguments as its loop has dimensions: more do no harm. */
#define EIGHT(t, a, i)                                                                                       \
    (t)(a)[i], (t)(a)[(i) + 1], (t)(a)[(i) + 2], (t)(a)[(i) + 3], (t)(a)[(i) + 4], (t)(a)[(i) + 5],          \
        (t)(a)[(i) + 6], (t)(a)[(i) + 7]
#define MANY(t, a)                                                                                           \
    EIGHT(t, a, 0), EIGHT(t, a, 8), EIGHT(t, a, 16), EIGHT(t, a, 24), EIGHT(t, a, 32), EIGHT(t, a, 40),      \
        EIGHT(t, a, 48), EIGHT(t, a, 56)

/* How many arguments to read: of the thread's loop if that is ours, else what any may have. */
static unsigned doacross_arguments(const struct worker *w)
{
    unsigned n = w && w->order ? w->order->dimensions : most;
    return n > 0 ? n : 1;
}

#define DOACROSS_WAIT(name, type)                                                                            \
    void name(type first, ...)                                                                               \
    {                                                                                                        \
        struct worker *w = worker_here();                                                                    \
        unsigned n = doacross_arguments(w), room = n <= DOACROSS_FEW ? DOACROSS_FEW : DIMENSIONS;            \
        ull at[DIMENSIONS];                                                                                  \
        va_list more;                                                                                        \
        at[0] = (ull)first;                                                                                  \
        va_start(more, first);                                                                               \
        for (unsigned i = 1; i < n; i++)                                                                     \
            at[i] = (ull)va_arg(more, type);                                                                 \
        va_end(more);                                                                                        \
        memset(at + n, 0, (room - n) * sizeof *at);                                                          \
        if (w && w->order)                                                                                   \
            doacross_wait(w, at);                                                                            \
        else if (n <= DOACROSS_FEW)                                                                          \
            real_function()->name(EIGHT(type, at, 0));                                                       \
        else                                                                                                 \
            real_function()->name(MANY(type, at));                                                           \
    }

DOACROSS_WAIT(GOMP_doacross_wait, long)
DOACROSS_WAIT(GOMP_doacross_ull_wait, ull)
