/* SPDX-License-Identifier: BSD-3-Clause */
/* depend(mutexinoutset): in any order, one at a time, after the writers and before the readers. */
#include <stdio.h>

int main(void)
{
    static int x, y, inside, overlaps, results[30];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 30; i++) {
#pragma omp task depend(out : x)
        x = i;
#pragma omp task depend(out : y)
        y = 2 * i;
        for (int k = 0; k < 4; k++) {
#pragma omp task depend(mutexinoutset : x)
            {
                overlaps += inside++ != 0;
                x += k;
                inside--;
            }
        }
#pragma omp task depend(mutexinoutset : x, y)
        {
            x += y;
            y = 0;
        }
#pragma omp task depend(in : x)
        results[i] = x;
    }
    long sum = 0;
    for (int i = 0; i < 30; i++)
        sum = sum * 3 % 1000003 + results[i];
    printf("overlaps %d sum %ld\n", overlaps, sum);
    return 0;
}
