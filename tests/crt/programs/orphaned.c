/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything outside of any parallel region: worksharing, tasks, groups, loops, reductions. No region comes
 * after it: plain programs that have task reductions outside first crash at their end now and then (GCC 12). */
#include <omp.h>
#include <stdio.h>

static int shared_loop;

static void orphan(void)
{
#pragma omp for reduction(task, + : shared_loop)
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : shared_loop)
        shared_loop += i;
    }
}

int main(void)
{
    static int order[300], n, x, deps;
    int sum = 0, once = 0, value = 0, group = 0, loop = 0;
    for (int i = 0; i < 100; i++) {
#pragma omp task
        order[i]++, n++;
    }
#pragma omp taskwait
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
        sum += i;
    }
#pragma omp sections
    {
#pragma omp section
        sum += 100;
#pragma omp section
        sum += 200;
    }
#pragma omp single
    once++;
#pragma omp single copyprivate(value)
    value = 9;
#pragma omp barrier
#pragma omp critical
    once++;
    for (int i = 0; i < 5; i++) {
#pragma omp task depend(inout : x)
        x = x * 2 + 1;
#pragma omp task depend(in : x)
        deps += x;
    }
#pragma omp taskwait depend(in : x)
#pragma omp taskgroup task_reduction(+ : group)
    {
#pragma omp task in_reduction(+ : group)
        group += 4;
#pragma omp taskloop in_reduction(+ : group)
        for (int i = 0; i < 10; i++)
            group += i;
    }
#pragma omp taskloop reduction(+ : loop)
    for (int i = 0; i < 20; i++)
        loop += i;
    orphan();
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += order[i] != 1;
    printf("n %d wrong %d sum %d once %d value %d x %d deps %d group %d loop %d %d level %d\n", n, wrong, sum,
           once, value, x, deps, group, loop, shared_loop, omp_get_level());
    return 0;
}
