/* SPDX-License-Identifier: BSD-3-Clause */
/* taskloop with reduction, in_reduction, nogroup in a group's reduction, and empty loops with reduction. */
#include <stdio.h>

static long empty(int n)
{
    long sum = 3;
#pragma omp taskloop reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

int main(void)
{
    long sum = 0, group = 0, array[5] = {0}, nested = 0;
    unsigned long long wide = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop reduction(+ : sum, array) num_tasks(9)
        for (int i = 0; i < 100; i++) {
            sum += i;
            array[i % 5] += i;
        }
#pragma omp taskgroup task_reduction(+ : group)
        {
#pragma omp taskloop in_reduction(+ : group) nogroup grainsize(3)
            for (int i = 0; i < 50; i++)
                group += i;
#pragma omp taskloop in_reduction(+ : group)
            for (int i = 0; i < 50; i++)
                group += 1000;
        }
#pragma omp taskloop reduction(+ : wide)
        for (unsigned long long i = 1; i < 60; i += 2)
            wide += i * i;
#pragma omp taskloop reduction(+ : nested) num_tasks(4)
        for (int i = 0; i < 8; i++) {
#pragma omp task in_reduction(+ : nested)
            nested += 10;
            nested += 1;
        }
        printf("empty %ld %ld %ld\n", empty(0), empty(-3), empty(4));
    }
    printf("sum %ld group %ld wide %llu nested %ld array %ld %ld\n", sum, group, wide, nested, array[0],
           array[4]);
    return 0;
}
