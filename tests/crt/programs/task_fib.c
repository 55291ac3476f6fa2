/* SPDX-License-Identifier: BSD-3-Clause */
/* task and taskwait: recursion. */
#include <stdio.h>

static long fib(int n)
{
    long x, y;
    if (n < 2)
        return n;
#pragma omp task shared(x)
    x = fib(n - 1);
#pragma omp task shared(y)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}

int main(void)
{
    long all[4] = {0};
#pragma omp parallel
    {
#pragma omp single
        all[0] = fib(17);
#pragma omp for schedule(static, 1)
        for (int i = 1; i < 4; i++)
            all[i] = fib(9 + i);
    }
    printf("%ld %ld %ld %ld\n", all[0], all[1], all[2], all[3]);
    return 0;
}
