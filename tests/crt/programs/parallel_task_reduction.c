/* SPDX-License-Identifier: BSD-3-Clause */
/* parallel reduction(task, ...): implicit tasks and explicit ones take part; also combined with for. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    for (int round = 0; round < 5; round++) {
        long sum = round, per_thread = 0, loop = 0;
        int threads = 1;
#pragma omp parallel reduction(task, + : sum, per_thread)
        {
#pragma omp single nowait
            threads = omp_get_num_threads();
            per_thread++;
            for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
                {
                    sum += i;
#pragma omp task in_reduction(+ : sum)
                    sum += 100;
                }
            }
#pragma omp barrier
#pragma omp taskgroup task_reduction(+ : per_thread)
            {
#pragma omp task in_reduction(+ : per_thread, sum)
                {
                    per_thread += 10;
                    sum += 1000;
                }
            }
        }
        printf("sum %ld per thread %ld\n", (sum - round) / threads, per_thread / threads);
#pragma omp parallel for reduction(task, + : loop) schedule(dynamic)
        for (int i = 0; i < 25; i++) {
#pragma omp task in_reduction(+ : loop)
            loop += i;
        }
        printf("loop %ld\n", loop);
    }
    return 0;
}
