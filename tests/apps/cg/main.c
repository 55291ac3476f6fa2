/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cg: conjugate gradients on a 27-point operator in three dimensions; each process has a box of the same size.
 * The right side is made, without any message, for a solution that is known in each point.
 *     cg [-q] [-s points along an edge of a box] [-n most steps]
 */
#include "cg.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int edge = 20, most = 200;
static const int early = 10; /* steps after which the residual still shows every mistake */

static void parse(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qs:n:")) != -1)
        switch (c) {
        case 'q':
            edge = 8;
            break;
        case 's':
            edge = atoi(optarg);
            break;
        case 'n':
            most = atoi(optarg);
            break;
        default:
            fprintf(stderr, "usage: cg [-q] [-s points] [-n steps]\n");
            MPI_Abort(cg_comm, 2);
        }
}

static double solution(const long at[3])
{
    return 1 + sin(0.37 * (double)at[0]) * cos(0.21 * (double)at[1]) +
           0.1 * sin(0.9 * (double)(at[2] + at[0]));
}

static void right_side(const geometry *g, double *b)
{
    for (int row = 0; row < g->n[0] * g->n[1] * g->n[2]; row++) {
        b[row] = 0;
        for (int d = 0; d < 27; d++) {
            int offset[3];
            long at[3];
            direction_offsets(d, offset);
            if (geometry_move(g, row, offset, at))
                b[row] += (d == 13 ? 26 : -1) * solution(at);
        }
    }
}

static double largest_error(const geometry *g, const double *x)
{
    static const int here[3] = {0, 0, 0};
    double mine = 0, all;
    for (int row = 0; row < g->n[0] * g->n[1] * g->n[2]; row++) {
        long at[3];
        geometry_move(g, row, here, at);
        mine = fmax(mine, fabs(x[row] - solution(at)));
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, cg_comm);
    return all;
}

int main(int argc, char **argv)
{
    geometry g;
    matrix a;
    double *b, *x, begun, left, error, time;
    int good, steps;
    MPI_Init(&argc, &argv);
    parse(argc, argv);
    geometry_init(&g, edge, edge, edge);
    matrix_create(&a, &g);
    b = cg_alloc((size_t)a.rows, sizeof *b);
    x = cg_alloc((size_t)a.columns, sizeof *x);
    right_side(&g, b);
    MPI_Barrier(cg_comm);
    time = MPI_Wtime();
    cg_solve(&a, b, x, early, 0, &begun);
    steps = cg_solve(&a, b, x, most, 1e-9, &left);
    time = MPI_Wtime() - time;
    error = largest_error(&g, x);
    good = error < 1e-6;
    if (g.rank == 0) {
        /* Sums depend on the order of processes in the last digits: those are not shown. */
        printf("RESULT cg processes %d edge %d residual after %d steps %.6e %s\n", g.size, edge, early, begun,
               good ? "PASSED" : "FAILED");
        printf("TIME cg %.4f\n", time);
        if (!good)
            fprintf(stderr, "cg: largest error %g after %d steps, residual %g\n", error, steps, left);
    }
    free(b);
    free(x);
    matrix_destroy(&a);
    MPI_Finalize();
    return good ? 0 : 1;
}
