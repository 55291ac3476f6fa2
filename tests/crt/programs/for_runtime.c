/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule(runtime) in its three forms, every kind set from outside, long and unsigned long long. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    unsigned long long many = 100;
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    for (int k = 0; k < 4; k++) {
        long sum = 0;
        unsigned long long product = 0;
        omp_set_schedule(kinds[k], 3);
#pragma omp parallel reduction(+ : sum, product)
        {
#pragma omp for schedule(runtime)
            for (int i = 0; i < 100; i++)
                sum += i;
#pragma omp for schedule(monotonic : runtime)
            for (long i = 100; i > 0; i -= 3)
                sum += i;
#pragma omp for schedule(nonmonotonic : runtime)
            for (unsigned long long i = 1; i < many; i++)
                product += i * i;
#pragma omp for schedule(monotonic : runtime)
            for (unsigned long long i = many; i > 50; i -= 7)
                product += i;
        }
        printf("kind %d: %ld %llu\n", k, sum, product);
    }
    return 0;
}
