/* SPDX-License-Identifier: BSD-3-Clause */
/* parallel for: every schedule that has an entry point of its own. */
#include <omp.h>
#include <stdio.h>

enum { N = 1000 };
static int hits[N];

static void check(const char *what)
{
    long sum = 0;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        sum += (long)i * hits[i];
        wrong += hits[i] != 1;
        hits[i] = 0;
    }
    printf("%s: sum %ld wrong %d\n", what, sum, wrong);
}

int main(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
        hits[i]++;
    check("static");
#pragma omp parallel for schedule(static, 7)
    for (int i = 0; i < N; i++)
        hits[i]++;
    check("static, 7");
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++)
        hits[i]++;
    check("dynamic");
#pragma omp parallel for schedule(monotonic : dynamic, 3)
    for (int i = 0; i < N; i++)
        hits[i]++;
    check("monotonic: dynamic, 3");
#pragma omp parallel for schedule(nonmonotonic : dynamic, 3)
    for (int i = N - 1; i >= 0; i--)
        hits[i]++;
    check("nonmonotonic: dynamic, 3");
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++)
        hits[i]++;
    check("guided");
#pragma omp parallel for schedule(monotonic : guided, 5)
    for (int i = 0; i < N; i++)
        hits[i]++;
    check("monotonic: guided, 5");
    omp_set_schedule(omp_sched_dynamic, 4);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < N; i++)
        hits[i]++;
    check("runtime");
#pragma omp parallel for schedule(monotonic : runtime)
    for (int i = 0; i < N; i++)
        hits[i]++;
    check("monotonic: runtime");
#pragma omp parallel for schedule(nonmonotonic : runtime)
    for (int i = 0; i < N; i++)
        hits[i]++;
    check("nonmonotonic: runtime");
#pragma omp parallel for schedule(auto) collapse(2)
    for (int i = 0; i < N / 10; i++)
        for (int j = 0; j < 10; j++)
            hits[i * 10 + j]++;
    check("auto, collapse");
    return 0;
}
