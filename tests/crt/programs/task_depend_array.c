/* SPDX-License-Identifier: BSD-3-Clause */
/* Dependences on array elements and sections, iterators, and addresses that many share. */
#include <stdio.h>

enum { N = 16 };

int main(void)
{
    static int a[N], total, wrong;
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < N; i++) {
#pragma omp task depend(out : a[i]) firstprivate(round, i)
            a[i] = round * N + i;
        }
        for (int i = 1; i < N; i++) {
#pragma omp task depend(in : a[i - 1]) depend(inout : a[i])
            a[i] += a[i - 1];
        }
#pragma omp task depend(iterator(int k = 0 : N), in : a[k])
        for (int i = 0; i < N; i++)
            total = (total * 31 + a[i]) % 1000003;
#pragma omp task depend(inout : a [0:N])
        wrong += a[0] != round * N;
    }
    printf("total %d wrong %d\n", total, wrong);
    return 0;
}
