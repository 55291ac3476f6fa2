/* SPDX-License-Identifier: BSD-3-Clause */
/* Nestable locks: depth, owned by tasks. */
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t lock;
static int count;

static void nest(int depth)
{
    omp_set_nest_lock(&lock);
    count++;
    if (depth > 0)
        nest(depth - 1);
    omp_unset_nest_lock(&lock);
}

int main(void)
{
    omp_init_nest_lock(&lock);
    int first = omp_test_nest_lock(&lock), second = omp_test_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    int fourth = omp_test_nest_lock(&lock);
    printf("%d %d %d\n", first, second, fourth);
    for (int i = 0; i < 4; i++)
        omp_unset_nest_lock(&lock);
    static int refused, taken;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 100; i++) {
#pragma omp task
            nest(i % 5);
        }
#pragma omp single
        {
            omp_set_nest_lock(&lock);
#pragma omp task if (0)
            refused = omp_test_nest_lock(&lock) == 0;
            omp_unset_nest_lock(&lock);
#pragma omp task
            {
                taken = omp_test_nest_lock(&lock);
                omp_unset_nest_lock(&lock);
            }
#pragma omp taskwait
        }
    }
    omp_destroy_nest_lock(&lock);
    printf("count %d refused %d taken %d\n", count, refused, taken);
    return 0;
}
