/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.c: conjugate gradients. */
#include "cg.h"
#include <math.h>
#include <stdlib.h>

static double dot(int n, const double *a, const double *b)
{
    double mine = 0, all;
    for (int i = 0; i < n; i++)
        mine += a[i] * b[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, cg_comm);
    return all;
}

int cg_solve(const matrix *a, const double *b, double *x, int most, double tolerance, double *residual)
{
    int n = a->rows, k = 0;
    double *r = cg_alloc((size_t)n, sizeof *r), *p = cg_alloc((size_t)a->columns, sizeof *p),
           *q = cg_alloc((size_t)n, sizeof *q);
    double rr, before, first;
    matrix_multiply(a, x, q);
    for (int i = 0; i < n; i++)
        p[i] = r[i] = b[i] - q[i];
    first = rr = dot(n, r, r);
    while (k < most && rr > tolerance * tolerance * first) {
        double alpha;
        matrix_multiply(a, p, q);
        alpha = rr / dot(n, p, q);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        before = rr;
        rr = dot(n, r, r);
        for (int i = 0; i < n; i++)
            p[i] = r[i] + rr / before * p[i];
        k++;
    }
    *residual = sqrt(rr);
    free(r);
    free(p);
    free(q);
    return k;
}
