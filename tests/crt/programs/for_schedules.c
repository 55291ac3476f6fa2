/* SPDX-License-Identifier: BSD-3-Clause */
/* for inside of parallel: loops with a barrier at the end, one after the other, and tasks from their
 * bodies. */
#include <omp.h>
#include <stdio.h>

enum { N = 600 };
static long a[N], b[N];

int main(void)
{
    int early = 0, tasks = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp for schedule(guided)
        for (int i = 0; i < N; i++)
            b[i] = a[N - 1 - i];
#pragma omp for schedule(static, 5)
        for (int i = 0; i < N; i++)
            a[i] = b[N - 1 - i] * 2;
#pragma omp for schedule(nonmonotonic : dynamic, 4)
        for (int i = 0; i < N; i++)
            b[i] = a[N - 1 - i] + 1;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 50; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks++;
        }
        /* The loop's barrier has waited for the tasks. */
        int seen;
#pragma omp atomic read
        seen = tasks;
        if (seen != 50) {
#pragma omp atomic
            early++;
        }
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < N; i++)
            a[i] = -i;
#pragma omp for schedule(guided, 3) nowait
        for (int i = 0; i < N; i++)
            b[i] += 1;
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * 3 + b[i];
    printf("sum %ld tasks %d early %d\n", sum, tasks, early);
    return 0;
}
