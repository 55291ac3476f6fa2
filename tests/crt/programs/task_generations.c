/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that wait when the tasks which created theirs are long gone, and whose memory is another task's by now. */
#include <stdio.h>

static long visits;

static void visit(void)
{
#pragma omp atomic
    visits++;
}

/* Each task creates the next and ends; every so often one has a child to wait for. */
static void line(int left)
{
    if (left == 0)
        return;
#pragma omp task
    {
        visit();
        line(left - 1);
        if (left % 3 == 0) {
#pragma omp task
            visit();
#pragma omp taskwait
        }
    }
}

/* The same, with more than one line and generations that are still there. */
static void bush(int depth)
{
    visit();
    if (depth == 0)
        return;
#pragma omp task
    {
#pragma omp task
        {
            bush(depth - 1);
#pragma omp task if (0)
            {
#pragma omp task
                bush(depth - 1);
            }
#pragma omp taskwait
        }
#pragma omp task
        bush(depth - 1);
    }
    if (depth % 2) {
#pragma omp taskwait
    }
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    line(20000);
    printf("%ld\n", visits);
#pragma omp parallel
#pragma omp single
    bush(7);
    printf("%ld\n", visits);
    return 0;
}
