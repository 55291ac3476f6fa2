/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_in_explicit_task, which libgomp has since GCC 13: before that, in thread mode, there is nothing to
 * ask. */
#include <crt.h>
#include <omp.h>
#include <stdio.h>

extern int omp_in_explicit_task(void);

int main(void)
{
    int wrong = 0;
    wrong += omp_in_explicit_task() != 0;
#pragma omp parallel reduction(+ : wrong)
    {
        wrong += omp_in_explicit_task() != 0;
#pragma omp single
        {
            int inside = 0, undeferred = 0, in_region = 0;
#pragma omp task shared(inside, in_region)
            {
                inside = omp_in_explicit_task();
#pragma omp parallel num_threads(1) shared(in_region)
                in_region = omp_in_explicit_task();
            }
#pragma omp task shared(undeferred) if (0)
            undeferred = omp_in_explicit_task();
#pragma omp taskwait
            if (__GNUC__ >= 13 || omp_get_external() == omp_external_task)
                wrong += !inside || !undeferred || in_region;
        }
    }
    printf("wrong %d\n", wrong);
    return 0;
}
