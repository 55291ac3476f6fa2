/* SPDX-License-Identifier: BSD-3-Clause */
/* env: OMP_CANCELLATION=true */
/* Cancellation works as without crt: where it is on task mode is refused. */
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
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp master
        after = 1;
#pragma omp cancel parallel
        after = 2;
    }
    printf("cancellation %d: found %d done %d after %d sections %d\n", omp_get_cancellation(), found, done,
           after, sections);
    return 0;
}
