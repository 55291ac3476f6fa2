/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is computed. Which value a row gets does not depend on how rows are spread over ranks and blocks, so
 * all ways to compute give the same bits.
 *
 * On uneven plates there are storms: in each step one band of rows in eight, drawn anew, has to solve an
 * equation in each point, as chemistry and clouds do in climate models. On average over many steps all ranks
 * have the same work.
 */
#include "stencil.h"

#include <stdint.h>
#include <string.h>

enum { BAND = 16, ITERATIONS = 6 };

void slab_make(struct slab *s, const struct plate *of, int first)
{
    size_t bytes = (size_t)(of->rows + 2) * (size_t)of->cols * sizeof(double);
    s->of = of;
    s->first = first;
    for (int i = 0; i < 2; i++)
        s->state[i] = bench_buffer(bytes);
}

void slab_free(struct slab *s)
{
    free(s->state[0]);
    free(s->state[1]);
}

void slab_start(struct slab *s)
{
    for (int row = 0; row < s->of->rows + 2; row++) {
        double *at = slab_row(s, 0, row);
        for (int col = 0; col < s->of->cols; col++)
            at[col] = (double)((s->first + row) * 37 % 101) / 101 + (double)(col * 53 % 97) / 97;
        memcpy(slab_row(s, 1, row), at, (size_t)s->of->cols * sizeof *at);
    }
}

static void diffuse(double *restrict to, const double *up, const double *at, const double *down, int cols)
{
    for (int col = 1; col < cols - 1; col++)
        to[col] = at[col] + 0.2 * (up[col] + down[col] + at[col - 1] + at[col + 1] - 4 * at[col]);
}

/* v with v + v * v * v / 100 = the old value: Newton's method. */
static void react(double *values, int cols)
{
    for (int i = 0; i < ITERATIONS; i++)
        for (int col = 1; col < cols - 1; col++) {
            double v = values[col], cube = 0.01 * v * v * v;
            values[col] = v - 0.1 * cube / (1 + 3 * cube);
        }
}

static bool stormy(const struct slab *s, int step, int row)
{
    uint64_t x = (uint64_t)step << 32 | (uint64_t)((s->first + row - 2) / BAND);
    for (int round = 0; round < 3; round++)
        x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return s->of->uneven && (x >> 40) % 8 == 0;
}

void slab_update(const struct slab *s, int step, int from, int to)
{
    int old = step % 2, cols = s->of->cols;
    for (int row = from; row <= to; row++) {
        double *result = slab_row(s, 1 - old, row);
        diffuse(result, slab_row(s, old, row - 1), slab_row(s, old, row), slab_row(s, old, row + 1), cols);
        if (stormy(s, step, row))
            react(result, cols);
    }
}
