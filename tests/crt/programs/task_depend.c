/* SPDX-License-Identifier: BSD-3-Clause */
/* depend(in), depend(out), depend(inout): writers alone, readers between them. */
#include <stdio.h>

int main(void)
{
    static int x, y, wrong, reads, both;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 60; i++) {
#pragma omp task depend(out : x)
            x = i;
            for (int r = 0; r < 4; r++) {
#pragma omp task depend(in : x)
                {
#pragma omp atomic
                    wrong += x != i;
#pragma omp atomic
                    reads++;
                }
            }
#pragma omp task depend(in : x) depend(inout : y)
            y = (y * 7 + x) % 10007;
#pragma omp task depend(inout : x, y)
            {
                both += x == i;
                x = -1;
            }
        }
    }
    printf("wrong %d reads %d both %d y %d\n", wrong, reads, both, y);
    return 0;
}
