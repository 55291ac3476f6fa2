/* SPDX-License-Identifier: BSD-3-Clause */
/* ordered(n) with depend(source) and depend(sink): one and two dimensions, long and unsigned long long. */
#include <omp.h>
#include <stdio.h>

enum { N = 24 };
static long line[N + 1], grid[N + 1][N + 1];

int main(void)
{
    unsigned long long n = N;
    line[0] = 1;
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (int i = 1; i <= N; i++) {
#pragma omp ordered depend(sink : i - 1)
        line[i] = line[i - 1] * 3 % 1009;
#pragma omp ordered depend(source)
    }
    printf("line %ld\n", line[N]);

#pragma omp parallel
    {
#pragma omp for ordered(2) schedule(static, 1)
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                grid[i][j] = (grid[i - 1][j] + grid[i][j - 1] + i * j) % 10007;
#pragma omp ordered depend(source)
            }
#pragma omp for ordered(1) schedule(guided)
        for (unsigned long long i = 1; i <= n; i++) {
#pragma omp ordered depend(sink : i - 1)
            line[i] += line[i - 1];
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1) schedule(runtime)
        for (long i = N; i > 0; i--) {
#pragma omp ordered depend(sink : i + 1)
            line[i - 1] += line[i] % 7;
#pragma omp ordered depend(source)
        }
    }
    printf("grid %ld line %ld %ld\n", grid[N][N], line[0], line[N]);
    return 0;
}
