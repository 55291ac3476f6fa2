/* SPDX-License-Identifier: BSD-3-Clause */
/* if(0): the task is over when the creator goes on, also with dependences; its children need not be. */
#include <stdio.h>

int main(void)
{
    static int order[400], n, late, a, children;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 100; i++) {
#pragma omp task if (0)
            {
                order[n++] = i;
#pragma omp task
#pragma omp atomic
                children++;
            }
            late += order[n - 1] != i;
        }
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(out : a)
            a = i;
#pragma omp task depend(in : a) if (0)
            order[n++] = a;
            late += order[n - 1] != i;
        }
#pragma omp task if (n > 0)
#pragma omp atomic
        children++;
    }
    printf("n %d late %d children %d\n", n, late, children);
    return 0;
}
