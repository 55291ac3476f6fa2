/* SPDX-License-Identifier: BSD-3-Clause */
/* parallel: team size, data clauses, reduction, if, num_threads. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int sum = 0, members = 0, first = 7, later = 0;
#pragma omp parallel firstprivate(first) reduction(+ : sum, members)
    {
        first += omp_get_thread_num();
        sum += first - omp_get_thread_num();
        members++;
    }
    printf("members %d sum %d\n", members, sum);
    for (int n = 1; n <= 3; n++) {
        int seen[3] = {0};
#pragma omp parallel num_threads(n)
        seen[omp_get_thread_num()] = omp_get_num_threads();
        printf("num_threads(%d): %d %d %d\n", n, seen[0], seen[1], seen[2]);
    }
#pragma omp parallel if (first < 0) reduction(+ : later)
    later += omp_get_num_threads();
    printf("if(0): %d, level outside %d\n", later, omp_get_level());
    for (int i = 0; i < 200; i++) {
#pragma omp parallel reduction(max : later)
        later = i;
    }
    printf("last of 200 regions: %d\n", later);
    return 0;
}
