/* SPDX-License-Identifier: BSD-3-Clause */
/* sections: alone, with nowait, lastprivate, reduction, and as parallel sections. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int a = 0, b = 0, c = 0, last = 0, sum = 0, tasks = 0, early = 0;
#pragma omp parallel
    {
#pragma omp sections lastprivate(last) reduction(+ : sum)
        {
#pragma omp section
            a = 1, last = 1, sum += 1;
#pragma omp section
            b = 2, last = 2, sum += 10;
#pragma omp section
            c = 3, last = 3, sum += 100;
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp task shared(tasks)
#pragma omp atomic
                tasks++;
            }
#pragma omp section
            {
#pragma omp task shared(tasks)
#pragma omp atomic
                tasks++;
            }
        }
        int seen;
#pragma omp atomic read
        seen = tasks;
        if (seen != 2) {
#pragma omp atomic
            early++;
        }
#pragma omp sections nowait
        {
#pragma omp section
            a += 10;
#pragma omp section
            b += 10;
        }
    }
    printf("%d %d %d last %d sum %d tasks %d early %d\n", a, b, c, last, sum, tasks, early);
#pragma omp parallel sections num_threads(2) lastprivate(last)
    {
#pragma omp section
        a++, last = 7;
#pragma omp section
        b++, last = 8;
#pragma omp section
        c++, last = 9;
    }
    printf("%d %d %d last %d\n", a, b, c, last);
    return 0;
}
