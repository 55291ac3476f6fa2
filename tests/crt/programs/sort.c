/* SPDX-License-Identifier: BSD-3-Clause */
/* Merge sort by tasks, with a limit by if and final. */
#include <stdio.h>
#include <string.h>

enum { N = 5000 };
static int a[N], b[N];

static void merge(int *x, int *y, int n, int *to)
{
    int i = 0, j = n / 2;
    for (int k = 0; k < n; k++)
        to[k] = j >= n || (i < n / 2 && x[i] <= x[j]) ? x[i++] : x[j++];
    memcpy(y, to, (size_t)n * sizeof *to);
}

static void sort(int *x, int n, int *work)
{
    if (n < 2)
        return;
#pragma omp task if (n > 16) final(n < 100)
    sort(x, n / 2, work);
#pragma omp task untied final(n < 100)
    sort(x + n / 2, n - n / 2, work + n / 2);
#pragma omp taskwait
    merge(x, x, n, work);
}

int main(void)
{
    unsigned r = 1;
    for (int i = 0; i < N; i++)
        a[i] = (int)((r = r * 1103515245u + 12345u) >> 8 & 0xffff);
#pragma omp parallel
#pragma omp single nowait
    sort(a, N, b);
    int wrong = 0;
    for (int i = 1; i < N; i++)
        wrong += a[i - 1] > a[i];
    printf("wrong %d least %d most %d\n", wrong, a[0], a[N - 1]);
    return 0;
}
