/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks: set, unset, test; from threads, from tasks, across taskwait, outside of regions. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    static omp_lock_t lock, many[8];
    static int count, tested, sums[8];
    omp_init_lock(&lock);
    for (int i = 0; i < 8; i++)
        omp_init_lock(&many[i]);
    omp_set_lock(&lock);
    printf("held: %d\n", omp_test_lock(&lock));
    omp_unset_lock(&lock);
    printf("free: %d\n", omp_test_lock(&lock));
    omp_unset_lock(&lock);
#pragma omp parallel
    {
        for (int i = 0; i < 200; i++) {
            omp_set_lock(&lock);
            count++;
            omp_unset_lock(&lock);
        }
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100; i++) {
#pragma omp task
            {
                while (!omp_test_lock(&lock)) {
#pragma omp taskyield
                }
                tested++;
                omp_unset_lock(&lock);
                omp_set_lock(&many[i % 8]);
                sums[i % 8] += i;
                omp_unset_lock(&many[i % 8]);
            }
        }
#pragma omp single
        {
            omp_set_lock(&lock);
            for (int i = 0; i < 10; i++) {
#pragma omp task
                sums[0]++, sums[0]--;
#pragma omp taskwait
            }
            omp_unset_lock(&lock);
        }
    }
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += sums[i];
        omp_destroy_lock(&many[i]);
    }
    omp_destroy_lock(&lock);
    printf("count %d tested %d sum %d\n", count % 200, tested, sum);
    return 0;
}
