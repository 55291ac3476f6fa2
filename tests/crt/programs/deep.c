/* SPDX-License-Identifier: BSD-3-Clause */
/* A chain of tasks, each in the one before and waiting for the next; and a flood of tasks that nobody waits
 * for. */
#include <stdio.h>

static int deepest, flood;

static void down(int depth, int level)
{
    deepest = level;
    if (depth == 0)
        return;
#pragma omp task
    down(depth - 1, level + 1);
#pragma omp taskwait
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        down(500, 0);
        for (int i = 0; i < 20000; i++) {
#pragma omp task
#pragma omp atomic
            flood++;
        }
    }
    printf("deepest %d flood %d\n", deepest, flood);
    return 0;
}
