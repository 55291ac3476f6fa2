/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.c: Stockham's transform with mixed radices. A step takes a factor r out of the length m that is left and makes of each
 * sequence of m numbers r sequences of m/r, which lie interleaved: so there is no reversal of digits at the end.
 */
#include "fft.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int radices[] = {4, 2, 3, 5};

int line_length_is_good(int n)
{
    for (int i = 0; i < 4; i++)
        while (n > 1 && n % radices[i] == 0)
            n /= radices[i];
    return n == 1;
}

void line_plan_create(line_plan *p, int n)
{
    *p = (line_plan){.n = n};
    for (int i = 0, left = n; i < 4; i++)
        for (; left % radices[i] == 0; left /= radices[i])
            p->factor[p->factors++] = radices[i];
    p->roots = fft_alloc((size_t)n, sizeof *p->roots);
    p->other = fft_alloc((size_t)n, sizeof *p->other);
    for (int k = 0; k < n; k++)
        p->roots[k] = cexp(-2 * M_PI * I * k / n);
}

void line_plan_destroy(line_plan *p)
{
    free(p->roots);
    free(p->other);
}

/* The compiler's product asks for NaN, which costs more than the product. */
static inline number times(number a, number b)
{
    return number_of(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline number root(const line_plan *p, int k, int sign)
{
    number w = p->roots[k % p->n];
    return sign > 0 ? w : conj(w);
}

/* Of `stride` sequences of m numbers each. */
static void step(const line_plan *p, int r, int m, int stride, const number *from, number *to, int sign)
{
    int rest = m / r;
    number unit[5];
    for (int k = 0; k < r; k++)
        unit[k] = root(p, k * (p->n / r), sign);
    for (int i = 0; i < rest; i++)
        for (int k = 0; k < r; k++) {
            number turn = root(p, i * k * stride, sign);
            for (int q = 0; q < stride; q++) {
                number sum = from[q + stride * i];
                for (int j = 1; j < r; j++)
                    sum += times(from[q + stride * (i + j * rest)], unit[j * k % r]);
                to[q + stride * (r * i + k)] = times(sum, turn);
            }
        }
}

void line_transform(const line_plan *p, number *line, int sign)
{
    number *from = line, *to = p->other;
    for (int f = 0, m = p->n, stride = 1; f < p->factors; f++) {
        number *swap = from;
        step(p, p->factor[f], m, stride, from, to, sign);
        m /= p->factor[f];
        stride *= p->factor[f];
        from = to;
        to = swap;
    }
    if (from != line)
        memcpy(line, from, (size_t)p->n * sizeof *line);
}
