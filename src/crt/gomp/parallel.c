/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions and barriers. A barrier of ours takes the place of libgomp's: both would be one too many. */
#include "crt/gomp/real.h"
#include "crt/team/team.h"

void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags)
{
    if (!region_wanted()) {
        real_function()->GOMP_parallel(fn, data, num_threads, flags);
        return;
    }
    struct region r;
    region_open(&r, fn, data, NULL);
    real_function()->GOMP_parallel(region_body, &r, num_threads, flags);
    region_close(&r);
}

void GOMP_barrier(void)
{
    struct worker *w = worker_here();
    if (w)
        team_barrier(w);
    else
        real_function()->GOMP_barrier();
}

bool GOMP_barrier_cancel(void)
{
    struct worker *w = worker_here();
    return w ? team_barrier_cancel(w) : real_function()->GOMP_barrier_cancel();
}
