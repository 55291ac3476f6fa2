/* SPDX-License-Identifier: BSD-3-Clause */
/* untied tasks, with taskwait and taskyield between their parts. */
#include <stdio.h>

static int tree(int depth)
{
    int left = 0, right = 0;
    if (depth == 0)
        return 1;
#pragma omp task untied shared(left)
    left = tree(depth - 1);
#pragma omp taskyield
#pragma omp task untied shared(right)
    right = tree(depth - 1);
#pragma omp taskwait
    return left + right + 1;
}

int main(void)
{
    int nodes = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(nodes)
    nodes = tree(9);
    printf("%d\n", nodes);
    return 0;
}
