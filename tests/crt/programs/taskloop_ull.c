/* SPDX-License-Identifier: BSD-3-Clause */
/* taskloop over unsigned long long: up, down, near the ends of the type. */
#include <stdio.h>

typedef unsigned long long ull;
static ull sum, count;

static void add(ull i)
{
#pragma omp atomic
    sum += i;
#pragma omp atomic
    count++;
}

static void up(ull from, ull to, ull step, int grain)
{
    ull last = 0;
    sum = count = 0;
#pragma omp taskloop grainsize(grain) lastprivate(last)
    for (ull i = from; i < to; i += step) {
        add(i);
        last = i;
    }
    printf("up %llu..%llu by %llu: %llu of sum %llu last %llu\n", from, to, step, count, sum, last);
}

static void down(ull from, ull to, ull step, int tasks)
{
    ull last = 0;
    sum = count = 0;
#pragma omp taskloop num_tasks(tasks) lastprivate(last)
    for (ull i = from; i > to; i -= step) {
        add(i);
        last = i;
    }
    printf("down %llu..%llu by %llu: %llu of sum %llu last %llu\n", from, to, step, count, sum, last);
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        up(0, 100, 1, 10);
        up(3, 100, 7, 2);
        up(~0ull - 20, ~0ull, 1, 3);
        up(9, 9, 1, 3);
        down(100, 0, 1, 8);
        down(100, 3, 6, 5);
        down(~0ull, ~0ull - 20, 1, 4);
        down(0, 5, 1, 4);
    }
    return 0;
}
