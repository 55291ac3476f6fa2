/* SPDX-License-Identifier: BSD-3-Clause */
/* taskloop nogroup, if, final, mergeable, untied, priority; taskwait and taskgroup around it. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    static int a, b, c, finals, wrong;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop nogroup num_tasks(6)
        for (int i = 0; i < 60; i++)
#pragma omp atomic
            a += i;
#pragma omp taskwait
        wrong += a != 1770;
#pragma omp taskgroup
        {
#pragma omp taskloop nogroup untied grainsize(4)
            for (int i = 0; i < 60; i++) {
#pragma omp task
#pragma omp atomic
                b += i;
            }
        }
        wrong += b != 1770;
#pragma omp taskloop if (0)
        for (int i = 0; i < 60; i++)
            c = c * 3 % 101 + i;
#pragma omp taskloop final(1) mergeable priority(3) num_tasks(5)
        for (int i = 0; i < 20; i++)
#pragma omp atomic
            finals += omp_in_final();
    }
    printf("%d %d %d finals %d wrong %d\n", a, b, c, finals, wrong);
    return 0;
}
