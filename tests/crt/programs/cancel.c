/* SPDX-License-Identifier: BSD-3-Clause */
/* env: OMP_CANCELLATION=true */
/* Each kind of cancellation, and what comes after it. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    static int found, done, after, sections;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 1000; i++) {
#pragma omp cancellation point for
            if (i == 10) {
                found = 1;
#pragma omp cancel for
            }
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp atomic
                sections++;
#pragma omp cancel sections
    }
#pragma omp section
    {
#pragma omp cancellation point sections
    }
}
#pragma omp barrier
#pragma omp single
#pragma omp taskgroup
{
#pragma omp task
    {
#pragma omp atomic
        done++;
#pragma omp cancel taskgroup
    }
}
}
/* In a region that may be cancelled all its barriers are different ones. */
#pragma omp parallel
{
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++) {
#pragma omp atomic
        found += i;
    }
#pragma omp sections
    {
#pragma omp section
#pragma omp atomic
        sections++;
#pragma omp section
#pragma omp atomic
        sections++;
    }
#pragma omp barrier
#pragma omp cancel parallel
#pragma omp atomic
    after++;
}
printf("cancellation %d: found %d done %d after %d sections %d\n", omp_get_cancellation(), found, done,
       after > 0, sections);
return 0;
}
