/* SPDX-License-Identifier: BSD-3-Clause */
/* What libgomp would answer for the implicit task, since it sees no other. */
#include "crt/merge.h"
#include "crt/mode.h"
#include "crt/real.h"

int omp_in_final(void)
{
    struct worker *w = worker_here();
    return w ? w->task->final : real()->omp_in_final();
}

int omp_in_explicit_task(void)
{
    struct worker *w = worker_here();
    if (w)
        return w->task != &w->implicit;
    return real()->omp_in_explicit_task ? real()->omp_in_explicit_task() : 0;
}

/* Called by the program, too, but the compiler's code takes it for the number of copies of a reduction (merge.h). */
int omp_get_num_threads(void)
{
    struct worker *w = mode_is_task() ? worker_get() : NULL;
    unsigned n = w ? merge_asked(w, MERGE_FRAME(), MERGE_PLACE()) : 0;
    return n ? (int)n : real()->omp_get_num_threads();
}

int omp_in_final_(void)
{
    return omp_in_final();
}

int omp_in_explicit_task_(void)
{
    return omp_in_explicit_task();
}
