/* SPDX-License-Identifier: BSD-3-Clause */
/* critical in tasks, and in regions that other tasks open: a task whose thread is in such a region must not keep the others from it. */
#include <omp.h>
#include <stdio.h>

static long sum;
static omp_lock_t lock;
static omp_nest_lock_t nest;

static void work(void)
{
    for (volatile int i = 0; i < 200; i++)
        continue;
}

static void add(int how)
{
    if (how % 3 == 0) {
#pragma omp critical
        {
            sum++;
            work();
        }
    } else if (how % 3 == 1) {
        omp_set_lock(&lock);
        work();
        omp_unset_lock(&lock);
#pragma omp critical
        sum++;
    } else {
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        work();
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
#pragma omp critical
        sum++;
    }
}

int main(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    omp_set_max_active_levels(2);
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < 600; i++) {
#pragma omp task firstprivate(i)
        {
#pragma omp taskyield
            if (i % 4 == 0) {
#pragma omp parallel num_threads(2)
                add(i / 4);
            }
            for (int k = 0; k < 4; k++) {
                add(k);
#pragma omp taskyield
            }
        }
    }
    printf("%ld\n", sum);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return 0;
}
