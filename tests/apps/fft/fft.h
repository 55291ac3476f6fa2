/* SPDX-License-Identifier: BSD-3-Clause */
/* fft.h: a field in three dimensions, spread over a grid of processes as pencils. */
#ifndef FFT_H
#define FFT_H
#include <complex.h>
#include <mpi.h>
#include <stddef.h>
#include <string.h>

typedef double complex number;

/* CMPLX, which not every compiler has. */
static inline number number_of(double real, double imaginary)
{
    double parts[2] = {real, imaginary};
    number v;
    memcpy(&v, parts, sizeof v);
    return v;
}

extern MPI_Comm fft_comm;
void *fft_alloc(size_t count, size_t size);

/* line.c: transforms of one line of n numbers, n a product of 2, 3 and 5 */
typedef struct {
    int n, factors, factor[32];
    number *roots; /* exp(-2 pi i k / n) */
    number *other; /* n numbers: the steps go to and fro */
} line_plan;

int line_length_is_good(int n);
void line_plan_create(line_plan *p, int n);
void line_plan_destroy(line_plan *p);
/* sign: 1 forth, -1 back; neither divides by n. */
void line_transform(const line_plan *p, number *line, int sign);

/* A part of the points of one dimension: what one of several processes has. */
typedef struct {
    int first, count;
} part;

static inline part part_of(int points, int parts, int which)
{
    int first = (int)((long)points * which / parts);
    return (part){first, (int)((long)points * (which + 1) / parts) - first};
}

/*
 * pencil.c: lines along z, then along y, then along x. Each process has whole lines of one direction at a time, and
 * changes it with the others of its row or of its column of the grid.
 *     along z   [x][y][z]   x and y spread over columns and rows
 *     along y   [x][z][y]   x and z
 *     along x   [z][y][x]   y and z
 */
typedef struct {
    int n[3];                             /* points of the whole field: x, y, z */
    MPI_Comm row, column;                 /* those who have the same x; those who have the same y or z */
    int rows, columns, my_row, my_column; /* the grid, and where I am */
    part x, y, z, y_along_x;              /* mine */
    size_t room;                          /* numbers in the largest of the three shapes */
    number *other, *packed, *received;
    int *counts; /* four lists for MPI_Alltoallv */
    line_plan plan[3];
    double moving; /* seconds in transposes */
} pencils;

void pencils_create(pencils *p, const int n[3]);
void pencils_destroy(pencils *p);
/* From a field, [x][y][z], to its spectrum, [z][y][x], and back, without dividing. There is room for p->room numbers. */
void pencils_forth(pencils *p, number *data);
void pencils_back(pencils *p, number *data);
#endif
