/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that try until they have a lock, without a scheduling point, while others hold it across one. */
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;
static long sums[2];

static void work(void)
{
    for (volatile int i = 0; i < 200; i++)
        continue;
}

static void simple(int i)
{
    if (i % 2) {
        omp_set_lock(&lock);
    } else {
        while (!omp_test_lock(&lock))
            continue;
    }
    work();
    sums[0]++;
    if (i % 3 == 0) {
#pragma omp taskyield
    }
    omp_unset_lock(&lock);
}

static void nestable(int i)
{
    while (omp_test_nest_lock(&nest) != 1)
        continue;
    omp_set_nest_lock(&nest);
    work();
    sums[1]++;
    if (i % 3 == 0) {
#pragma omp taskyield
    }
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < 1000; i++) {
#pragma omp task firstprivate(i)
        if (i % 5 < 3)
            simple(i);
        else
            nestable(i);
    }
    printf("%ld %ld\n", sums[0], sums[1]);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return 0;
}
