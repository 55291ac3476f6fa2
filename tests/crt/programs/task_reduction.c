/* SPDX-License-Identifier: BSD-3-Clause */
/* taskgroup task_reduction and task in_reduction: several operators, arrays, more than one group. */
#include <stdio.h>

enum { N = 100 };

int main(void)
{
    long sum = 5, product = 1, parts[4] = {0};
    int least = 1000, bits = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum, parts) task_reduction(* : product)                             \
    task_reduction(min : least) task_reduction(| : bits)
        {
            for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(min : least)
                {
                    sum += i;
                    least = least < 500 - i ? least : 500 - i;
                }
#pragma omp task in_reduction(+ : parts) in_reduction(* : product)
                {
                    parts[i % 4] += i;
                    product = product * (i % 10 == 9 ? 2 : 1);
                }
#pragma omp task in_reduction(| : bits) if (i % 2)
                bits |= 1 << i % 20;
            }
        }
#pragma omp taskgroup task_reduction(+ : sum)
        {
#pragma omp task in_reduction(+ : sum)
            sum += 1;
        }
    }
    printf("sum %ld product %ld least %d bits %x parts %ld %ld %ld %ld\n", sum, product, least,
           (unsigned)bits, parts[0], parts[1], parts[2], parts[3]);
    return 0;
}
