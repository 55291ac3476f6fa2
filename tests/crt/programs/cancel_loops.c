/* SPDX-License-Identifier: BSD-3-Clause */
/* env: OMP_CANCELLATION=true */
/* cancel for and cancel sections: the construct ends, those after it are whole, tasks made in it complete. */
#include <omp.h>
#include <stdio.h>

static int tasks;

static int find(const int *values, int n, int wanted, int kind)
{
    int found = -1;
#pragma omp parallel
    {
        if (kind == 0) {
#pragma omp for schedule(static, 4)
            for (int i = 0; i < n; i++) {
                if (values[i] == wanted) {
#pragma omp atomic write
                    found = i;
#pragma omp cancel for
                }
#pragma omp cancellation point for
            }
        } else {
#pragma omp for schedule(dynamic, 2)
            for (int i = 0; i < n; i++) {
#pragma omp task
                {
#pragma omp atomic
                    tasks++;
                }
                if (values[i] == wanted) {
#pragma omp atomic write
                    found = i;
#pragma omp cancel for
                }
#pragma omp cancellation point for
            }
        }
    }
    return found;
}

static int whole(int n)
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; i++) {
#pragma omp cancel for
            sum = -1;
        }
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int i = 0; i < n; i++) {
#pragma omp cancellation point for
            sum += i;
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
                sum = -1;
            }
#pragma omp section
            {
#pragma omp cancel sections
                sum = -1;
            }
        }
#pragma omp single
        sum++;
    }
    return sum;
}

int main(void)
{
    int values[200];
    for (int i = 0; i < 200; i++)
        values[i] = i * 7 % 200;
    printf("%d %d\n", find(values, 200, 63, 0), find(values, 200, 63, 1));
    for (int i = 1; i < 30; i++)
        printf("%d ", whole(i));
    printf("\n%d\n", tasks > 0);
    return 0;
}
