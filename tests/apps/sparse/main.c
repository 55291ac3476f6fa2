/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sparse: equations with matrices of a random graph: its Laplacian by conjugate gradients, and one that is not symmetric by
 * BiCGSTAB. Each process shares values with as many others as the graph wants, in messages of all lengths. The right side is
 * made, without any message, for a solution that is known in each point.
 *     sparse [-q] [-p points] [-e edges of a point to near ones] [-n most steps]
 */
#include "sparse.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

MPI_Comm sparse_comm = MPI_COMM_WORLD;
int sparse_rank, sparse_size;

static graph whole = {40000, 6, 40};
static int most = 1000;
static const int early = 10; /* steps after which the residual still shows every mistake */
static const double tolerance = 1e-11;

typedef int solver(const matrix *, const double *, double *, int, double, double *);

void *sparse_alloc(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (p == NULL) {
        fprintf(stderr, "sparse: no memory for %zu items\n", count);
        MPI_Abort(sparse_comm, 2);
    }
    return p;
}

static void parse(int argc, char **argv)
{
    int c, good = 1;
    while ((c = getopt(argc, argv, "qp:e:n:")) != -1)
        switch (c) {
        case 'q':
            whole.points = 1500;
            break;
        case 'p':
            whole.points = atoi(optarg);
            break;
        case 'e':
            whole.near_edges = atoi(optarg);
            break;
        case 'n':
            most = atoi(optarg);
            break;
        default:
            good = 0;
        }
    if (!good || whole.points < sparse_size || whole.near_edges < 0 || whole.near_edges > 20) {
        fprintf(stderr, "usage: sparse [-q] [-p points] [-e edges, up to 20] [-n most steps]\n"
                        "points: at least one for each process\n");
        MPI_Abort(sparse_comm, 2);
    }
}

static double solution(int point)
{
    return 1 + sin(0.013 * point) + 0.3 * cos(1.7 * point);
}

static void right_side(const matrix *a, double *b)
{
    for (int row = 0; row < a->rows; row++) {
        b[row] = 0;
        for (int k = a->start[row]; k < a->start[row + 1]; k++)
            b[row] += a->value[k] * solution(number_of(a, a->column[k]));
    }
}

static double largest_error(const matrix *a, const double *x)
{
    double mine = 0, all;
    for (int row = 0; row < a->rows; row++)
        mine = fmax(mine, fabs(x[row] - solution(a->first + row)));
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, sparse_comm);
    return all;
}

/* Of x, as a part of b. */
static double true_residual(const matrix *a, const double *b, double *x)
{
    double *r = vector_create(a), norm;
    matrix_multiply(a, x, r);
    for (int i = 0; i < a->rows; i++)
        r[i] -= b[i];
    norm = sqrt(vector_dot(a, r, r) / vector_dot(a, b, b));
    free(r);
    return norm;
}

/* What all processes together exchange for one product. */
static int values_exchanged(const matrix *a)
{
    int mine = a->columns - a->rows, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, sparse_comm);
    return all;
}

/* *seconds grows by the time of making the matrix and of solving. */
static int run(const char *name, double drift, solver *solve, double *seconds)
{
    matrix a;
    double *b, *x, begun, left, time, error, residual;
    int good, steps, exchanged;
    MPI_Barrier(sparse_comm);
    time = MPI_Wtime();
    matrix_create(&a, &whole, drift);
    b = vector_create(&a);
    x = vector_create(&a);
    right_side(&a, b);
    solve(&a, b, x, early, 0, &begun);
    steps = solve(&a, b, x, most, tolerance, &left);
    *seconds += MPI_Wtime() - time;
    error = largest_error(&a, x);
    residual = true_residual(&a, b, x);
    exchanged = values_exchanged(&a);
    good = error < 1e-7 && residual < 1e-10;
    if (sparse_rank == 0) {
        /* Sums depend on the order of processes in the last digits: those are not shown. */
        printf("%s of %d points, %d values exchanged, residual after %d steps %.6e\n", name, whole.points,
               exchanged, early, begun);
        if (!good)
            fprintf(stderr, "sparse: %s: largest error %g, residual %g after %d steps\n", name, error,
                    residual, steps);
    }
    free(b);
    free(x);
    matrix_destroy(&a);
    return good;
}

int main(int argc, char **argv)
{
    double time = 0;
    int good;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(sparse_comm, &sparse_rank);
    MPI_Comm_size(sparse_comm, &sparse_size);
    parse(argc, argv);
    good = run("symmetric", 0, solve_cg, &time);
    good = run("drifting", 0.25, solve_bicgstab, &time) && good;
    if (sparse_rank == 0) {
        printf("RESULT sparse %d points %s\n", whole.points, good ? "PASSED" : "FAILED");
        printf("TIME sparse %.4f\n", time);
    }
    MPI_Finalize();
    return good ? 0 : 1;
}
