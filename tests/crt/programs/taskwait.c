/* SPDX-License-Identifier: BSD-3-Clause */
/* taskwait: children, not grandchildren; many of them; none; again and again. */
#include <stdio.h>

static int children, grandchildren;

int main(void)
{
    int wrong = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskwait
        for (int round = 1; round <= 20; round++) {
            for (int i = 0; i < 200; i++) {
#pragma omp task
                {
#pragma omp task
#pragma omp atomic
                    grandchildren++;
#pragma omp atomic
                    children++;
                }
            }
#pragma omp taskwait
#pragma omp taskwait
            int seen;
#pragma omp atomic read
            seen = children;
            wrong += seen != 200 * round;
        }
    }
    printf("children %d grandchildren %d wrong %d\n", children, grandchildren, wrong);
    return 0;
}
