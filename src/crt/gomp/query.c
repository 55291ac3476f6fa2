/* SPDX-License-Identifier: BSD-3-Clause */
/* What libgomp would answer for the implicit task, since it sees no other. */
#include "crt/gomp/real.h"
#include "crt/team/team.h"

int omp_in_final(void)
{
    struct worker *w = worker_here();
    return w ? w->task->final : real_function()->omp_in_final();
}

int omp_in_explicit_task(void)
{
    struct worker *w = worker_here();
    if (w)
        return w->task != &w->implicit;
    return real_function()->omp_in_explicit_task ? real_function()->omp_in_explicit_task() : 0;
}

int omp_in_final_(void)
{
    return omp_in_final();
}

int omp_in_explicit_task_(void)
{
    return omp_in_explicit_task();
}
