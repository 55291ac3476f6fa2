/* SPDX-License-Identifier: BSD-3-Clause */
/* solve.c: conjugate gradients, and BiCGSTAB for matrices that are not symmetric; both divide by the diagonal first. */
#include "sparse.h"
#include <math.h>
#include <stdlib.h>

double *vector_create(const matrix *a)
{
    return sparse_alloc((size_t)a->columns, sizeof(double));
}

double vector_dot(const matrix *a, const double *x, const double *y)
{
    double mine = 0, all;
    for (int i = 0; i < a->rows; i++)
        mine += x[i] * y[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, sparse_comm);
    return all;
}

/* Two dot products by one reduction: x y and x x. */
static void two_dots(const matrix *a, const double *x, const double *y, double both[2])
{
    double mine[2] = {0, 0};
    for (int i = 0; i < a->rows; i++) {
        mine[0] += x[i] * y[i];
        mine[1] += x[i] * x[i];
    }
    MPI_Allreduce(mine, both, 2, MPI_DOUBLE, MPI_SUM, sparse_comm);
}

static void precondition(const matrix *a, const double *r, double *z)
{
    for (int i = 0; i < a->rows; i++)
        z[i] = r[i] / a->diagonal[i];
}

static void first_residual(const matrix *a, const double *b, double *x, double *r)
{
    matrix_multiply(a, x, r);
    for (int i = 0; i < a->rows; i++)
        r[i] = b[i] - r[i];
}

int solve_cg(const matrix *a, const double *b, double *x, int most, double tolerance, double *residual)
{
    double *r = vector_create(a), *z = vector_create(a), *p = vector_create(a), *q = vector_create(a);
    double now[2], before = 0, begun = 0; /* now: r z, r r */
    int steps = 0;
    first_residual(a, b, x, r);
    for (;; steps++) {
        double alpha;
        precondition(a, r, z);
        two_dots(a, r, z, now);
        if (steps == 0)
            begun = now[1];
        if (steps == most || now[1] <= tolerance * tolerance * begun)
            break;
        for (int i = 0; i < a->rows; i++)
            p[i] = steps > 0 ? z[i] + now[0] / before * p[i] : z[i];
        matrix_multiply(a, p, q);
        alpha = now[0] / vector_dot(a, p, q);
        for (int i = 0; i < a->rows; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        before = now[0];
    }
    *residual = sqrt(now[1] / begun);
    free(r);
    free(z);
    free(p);
    free(q);
    return steps;
}

/* Directions and their images. */
struct space {
    double *r, *shadow, *p, *v, *s, *t;
};

static void half_step(const matrix *a, struct space *w, double alpha)
{
    for (int i = 0; i < a->rows; i++)
        w->r[i] -= alpha * w->v[i];
    precondition(a, w->r, w->s);
    matrix_multiply(a, w->s, w->t);
}

int solve_bicgstab(const matrix *a, const double *b, double *x, int most, double tolerance, double *residual)
{
    struct space w = {vector_create(a), vector_create(a), vector_create(a),
                      vector_create(a), vector_create(a), vector_create(a)};
    double *y = vector_create(a), rho, left, begun, dots[2];
    int steps = 0;
    first_residual(a, b, x, w.r);
    for (int i = 0; i < a->rows; i++)
        w.p[i] = w.shadow[i] = w.r[i];
    begun = left = rho = vector_dot(a, w.r, w.r);
    for (; steps < most && left > tolerance * tolerance * begun; steps++) {
        double alpha, omega, beta, next;
        precondition(a, w.p, y);
        matrix_multiply(a, y, w.v);
        alpha = rho / vector_dot(a, w.shadow, w.v);
        half_step(a, &w, alpha);
        two_dots(a, w.t, w.r, dots);
        omega = dots[0] / dots[1];
        for (int i = 0; i < a->rows; i++) {
            x[i] += alpha * y[i] + omega * w.s[i];
            w.r[i] -= omega * w.t[i];
        }
        two_dots(a, w.r, w.shadow, dots);
        next = dots[0];
        left = dots[1];
        beta = next / rho * (alpha / omega);
        rho = next;
        for (int i = 0; i < a->rows; i++)
            w.p[i] = w.r[i] + beta * (w.p[i] - omega * w.v[i]);
    }
    *residual = sqrt(left / begun);
    free(w.r);
    free(w.shadow);
    free(w.p);
    free(w.v);
    free(w.s);
    free(w.t);
    free(y);
    return steps;
}
