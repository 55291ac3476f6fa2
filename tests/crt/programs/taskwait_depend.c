/* SPDX-License-Identifier: BSD-3-Clause */
/* taskwait depend(...): waits for those tasks only, and orders against later ones. */
#include <stdio.h>

int main(void)
{
    static int a, b, wrong, others;
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= 50; i++) {
#pragma omp task depend(out : a)
        a = i;
#pragma omp task depend(out : b)
        b = -i;
#pragma omp task
#pragma omp atomic
        others++;
#pragma omp taskwait depend(in : a)
        wrong += a != i;
#pragma omp task depend(inout : a)
        a += 100;
#pragma omp taskwait depend(inout : a) depend(in : b)
        wrong += a != i + 100 || b != -i;
    }
    printf("wrong %d others %d\n", wrong, others);
    return 0;
}
