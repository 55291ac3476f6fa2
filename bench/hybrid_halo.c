/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hybrid_halo.c: the mini-app tests/apps/halo as a program with MPI and OpenMP, by hand: a process has a block of the plate, its
 * threads share the rows, the master exchanges the halo for all (MPI_THREAD_FUNNELED) while the others compute cells
 * that need none of it. The same cells by the same arithmetic in the same order: the same line RESULT.
 *     hybrid_halo [-x cells across] [-y cells along] [-n steps]         threads: OMP_NUM_THREADS
 */
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ACROSS, ALONG };

/* The block of this process; all its threads read it. */
static MPI_Comm grid;
static int global[2] = {1000, 800}, local[2], first[2], steps = 200;
static MPI_Datatype row, column;
static const double rate = 0.2, pi = 3.14159265358979323846;
static const int waves_across = 3, waves_along = 2;

static double *cell(double *u, int i, int j)
{
    return u + (long)i * (local[ALONG] + 2) + j;
}

static void parse(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "x:y:n:")) != -1)
        if (c == '?')
            MPI_Abort(MPI_COMM_WORLD, 2);
        else
            *(c == 'x' ? &global[ACROSS] : c == 'y' ? &global[ALONG] : &steps) = atoi(optarg);
}

static void create_grid(void)
{
    int size, rank, dims[2] = {0, 0}, coords[2], periods[2] = {0, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, coords);
    for (int d = 0; d < 2; d++) {
        first[d] = (int)((long)global[d] * coords[d] / dims[d]);
        local[d] = (int)((long)global[d] * (coords[d] + 1) / dims[d]) - first[d];
    }
    MPI_Type_contiguous(local[ALONG], MPI_DOUBLE, &row);
    MPI_Type_vector(local[ACROSS], 1, local[ALONG] + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&row);
    MPI_Type_commit(&column);
}

static void create_exchange(double *u, MPI_Request *r)
{
    int up, down, left, right, rows = local[ACROSS], columns = local[ALONG];
    MPI_Cart_shift(grid, ACROSS, 1, &up, &down);
    MPI_Cart_shift(grid, ALONG, 1, &left, &right);
    MPI_Recv_init(cell(u, 0, 1), 1, row, up, 1, grid, r++);
    MPI_Recv_init(cell(u, rows + 1, 1), 1, row, down, 2, grid, r++);
    MPI_Recv_init(cell(u, 1, 0), 1, column, left, 3, grid, r++);
    MPI_Recv_init(cell(u, 1, columns + 1), 1, column, right, 4, grid, r++);
    MPI_Send_init(cell(u, rows, 1), 1, row, down, 1, grid, r++);
    MPI_Send_init(cell(u, 1, 1), 1, row, up, 2, grid, r++);
    MPI_Send_init(cell(u, 1, columns), 1, column, right, 3, grid, r++);
    MPI_Send_init(cell(u, 1, 1), 1, column, left, 4, grid, r++);
}

/* The mode, in the cell i, j of the whole grid. */
static double mode(int i, int j)
{
    return sin(pi * waves_across * (i + 1) / (global[ACROSS] + 1)) *
           cos(2 * pi * waves_along * j / global[ALONG] + 0.7);
}

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

/* By all threads: inner cells while the messages are on their way, then those at the edges, by rows, too. */
static void step(MPI_Request requests[8], double *from, double *to)
{
    int rows = local[ACROSS], columns = local[ALONG];
#pragma omp master
    MPI_Startall(8, requests);
#pragma omp for schedule(static) nowait
    for (int i = 2; i < rows; i++)
        update(from, to, i, 2, columns);
#pragma omp master
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
#pragma omp barrier
#pragma omp for schedule(static)
    for (int i = 1; i <= rows; i++) {
        if (i == 1 || i == rows) {
            update(from, to, i, 1, columns + 1);
        } else {
            update(from, to, i, 1, 2);
            if (columns > 1)
                update(from, to, i, columns, columns + 1);
        }
    }
}

static void run(double *u[2])
{
    MPI_Request requests[2][8];
    for (int k = 0; k < 2; k++)
        create_exchange(u[k], requests[k]);
#pragma omp parallel
    for (int s = 0; s < steps; s++)
        step(requests[s % 2], u[s % 2], u[(s + 1) % 2]);
    for (int k = 0; k < 16; k++)
        MPI_Request_free(&requests[k / 8][k % 8]);
}

static double *create_field(void)
{
    size_t cells = (size_t)(local[ACROSS] + 2) * (size_t)(local[ALONG] + 2);
    double *u = malloc(cells * sizeof *u);
    if (!u)
        MPI_Abort(grid, 2);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < cells; i++)
        u[i] = 0;
    return u;
}

static void fill(double *u)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < local[ACROSS]; i++)
        for (int j = 0; j < local[ALONG]; j++)
            *cell(u, i + 1, j + 1) = mode(first[ACROSS] + i, first[ALONG] + j);
}

/* Largest deviation from the known result; a sum that cells in the wrong place would change. */
static double compare(double *u, int64_t *checksum)
{
    double grown = pow(factor(), steps), worst = 0, error;
    int64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(max : worst) reduction(+ : sum)
    for (int i = 0; i < local[ACROSS]; i++)
        for (int j = 0; j < local[ALONG]; j++) {
            int gi = first[ACROSS] + i, gj = first[ALONG] + j;
            double value = *cell(u, i + 1, j + 1);
            worst = fmax(worst, fabs(value - grown * mode(gi, gj)));
            sum += llround(value * 1e9) * (gi * 31 + gj * 17 + 1);
        }
    MPI_Allreduce(&worst, &error, 1, MPI_DOUBLE, MPI_MAX, grid);
    MPI_Allreduce(&sum, checksum, 1, MPI_INT64_T, MPI_SUM, grid);
    return error;
}

static int report(double *u, double took)
{
    int rank;
    int64_t checksum;
    int good = compare(u, &checksum) < 1e-11;
    MPI_Comm_rank(grid, &rank);
    if (rank == 0) {
        printf("RESULT halo %dx%d steps %d checksum %lld %s\n", global[ACROSS], global[ALONG], steps,
               (long long)checksum, good ? "PASSED" : "FAILED");
        printf("TIME halo %.4f\n", took);
    }
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    parse(argc, argv);
    create_grid();
    double *u[2] = {create_field(), create_field()};
    fill(u[0]);
    MPI_Barrier(grid);
    double start = MPI_Wtime();
    run(u);
    MPI_Barrier(grid);
    int status = report(u[steps % 2], MPI_Wtime() - start);
    free(u[0]);
    free(u[1]);
    MPI_Type_free(&row);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return status;
}
