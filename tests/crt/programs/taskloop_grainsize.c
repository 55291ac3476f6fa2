/* SPDX-License-Identifier: BSD-3-Clause */
/* taskloop grainsize and num_tasks, with and without strict: the sizes of the chunks. */
#include <stdio.h>
#include <string.h>

enum { N = 103 };
static int begins[N + 1], chunk_of[N];

static void report(const char *what, int value)
{
    printf("%s(%d):", what, value);
    int chunks = 0, wrong = 0;
    for (int i = 0; i < N; i++) {
        wrong += chunk_of[i] != 1;
        chunks += begins[i];
    }
    printf(" chunks %d wrong %d\n", chunks, wrong);
    memset(begins, 0, sizeof begins);
    memset(chunk_of, 0, sizeof chunk_of);
}

/* A chunk begins where the iteration before was not done by the same task. */
static void visit(int i, int *previous)
{
    if (*previous != i - 1)
        begins[i] = 1;
    *previous = i;
    chunk_of[i]++;
}

int main(void)
{
    static const int sizes[] = {1, 2, 7, 10, 11, 50, 51, 52, 102, 103, 104, 1000};
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < 12; k++) {
        int size = sizes[k], previous = -2;
#pragma omp taskloop grainsize(size) firstprivate(previous)
        for (int i = 0; i < N; i++)
            visit(i, &previous);
        report("grainsize", size);
#pragma omp taskloop num_tasks(size) firstprivate(previous)
        for (int i = 0; i < N; i++)
            visit(i, &previous);
        report("num_tasks", size);
#pragma omp taskloop grainsize(strict : size) firstprivate(previous)
        for (int i = 0; i < N; i++)
            visit(i, &previous);
        for (int i = 0; i < N; i++)
            if (begins[i] != (i % size == 0))
                printf("strict: wrong at %d\n", i);
        report("strict grainsize", size);
#pragma omp taskloop num_tasks(strict : size) firstprivate(previous)
        for (int i = 0; i < N; i++)
            visit(i, &previous);
        report("strict num_tasks", size);
    }
    return 0;
}
