/* SPDX-License-Identifier: BSD-3-Clause */
/* places.c: a team that OMP_PROC_BIND binds to places has as many CPUs as before; one more thread than there are is a crowd. */
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/wait.h"

static bool crowded_with(int threads)
{
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
    }
    return wait_crowded();
}

int main(void)
{
    int cpus = 0;
    for (int i = 0; i < omp_get_num_places(); i++)
        cpus += omp_get_place_num_procs(i);
    if (omp_get_proc_bind() == omp_proc_bind_false || cpus == 0) {
        printf("OMP_PROC_BIND has no effect here\n");
        return 77;
    }
    bool crowded = crowded_with(cpus);
    printf("%d CPUs: crowded %d\n", cpus, crowded);
    return crowded || !crowded_with(cpus + 1);
}
