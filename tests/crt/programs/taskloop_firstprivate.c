/* SPDX-License-Identifier: BSD-3-Clause */
/* taskloop with firstprivate that a copy function makes: every chunk has a copy of its own. */
#include <stdio.h>

static long run(int n)
{
    int table[n];
    long sum = 0, big[100];
    for (int i = 0; i < n; i++)
        table[i] = i;
    for (int i = 0; i < 100; i++)
        big[i] = i;
#pragma omp taskloop firstprivate(table, big) shared(sum) grainsize(5)
    for (int i = 0; i < n; i++) {
        table[i] += 1000;
        big[i % 100]++;
        long mine = table[i] + table[n - 1 - i] % 1000 + big[i % 100];
#pragma omp atomic
        sum += mine;
    }
    for (int i = 0; i < n; i++)
        sum += table[i];
    return sum;
}

int main(void)
{
    long sums[3];
#pragma omp parallel
#pragma omp single
    {
        sums[0] = run(1);
        sums[1] = run(64);
        sums[2] = run(100);
    }
    printf("%ld %ld %ld\n", sums[0], sums[1], sums[2]);
    return 0;
}
