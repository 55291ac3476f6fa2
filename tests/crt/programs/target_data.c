/* SPDX-License-Identifier: BSD-3-Clause */
/* target enter data, update and exit data with depend and nowait: order among tasks. */
#include <stdio.h>

int main(void)
{
    static int a[4], steps[4], wrong;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(out : a)
        a[0] = i;
#pragma omp target enter data map(to : a) depend(inout : a) nowait
#pragma omp task depend(inout : a)
        a[0]++;
#pragma omp target update to(a) depend(in : a)
        steps[0] += a[0] == i + 1;
#pragma omp task depend(inout : a)
        a[0]++;
#pragma omp target update from(a) depend(inout : a) nowait
#pragma omp target exit data map(from : a) depend(inout : a)
        wrong += a[0] != i + 2;
    }
    printf("wrong %d in order %d\n", wrong, steps[0]);
    return 0;
}
