/* SPDX-License-Identifier: BSD-3-Clause */
/* for reduction(task, ...): every start function that takes reductions. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    unsigned long long n = 30, m = 20;
    long sum = 0, product = 1, sums[3] = {0};
#pragma omp parallel
    {
#pragma omp for reduction(task, + : sum) schedule(dynamic)
        for (int i = 0; i < 40; i++) {
            sum += i;
#pragma omp task in_reduction(+ : sum)
            sum += 1000;
        }
#pragma omp for reduction(task, * : product) reduction(task, + : sums) schedule(static)
        for (int i = 0; i < 12; i++) {
#pragma omp task in_reduction(* : product) in_reduction(+ : sums)
            {
                product *= i % 3 + 1;
                sums[i % 3] += i;
            }
        }
#pragma omp for reduction(task, + : sum) schedule(guided) ordered
        for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += i;
#pragma omp ordered
            sum += 1;
        }
#pragma omp for reduction(task, + : sum) ordered(1)
        for (int i = 1; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp task in_reduction(+ : sum)
            sum += i * 5;
#pragma omp ordered depend(source)
        }
#pragma omp for reduction(task, + : sum) schedule(runtime)
        for (unsigned long long i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += (long)i;
        }
#pragma omp for reduction(task, + : sum) ordered schedule(dynamic)
        for (unsigned long long i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += 7;
#pragma omp ordered
            sum += 1;
        }
#pragma omp for reduction(task, + : sum) ordered(1)
        for (unsigned long long i = 1; i < m; i++) {
#pragma omp ordered depend(sink : i - 1)
#pragma omp task in_reduction(+ : sum)
            sum += 11;
#pragma omp ordered depend(source)
        }
    }
    printf("sum %ld product %ld sums %ld %ld %ld\n", sum, product, sums[0], sums[1], sums[2]);
    return 0;
}
