/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that make tasks, none waited for: the end of the region and barriers do. */
#include <stdio.h>

static int count;

static void grow(int depth)
{
#pragma omp atomic
    count++;
    for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task
        grow(depth - 1);
    }
}

int main(void)
{
    static int at_barrier;
#pragma omp parallel
    {
#pragma omp single nowait
        grow(8);
#pragma omp barrier
#pragma omp single
        at_barrier = count;
#pragma omp single nowait
        grow(6);
    }
    printf("at the barrier %d, at the end %d\n", at_barrier, count);
    return 0;
}
