/* SPDX-License-Identifier: BSD-3-Clause */
/* env: OMP_SCHEDULE=dynamic,3 */
/* ordered and doacross with every schedule and both kinds of loop variables: the order of the iterations, as a number. */
#include <stdio.h>

static volatile unsigned long sum; /* the compiler takes it that waits for other iterations leave it alone */

static void next(unsigned long long i)
{
    sum = sum * 31 + (unsigned long)i;
}

static void show(const char *what)
{
    printf("%s %lu\n", what, sum);
    sum = 0;
}

static void ordered_int(int n)
{
#pragma omp parallel
    {
#pragma omp for ordered schedule(static)
        for (int i = 1; i < n; i += 1) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered static");
#pragma omp for ordered schedule(static, 3)
        for (int i = 2; i < n; i += 2) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered static, 3");
#pragma omp for ordered schedule(dynamic)
        for (int i = 3; i < n; i += 3) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered dynamic");
#pragma omp for ordered schedule(dynamic, 2)
        for (int i = 4; i < n; i += 4) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered dynamic, 2");
#pragma omp for ordered schedule(guided)
        for (int i = 5; i < n; i += 5) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered guided");
#pragma omp for ordered schedule(runtime)
        for (int i = 6; i < n; i += 6) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered runtime");
    }
}

static void doacross_int(int n)
{
#pragma omp parallel
    {
#pragma omp for ordered(1) schedule(static)
        for (int i = 1; i < n; i += 1) {
#pragma omp ordered depend(sink : i - 1)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross static");
#pragma omp for ordered(1) schedule(static, 3)
        for (int i = 2; i < n; i += 2) {
#pragma omp ordered depend(sink : i - 2)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross static, 3");
#pragma omp for ordered(1) schedule(dynamic)
        for (int i = 3; i < n; i += 3) {
#pragma omp ordered depend(sink : i - 3)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross dynamic");
#pragma omp for ordered(1) schedule(dynamic, 2)
        for (int i = 4; i < n; i += 4) {
#pragma omp ordered depend(sink : i - 4)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross dynamic, 2");
#pragma omp for ordered(1) schedule(guided)
        for (int i = 5; i < n; i += 5) {
#pragma omp ordered depend(sink : i - 5)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross guided");
#pragma omp for ordered(1) schedule(runtime)
        for (int i = 6; i < n; i += 6) {
#pragma omp ordered depend(sink : i - 6)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross runtime");
    }
}

static void ordered_ull(unsigned long long n)
{
#pragma omp parallel
    {
#pragma omp for ordered schedule(static)
        for (unsigned long long i = 1; i < n; i += 1) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered static");
#pragma omp for ordered schedule(static, 3)
        for (unsigned long long i = 2; i < n; i += 2) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered static, 3");
#pragma omp for ordered schedule(dynamic)
        for (unsigned long long i = 3; i < n; i += 3) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered dynamic");
#pragma omp for ordered schedule(dynamic, 2)
        for (unsigned long long i = 4; i < n; i += 4) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered dynamic, 2");
#pragma omp for ordered schedule(guided)
        for (unsigned long long i = 5; i < n; i += 5) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered guided");
#pragma omp for ordered schedule(runtime)
        for (unsigned long long i = 6; i < n; i += 6) {
#pragma omp ordered
            next((unsigned long long)i);
        }
#pragma omp single
        show("ordered runtime");
    }
}

static void doacross_ull(unsigned long long n)
{
#pragma omp parallel
    {
#pragma omp for ordered(1) schedule(static)
        for (unsigned long long i = 1; i < n; i += 1) {
#pragma omp ordered depend(sink : i - 1)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross static");
#pragma omp for ordered(1) schedule(static, 3)
        for (unsigned long long i = 2; i < n; i += 2) {
#pragma omp ordered depend(sink : i - 2)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross static, 3");
#pragma omp for ordered(1) schedule(dynamic)
        for (unsigned long long i = 3; i < n; i += 3) {
#pragma omp ordered depend(sink : i - 3)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross dynamic");
#pragma omp for ordered(1) schedule(dynamic, 2)
        for (unsigned long long i = 4; i < n; i += 4) {
#pragma omp ordered depend(sink : i - 4)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross dynamic, 2");
#pragma omp for ordered(1) schedule(guided)
        for (unsigned long long i = 5; i < n; i += 5) {
#pragma omp ordered depend(sink : i - 5)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross guided");
#pragma omp for ordered(1) schedule(runtime)
        for (unsigned long long i = 6; i < n; i += 6) {
#pragma omp ordered depend(sink : i - 6)
            next((unsigned long long)i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        show("doacross runtime");
    }
}

/* No iterations at all, and fewer than threads. */
static void few(void)
{
    for (int n = 0; n < 4; n++) {
#pragma omp parallel
        {
#pragma omp for ordered nowait
            for (int i = 0; i < n; i++) {
#pragma omp ordered
                next(1);
            }
#pragma omp for ordered(2) schedule(dynamic)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
#pragma omp ordered depend(source)
                }
        }
        show("few");
    }
}

int main(void)
{
    ordered_int(100);
    ordered_ull(100);
    doacross_int(100);
    doacross_ull(100);
    few();
    return 0;
}
