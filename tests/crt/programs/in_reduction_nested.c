/* SPDX-License-Identifier: BSD-3-Clause */
/* in_reduction in tasks of tasks: of the original, of a private copy, of an outer group, of two groups at
 * once. */
#include <stdio.h>

static void leaf(long *total, int depth)
{
#pragma omp task in_reduction(+ : total[0])
    {
        total[0] += depth;
        if (depth > 0) {
            leaf(total, depth - 1);
            leaf(total, depth - 1);
        }
    }
}

int main(void)
{
    long total[1] = {0}, outer = 0, inner = 0, values[3] = {0};
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : total[0])
        leaf(total, 6);
#pragma omp taskgroup task_reduction(+ : outer)
        {
            for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+ : outer) shared(inner)
                {
                    outer += 1;
                    long mine = 0;
#pragma omp taskgroup task_reduction(+ : mine)
                    {
                        for (int k = 0; k < 5; k++) {
#pragma omp task in_reduction(+ : mine) in_reduction(+ : outer)
                            {
                                mine += k;
                                outer += 10;
                            }
                        }
                    }
#pragma omp atomic
                    inner += mine;
                }
            }
        }
#pragma omp taskgroup task_reduction(+ : values)
        {
#pragma omp task in_reduction(+ : values)
            {
                values[0]++;
#pragma omp task in_reduction(+ : values)
                {
                    values[1] += 2;
#pragma omp task in_reduction(+ : values)
                    values[2] += 3;
                }
            }
        }
    }
    printf("total %ld outer %ld inner %ld values %ld %ld %ld\n", total[0], outer, inner, values[0], values[1],
           values[2]);
    return 0;
}
