/* SPDX-License-Identifier: BSD-3-Clause */
/* matrix.c: 26 on the diagonal, -1 for each of the 26 points around that are inside the domain. */
#include "cg.h"
#include <stdlib.h>

static void fill_row(matrix *a, const int *column_of, int row, int *entries)
{
    const geometry *g = a->geo;
    int x = row % g->n[0], y = row / g->n[0] % g->n[1], z = row / g->n[0] / g->n[1];
    for (int d = 0; d < 27; d++) {
        int offset[3];
        long at[3];
        direction_offsets(d, offset);
        if (!geometry_move(g, row, offset, at))
            continue;
        a->column[*entries] = column_of[halo_index(g, x + offset[0], y + offset[1], z + offset[2])];
        a->value[(*entries)++] = d == 13 ? 26.0 : -1.0;
    }
}

void matrix_create(matrix *a, const geometry *g)
{
    int entries = 0, *column_of, nx = g->n[0], ny = g->n[1], nz = g->n[2];
    *a = (matrix){.geo = g, .rows = nx * ny * nz};
    column_of = cg_alloc((size_t)(nx + 2) * (size_t)(ny + 2) * (size_t)(nz + 2), sizeof *column_of);
    for (int p = 0; p < a->rows; p++)
        column_of[halo_index(g, p % nx, p / nx % ny, p / nx / ny)] = p;
    exchange_create(a, column_of);
    a->start = cg_alloc((size_t)a->rows + 1, sizeof *a->start);
    a->column = cg_alloc((size_t)a->rows * 27, sizeof *a->column);
    a->value = cg_alloc((size_t)a->rows * 27, sizeof *a->value);
    for (int row = 0; row < a->rows; row++) {
        fill_row(a, column_of, row, &entries);
        a->start[row + 1] = entries;
    }
    free(column_of);
}

void matrix_destroy(matrix *a)
{
    exchange_destroy(a);
    free(a->start);
    free(a->column);
    free(a->value);
}

void matrix_multiply(const matrix *a, double *x, double *y)
{
    exchange_run(a, x);
    for (int row = 0; row < a->rows; row++) {
        double sum = 0;
        for (int k = a->start[row]; k < a->start[row + 1]; k++)
            sum += a->value[k] * x[a->column[k]];
        y[row] = sum;
    }
}
