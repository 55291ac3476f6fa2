/* SPDX-License-Identifier: BSD-3-Clause */
/* final: what omp_in_final says in and below, all included tasks run at once; mergeable. */
#include <omp.h>
#include <stdio.h>

static int in_final, wrong, tasks;

static void descend(int depth, int expected)
{
#pragma omp atomic
    tasks++;
    if (omp_in_final() != expected) {
#pragma omp atomic
        wrong++;
    }
    if (depth == 0)
        return;
    volatile int done = 0; /* else the compiler may read it where it does not matter, which is a race */
#pragma omp task final(depth == 3) shared(done) mergeable
    {
        descend(depth - 1, expected || depth == 3);
        done = 1;
    }
    if (expected && !done) {
#pragma omp atomic
        wrong++;
    }
#pragma omp taskwait
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp atomic
        in_final += omp_in_final();
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task
            descend(6, 0);
        }
    }
#pragma omp task final(1)
    in_final += omp_in_final();
#pragma omp taskwait
    in_final += omp_in_final() * 100;
    printf("in_final %d wrong %d tasks %d\n", in_final, wrong, tasks);
    return 0;
}
