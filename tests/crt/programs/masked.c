/* SPDX-License-Identifier: BSD-3-Clause */
/* master and masked: no barrier, the thread with that number. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int master = 0, masked = 0, tasks = 0, loop = 0;
#pragma omp parallel
    {
#pragma omp master
        master += 1 + omp_get_thread_num();
#pragma omp masked filter(omp_get_num_threads() - 1)
        masked += omp_get_num_threads() - omp_get_thread_num();
#pragma omp master
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks += i;
        }
    }
#pragma omp parallel masked taskloop reduction(+ : loop)
    for (int i = 0; i < 50; i++)
        loop += i;
#pragma omp parallel master taskloop reduction(+ : loop)
    for (int i = 0; i < 50; i++)
        loop += i;
    printf("master %d masked %d tasks %d loop %d\n", master, masked, tasks, loop);
    return 0;
}
