/* SPDX-License-Identifier: BSD-3-Clause */
/* taskyield: in tasks, in the implicit task, outside of regions, with nothing to yield to. */
#include <stdio.h>

int main(void)
{
    static int steps, tasks;
#pragma omp taskyield
#pragma omp parallel
    {
#pragma omp taskyield
        for (int i = 0; i < 30; i++) {
#pragma omp task
            {
                for (int k = 0; k < 5; k++) {
#pragma omp atomic
                    steps++;
#pragma omp taskyield
                }
            }
        }
#pragma omp taskyield
#pragma omp barrier
#pragma omp single
        tasks = steps;
    }
    printf("steps per task %d %d\n", tasks % 5, steps - tasks);
    return 0;
}
