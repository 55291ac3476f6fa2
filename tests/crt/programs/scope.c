/* SPDX-License-Identifier: BSD-3-Clause */
/* scope: with reduction, with task reduction, nowait. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 1, sum = 0, tasks = 0;
#pragma omp parallel
    {
#pragma omp single
        n = omp_get_num_threads();
#pragma omp scope reduction(+ : sum)
        sum += 1;
#pragma omp scope reduction(task, + : tasks)
        {
            tasks += 1;
            for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : tasks)
                tasks += i;
            }
        }
#pragma omp scope nowait
        {
#pragma omp atomic
            sum += 10;
        }
    }
    printf("sum %d tasks %d\n", sum / n, tasks / n);
    return 0;
}
