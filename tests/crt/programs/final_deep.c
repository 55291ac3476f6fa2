/* SPDX-License-Identifier: BSD-3-Clause */
/* env: CRT_STACK=64 */
/* Recursion through final and undeferred tasks, which run on their creators' stacks, deeper than the stack of one task. */
#include <omp.h>
#include <stdio.h>

static long final_sum(int depth)
{
    long below[4] = {0};
    if (depth == 0)
        return 0;
#pragma omp task final(1) shared(below)
    below[depth % 4] = final_sum(depth - 1);
#pragma omp taskwait
    return below[depth % 4] + depth;
}

static long undeferred_sum(int depth)
{
    long below[4] = {0};
    if (depth == 0)
        return 0;
#pragma omp task if (0) shared(below)
    {
        below[depth % 4] = undeferred_sum(depth - 1);
        if (depth % 100 == 0) {
#pragma omp taskyield
        }
    }
    return below[depth % 4] + depth;
}

int main(void)
{
    long sums[8][2] = {{0}};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task shared(sums)
        {
            sums[i][0] = final_sum(2000);
            sums[i][1] = undeferred_sum(2000 + i);
        }
    }
    for (int i = 0; i < 8; i++)
        printf("%ld %ld\n", sums[i][0], sums[i][1]);
    return 0;
}
