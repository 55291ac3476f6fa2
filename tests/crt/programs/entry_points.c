/* SPDX-License-Identifier: BSD-3-Clause */
/* Entry points that a compiler may call and GCC 12 does not. */
#include <omp.h>
#include <stdio.h>

extern void GOMP_parallel_loop_static(void (*fn)(void *), void *data, unsigned num_threads, long start,
                                      long end, long incr, long chunk, unsigned flags);
extern _Bool GOMP_loop_static_next(long *first, long *last);
extern void GOMP_loop_end(void);
extern void GOMP_taskwait_depend_nowait(void **depend);

static void add(void *data)
{
    long first, last, mine = 0;
    while (GOMP_loop_static_next(&first, &last))
        for (long i = first; i < last; i++)
            mine += i;
    GOMP_loop_end();
#pragma omp task
#pragma omp atomic
    *(long *)data += 1000000;
#pragma omp atomic
    *(long *)data += mine;
}

int main(void)
{
    long sum = 0;
    GOMP_parallel_loop_static(add, &sum, 2, 0, 100, 1, 7, 0);
    printf("%ld\n", sum);
    static int x, wrong;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
        void *depend[] = {(void *)1, (void *)1, &x}; /* taskwait depend(out : x) nowait */
#pragma omp task depend(out : x)
        x = i;
        GOMP_taskwait_depend_nowait(depend);
#pragma omp task depend(inout : x)
        wrong += x != i;
    }
    printf("wrong %d\n", wrong);
    return 0;
}
