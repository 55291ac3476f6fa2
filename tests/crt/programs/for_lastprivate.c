/* SPDX-License-Identifier: BSD-3-Clause */
/* lastprivate, also conditional, linear, and inscan reductions: loops that ask libgomp for memory. */
#include <omp.h>
#include <stdio.h>

enum { N = 300 };

int main(void)
{
    unsigned long long many = N;
    int last = -1, chosen = -1, x[N], y[N], running = 0;
    long step = 0;
#pragma omp parallel for lastprivate(last) schedule(dynamic)
    for (int i = 0; i < N; i++)
        last = i * 2;
    printf("lastprivate %d\n", last);
#pragma omp parallel for lastprivate(conditional : chosen) schedule(dynamic, 3)
    for (int i = 0; i < N; i++)
        if (i % 37 == 5)
            chosen = i;
    printf("conditional %d\n", chosen);
#pragma omp parallel
    {
#pragma omp for lastprivate(conditional : last) schedule(guided)
        for (unsigned long long i = 0; i < many; i++)
            if (i % 41 == 3)
                last = (int)i;
    }
    printf("conditional, ull %d\n", last);
#pragma omp parallel for linear(step : 2) schedule(static, 4)
    for (int i = 0; i < N; i++) {
        x[i] = (int)step;
        step += 2;
    }
    printf("linear %d %d %ld\n", x[1], x[N - 1], step);
#pragma omp parallel for reduction(inscan, + : running)
    for (int i = 0; i < N; i++) {
        running += i;
#pragma omp scan inclusive(running)
        y[i] = running;
    }
    printf("scan %d %d %d\n", y[1], y[N - 1], running);
#pragma omp parallel
    {
#pragma omp sections lastprivate(conditional : chosen)
        {
#pragma omp section
            chosen = 1;
#pragma omp section
            chosen = 2;
#pragma omp section
            last = 0;
        }
    }
    printf("sections %d\n", chosen);
    return 0;
}
