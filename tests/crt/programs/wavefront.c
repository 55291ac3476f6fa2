/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix in blocks, each waiting for the ones above and to the left. */
#include <stdio.h>

enum { B = 12, S = 8, N = B * S };
static unsigned m[N + 1][N + 1];
static char done[B + 1][B + 1];

static void block(int bi, int bj)
{
    for (int i = bi * S + 1; i <= bi * S + S; i++)
        for (int j = bj * S + 1; j <= bj * S + S; j++)
            m[i][j] = m[i - 1][j] + m[i][j - 1] * 3 + m[i - 1][j - 1] + 1;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
#pragma omp task depend(in : done[i][j + 1], done[i + 1][j]) depend(out : done[i + 1][j + 1])
            {
                block(i, j);
                done[i + 1][j + 1] = 1;
            }
        }
    printf("%u\n", m[N][N]);
    return 0;
}
