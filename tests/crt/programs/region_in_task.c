/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel regions inside of tasks, with tasks, loops and barriers of their own. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    static int sums[12], tasks, wrong;
    omp_set_max_active_levels(3);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 12; i++) {
#pragma omp task
        {
            int outer = omp_get_level(), sum = 0;
#pragma omp parallel num_threads(i % 3 + 1) reduction(+ : sum)
            {
#pragma omp for schedule(dynamic)
                for (int k = 0; k < 20; k++) {
                    sum += k;
#pragma omp task
#pragma omp atomic
                    tasks++;
                }
#pragma omp barrier
            }
            sums[i] = sum;
#pragma omp atomic
            wrong += omp_get_level() != outer;
#pragma omp task
#pragma omp atomic
            tasks++;
        }
    }
    int all = 0;
    for (int i = 0; i < 12; i++)
        all += sums[i];
    printf("sum %d tasks %d wrong %d\n", all, tasks, wrong);
    return 0;
}
