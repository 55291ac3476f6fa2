/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo: heat in a plate, explicit 5-point stencil on a Cartesian communicator.
 * The plate is cold at two sides and closed to a ring in the other direction. It starts with a mode of the
 * difference equation, which each step multiplies by a known factor: the result is known in every cell.
 *     halo [-q] [-x cells across] [-y cells along] [-n steps]
 */
#include "halo.h"
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm comm = MPI_COMM_WORLD;
static int cells_across = 1000, cells_along = 800, steps = 200;
static const double rate = 0.2, pi = 3.14159265358979323846;
static const int waves_across = 3, waves_along = 2;

static void parse(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qx:y:n:")) != -1)
        switch (c) {
        case 'q':
            cells_across = 70;
            cells_along = 60;
            steps = 50;
            break;
        case 'x':
            cells_across = atoi(optarg);
            break;
        case 'y':
            cells_along = atoi(optarg);
            break;
        case 'n':
            steps = atoi(optarg);
            break;
        default:
            fprintf(stderr, "usage: halo [-q] [-x cells] [-y cells] [-n steps]\n");
            MPI_Abort(comm, 2);
        }
}

/* The mode, in the cell i, j of the whole grid. */
static double mode(int i, int j)
{
    return sin(pi * waves_across * (i + 1) / (global[ACROSS] + 1)) *
           cos(2 * pi * waves_along * j / global[ALONG] + 0.7);
}

/* What a step multiplies it by. */
static double factor(void)
{
    double a = sin(pi * waves_across / (2.0 * (global[ACROSS] + 1))),
           b = sin(pi * waves_along / global[ALONG]);
    return 1 - 4 * rate * (a * a + b * b);
}

static void update(double *from, double *to, int i, int j0, int j1)
{
    double *c = cell(from, i, 0), *n = cell(from, i - 1, 0), *s = cell(from, i + 1, 0), *out = cell(to, i, 0);
    for (int j = j0; j < j1; j++)
        out[j] = c[j] + rate * (n[j] + s[j] + c[j - 1] + c[j + 1] - 4 * c[j]);
}

/* The inner cells while the messages are on their way, then those at the edges. */
static void step(exchange *e, double *from, double *to)
{
    int rows = local[ACROSS], columns = local[ALONG];
    exchange_begin(e);
    for (int i = 2; i < rows; i++)
        update(from, to, i, 2, columns);
    exchange_end(e);
    update(from, to, 1, 1, columns + 1);
    if (rows > 1)
        update(from, to, rows, 1, columns + 1);
    for (int i = 2; i < rows; i++) {
        update(from, to, i, 1, 2);
        if (columns > 1)
            update(from, to, i, columns, columns + 1);
    }
}

static void run(double *u[2])
{
    exchange *e[2] = {exchange_create(u[0]), exchange_create(u[1])};
    for (int s = 0; s < steps; s++)
        step(e[s % 2], u[s % 2], u[(s + 1) % 2]);
    exchange_destroy(e[0]);
    exchange_destroy(e[1]);
}

/* Largest deviation from the known result; a sum that cells in the wrong place would change. */
static double compare(double *u, int64_t *checksum)
{
    double grown = pow(factor(), steps), worst = 0, error;
    int64_t sum = 0;
    for (int i = 0; i < local[ACROSS]; i++)
        for (int j = 0; j < local[ALONG]; j++) {
            int gi = first[ACROSS] + i, gj = first[ALONG] + j;
            double value = *cell(u, i + 1, j + 1);
            worst = fmax(worst, fabs(value - grown * mode(gi, gj)));
            sum += llround(value * 1e9) * (gi * 31 + gj * 17 + 1);
        }
    MPI_Allreduce(&worst, &error, 1, MPI_DOUBLE, MPI_MAX, grid_comm);
    MPI_Allreduce(&sum, checksum, 1, MPI_INT64_T, MPI_SUM, grid_comm);
    return error;
}

int main(int argc, char **argv)
{
    int rank, good;
    int64_t checksum;
    double *u[2], error, start;
    MPI_Init(&argc, &argv);
    parse(argc, argv);
    MPI_Comm_rank(comm, &rank);
    grid_create(comm, cells_across, cells_along);
    u[0] = field_create();
    u[1] = field_create();
    for (int i = 0; i < local[ACROSS]; i++)
        for (int j = 0; j < local[ALONG]; j++)
            *cell(u[0], i + 1, j + 1) = mode(first[ACROSS] + i, first[ALONG] + j);
    MPI_Barrier(comm);
    start = MPI_Wtime();
    run(u);
    MPI_Barrier(comm);
    start = MPI_Wtime() - start;
    error = compare(u[steps % 2], &checksum);
    good = error < 1e-11;
    if (rank == 0) {
        printf("RESULT halo %dx%d steps %d checksum %lld %s\n", cells_across, cells_along, steps,
               (long long)checksum, good ? "PASSED" : "FAILED");
        printf("TIME halo %.4f\n", start);
        if (!good)
            fprintf(stderr, "halo: largest error %g\n", error);
    }
    free(u[0]);
    free(u[1]);
    grid_destroy();
    MPI_Finalize();
    return good ? 0 : 1;
}
