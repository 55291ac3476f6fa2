/* SPDX-License-Identifier: BSD-3-Clause */
/* env: OMP_MAX_TASK_PRIORITY=5 */
/* priority: a hint, so only that all run, with children and dependences. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    static int runs[6], a;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 120; i++) {
#pragma omp task priority(i % 6)
            {
#pragma omp task priority(5 - i % 6)
#pragma omp atomic
                runs[5 - i % 6]++;
            }
        }
        for (int i = 0; i < 30; i++) {
#pragma omp task depend(inout : a) priority(i % 3)
            a = a * 3 % 1001 + i;
        }
    }
    printf("max %d:", omp_get_max_task_priority());
    for (int i = 0; i < 6; i++)
        printf(" %d", runs[i]);
    printf(" a %d\n", a);
    return 0;
}
