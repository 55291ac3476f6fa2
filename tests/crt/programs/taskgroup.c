/* SPDX-License-Identifier: BSD-3-Clause */
/* taskgroup: waits for descendants, but not for tasks made before it. */
#include <stdio.h>

static int members;

static void grow(int depth)
{
#pragma omp atomic
    members++;
    for (int i = 0; i < 3 && depth > 0; i++) {
#pragma omp task
        grow(depth - 1);
    }
}

int main(void)
{
    int wrong = 0;
    static int outside;
#pragma omp parallel
#pragma omp single
    for (int round = 1; round <= 10; round++) {
#pragma omp task
#pragma omp atomic
        outside++;
#pragma omp taskgroup
        {
#pragma omp task
            grow(4);
            grow(2);
        }
        int seen;
#pragma omp atomic read
        seen = members;
        wrong += seen != round * (121 + 13);
#pragma omp taskgroup
        ;
    }
    printf("members %d outside %d wrong %d\n", members, outside, wrong);
    return 0;
}
