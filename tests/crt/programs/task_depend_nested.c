/* SPDX-License-Identifier: BSD-3-Clause */
/* Dependences order siblings only: the same addresses in children are another matter. */
#include <stdio.h>

int main(void)
{
    static int x, inner[20], log[20], n;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : x)
        {
            int local = 0;
            for (int k = 0; k < 5; k++) {
#pragma omp task depend(inout : x) shared(local)
                local = local * 3 + k;
            }
#pragma omp taskwait
            inner[i] = local + x++ - i;
            log[n++] = i;
        }
    }
    int wrong = 0;
    for (int i = 0; i < 20; i++)
        wrong += log[i] != i || inner[i] != inner[0];
    printf("n %d inner %d wrong %d\n", n, inner[0], wrong);
    return 0;
}
