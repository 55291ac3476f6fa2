/* SPDX-License-Identifier: BSD-3-Clause */
/* sections reduction(task, ...). */
#include <stdio.h>

int main(void)
{
    int sum = 0, most = 0;
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
#pragma omp sections reduction(task, + : sum) reduction(task, max : most)
            {
#pragma omp section
                {
                    sum += 1;
#pragma omp task in_reduction(+ : sum) in_reduction(max : most)
                    {
                        sum += 10;
                        most = most > 5 ? most : 5;
                    }
                }
#pragma omp section
                for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(max : most)
                    {
                        sum += 100;
                        most = most > i ? most : i;
                    }
                }
#pragma omp section
                most = most > 3 ? most : 3;
            }
        }
        printf("sum %d most %d\n", sum, most);
    }
#pragma omp parallel sections reduction(task, + : sum)
    {
#pragma omp section
        {
#pragma omp task in_reduction(+ : sum)
            sum += 1;
        }
#pragma omp section
        {
#pragma omp task in_reduction(+ : sum)
            sum += 2;
        }
    }
    printf("sum %d\n", sum);
    return 0;
}
