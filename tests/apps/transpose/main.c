/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transpose: a 2-D Fourier transform, rows spread over processes. Forth, blocks are packed for MPI_Alltoallv;
 * back, MPI_Alltoallw takes them out of the matrix and transposes them by derived types alone.
 * The input is a sum of waves: its spectrum is known, and the inverse gives the input back.
 *     transpose [-q] [-n side, a power of two] [-r rounds]
 */
#include <complex.h>
#include <getopt.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef double complex number;

static MPI_Comm comm = MPI_COMM_WORLD;
static MPI_Datatype number_type = MPI_C_DOUBLE_COMPLEX;
static int rank, size, n = 512, rounds = 5;
static int rows, first_row;            /* of this process */
static int *counts, *displs;           /* of blocks, for MPI_Alltoallv: the same in both directions */
static number *matrix, *turned, *pack; /* rows x n */
static number *roots;

/* Each goes u times across and v times along the matrix. */
static const struct {
    int u, v;
    double height;
} waves[] = {{1, 0, 2.0}, {3, 7, 1.0}, {0, 2, -0.5}, {-5, 4, 0.25}};
enum { WAVES = sizeof waves / sizeof waves[0] };

static void parse(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qn:r:")) != -1)
        switch (c) {
        case 'q':
            n = 64;
            rounds = 3;
            break;
        case 'n':
            n = atoi(optarg);
            break;
        case 'r':
            rounds = atoi(optarg);
            break;
        default:
            n = 0;
        }
    if (n < 16 || (n & (n - 1)) != 0) {
        fprintf(stderr, "usage: transpose [-q] [-n side, a power of two from 16] [-r rounds]\n");
        MPI_Abort(comm, 2);
    }
}

static int start_of(int r)
{
    return n * r / size;
}

static int rows_of(int r)
{
    return start_of(r + 1) - start_of(r);
}

static void *room(size_t bytes)
{
    void *p = malloc(bytes + 1);
    if (p == NULL) {
        fprintf(stderr, "transpose: no memory for %zu bytes\n", bytes);
        MPI_Abort(comm, 2);
    }
    return p;
}

static void prepare(void)
{
    size_t bytes;
    rows = rows_of(rank);
    first_row = start_of(rank);
    bytes = (size_t)rows * (size_t)n * sizeof(number);
    matrix = room(bytes);
    turned = room(bytes);
    pack = room(bytes);
    roots = room((size_t)n * sizeof *roots);
    for (int i = 0; i < n; i++)
        roots[i] = cexp(-2 * M_PI * I * i / n);
    counts = room((size_t)size * sizeof *counts);
    displs = room((size_t)size * sizeof *displs);
    for (int r = 0, at = 0; r < size; at += counts[r++]) {
        counts[r] = rows * rows_of(r);
        displs[r] = at;
    }
}

static void release(void)
{
    free(matrix);
    free(turned);
    free(pack);
    free(roots);
    free(counts);
    free(displs);
}

/* One row in place, radix 2; sign: +1 forth, -1 back. */
static void transform_row(number *a, int sign)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            number t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    for (int half = 1; half < n; half *= 2)
        for (int i = 0; i < n; i += 2 * half)
            for (int k = 0; k < half; k++) {
                number w = roots[n / 2 / half * k], t = a[i + k + half] * (sign > 0 ? w : conj(w));
                a[i + k + half] = a[i + k] - t;
                a[i + k] += t;
            }
}

static void transform(number *a, int sign)
{
    for (int i = 0; i < rows; i++)
        transform_row(a + i * n, sign);
}

static void transpose_packed(const number *from, number *to)
{
    number *next = pack, *block = turned;
    for (int r = 0; r < size; r++)
        for (int j = start_of(r); j < start_of(r + 1); j++)
            for (int i = 0; i < rows; i++)
                *next++ = from[i * n + j];
    MPI_Alltoallv(pack, counts, displs, number_type, turned, counts, displs, number_type, comm);
    for (int r = 0; r < size; block += counts[r++])
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows_of(r); j++)
                to[i * n + start_of(r) + j] = block[i * rows_of(r) + j];
}

/* The columns for r in all my rows; and where such a block from r belongs, read row by row. */
static void block_types(int r, MPI_Datatype *out, MPI_Datatype *in)
{
    int whole[2] = {rows, n}, part[2] = {rows, rows_of(r)}, at[2] = {0, start_of(r)};
    MPI_Datatype column, narrow;
    MPI_Type_create_subarray(2, whole, part, at, MPI_ORDER_C, number_type, out);
    MPI_Type_vector(rows, 1, n, number_type, &column);
    MPI_Type_create_resized(column, 0, sizeof(number), &narrow);
    MPI_Type_contiguous(rows_of(r), narrow, in);
    MPI_Type_commit(out);
    MPI_Type_commit(in);
    MPI_Type_free(&column);
    MPI_Type_free(&narrow);
}

static void transpose_typed(const number *from, number *to)
{
    int *have = room((size_t)size * sizeof *have), *none = calloc((size_t)size, sizeof *none),
        *at = room((size_t)size * sizeof *at);
    MPI_Datatype *out = room((size_t)size * sizeof *out), *in = room((size_t)size * sizeof *in);
    for (int r = 0; r < size; r++) {
        have[r] = counts[r] > 0;
        at[r] = start_of(r) * (int)sizeof(number);
        out[r] = in[r] = number_type;
        if (have[r])
            block_types(r, &out[r], &in[r]);
    }
    MPI_Alltoallw(from, have, none, out, to, have, at, in, comm);
    for (int r = 0; r < size; r++)
        if (have[r]) {
            MPI_Type_free(&out[r]);
            MPI_Type_free(&in[r]);
        }
    free(have);
    free(none);
    free(at);
    free(out);
    free(in);
}

static number input(int i, int j)
{
    number sum = 0;
    for (int w = 0; w < WAVES; w++)
        sum += waves[w].height * cexp(2 * M_PI * I * ((double)waves[w].u * i + (double)waves[w].v * j) / n);
    return sum;
}

/* Of the spectrum, transposed: rows are waves along. */
static number spectrum(int v, int u)
{
    for (int w = 0; w < WAVES; w++)
        if ((waves[w].u + n) % n == u && (waves[w].v + n) % n == v)
            return waves[w].height * n * n;
    return 0;
}

static double compare(number wanted(int, int))
{
    double mine = 0, worst;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            mine = fmax(mine, cabs(matrix[i * n + j] - wanted(first_row + i, j)));
    MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
    return worst;
}

static int64_t checksum(void)
{
    int64_t mine = 0, all;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            mine += llround(cabs(matrix[i * n + j])) * ((first_row + i) * 131 + j * 7 + 1);
    MPI_Reduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, 0, comm);
    return rank == 0 ? all : 0;
}

/* There and back; errors are the largest of all rounds. */
static int64_t run_round(double *there, double *back)
{
    int64_t sum;
    transform(matrix, 1);
    transpose_packed(matrix, matrix);
    transform(matrix, 1);
    *there = fmax(*there, compare(spectrum));
    sum = checksum();
    transform(matrix, -1);
    transpose_typed(matrix, turned);
    transform(turned, -1);
    for (int i = 0; i < rows * n; i++)
        matrix[i] = turned[i] / n / n;
    *back = fmax(*back, compare(input));
    return sum;
}

int main(int argc, char **argv)
{
    double time, there = 0, back = 0;
    int64_t sum = 0;
    int good;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    parse(argc, argv);
    prepare();
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = input(first_row + i, j);
    time = MPI_Wtime();
    for (int k = 0; k < rounds; k++)
        sum = run_round(&there, &back);
    time = MPI_Wtime() - time;
    good = there < 1e-7 && back < 1e-10;
    if (rank == 0) {
        printf("RESULT transpose %dx%d rounds %d checksum %lld %s\n", n, n, rounds, (long long)sum,
               good ? "PASSED" : "FAILED");
        printf("TIME transpose %.4f\n", time);
        if (!good)
            fprintf(stderr, "transpose: largest errors %g there, %g back\n", there, back);
    }
    release();
    MPI_Finalize();
    return good ? 0 : 1;
}
