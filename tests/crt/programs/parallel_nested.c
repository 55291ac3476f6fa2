/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested regions, with tasks on both levels. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int inner_members = 0, tasks = 0, levels = 0, wrong = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel
    {
#pragma omp task shared(tasks)
#pragma omp atomic
        tasks++;
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
#pragma omp atomic
            inner_members++;
#pragma omp atomic
            levels += omp_get_level();
#pragma omp atomic
            wrong += omp_get_ancestor_thread_num(1) != outer;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
                tasks++;
            }
        }
#pragma omp barrier
    }
    printf("inner %d levels %d tasks %d wrong %d\n", inner_members, levels, tasks, wrong);
    return 0;
}
