/* SPDX-License-Identifier: BSD-3-Clause */
/* ordered, with every schedule. */
#include <omp.h>
#include <stdio.h>

static int order[200], n;

static void note(int i)
{
    order[n++] = i;
}

static void check(const char *what)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += order[i] != i;
    printf("%s: %d wrong %d\n", what, n, wrong);
    n = 0;
}

int main(void)
{
    unsigned long long many = 50;
#pragma omp parallel
    {
#pragma omp for ordered schedule(static)
        for (int i = 0; i < 50; i++)
#pragma omp ordered
            note(i);
#pragma omp single
        check("static");
#pragma omp for ordered schedule(static, 3)
        for (int i = 0; i < 50; i++)
#pragma omp ordered
            note(i);
#pragma omp single
        check("static, 3");
#pragma omp for ordered schedule(dynamic, 2)
        for (int i = 0; i < 50; i++)
#pragma omp ordered
            note(i);
#pragma omp single
        check("dynamic");
#pragma omp for ordered schedule(guided)
        for (int i = 0; i < 50; i++)
#pragma omp ordered
            note(i);
#pragma omp single
        check("guided");
#pragma omp for ordered schedule(runtime)
        for (unsigned long long i = 0; i < many; i++)
#pragma omp ordered
            note((int)i);
#pragma omp single
        check("runtime");
    }
#pragma omp parallel for ordered
    for (int i = 0; i < 200; i++)
#pragma omp ordered
        note(i);
    check("parallel for");
    return 0;
}
