/* SPDX-License-Identifier: BSD-3-Clause */
/* taskloop: bounds and steps of all kinds, empty loops, lastprivate, collapse, its implicit taskgroup. */
#include <stdio.h>

static long sum;

static void add(long i)
{
#pragma omp atomic
    sum += i;
}

static void loops(long from, long to, long step)
{
    long last = -1;
    sum = 0;
    if (step > 0) {
#pragma omp taskloop lastprivate(last)
        for (long i = from; i < to; i += step) {
            add(i);
            last = i;
        }
    } else {
#pragma omp taskloop lastprivate(last)
        for (long i = from; i > to; i += step) {
            add(i);
            last = i;
        }
    }
    printf("%ld %ld %ld: sum %ld last %ld\n", from, to, step, sum, last);
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        loops(0, 100, 1);
        loops(0, 100, 7);
        loops(-5, 5, 3);
        loops(100, 0, -1);
        loops(100, -3, -9);
        loops(0, 1, 1);
        loops(0, 0, 1);
        loops(5, 0, 1);
        loops(0, 5, -1);
        loops(__LONG_MAX__ - 3, __LONG_MAX__ - 1, 1);
        sum = 0;
#pragma omp taskloop collapse(2)
        for (int i = 0; i < 12; i++)
            for (int j = 0; j < 7; j++)
                add(i * j);
        printf("collapse %ld\n", sum);
        sum = 0;
#pragma omp taskloop collapse(2)
        for (int i = 0; i < 12; i++)
            for (int j = i; j < 12; j++)
                add(i + j);
        printf("triangle %ld\n", sum);
        sum = 0;
#pragma omp taskloop
        for (int i = 0; i < 10; i++) {
#pragma omp task
            add(1);
        }
        printf("descendants %ld\n", sum);
    }
    return 0;
}
