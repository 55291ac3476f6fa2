/* SPDX-License-Identifier: BSD-3-Clause */
#include "element.h"

#include <stdint.h>
#include <string.h>

#include "unit.h"

#if defined __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

bool element_lacks(const struct sample *t)
{
    int size = 0;
    if (t->mpi != MPI_DATATYPE_NULL)
        MPI_Type_size(t->mpi, &size);
    return size == 0;
}

/* ---- making ---- */

void element_random_bytes(char *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = (char)below(256);
}

static void put_integer(char *to, int width, int64_t v)
{
    const int8_t v1 = (int8_t)v;
    const int16_t v2 = (int16_t)v;
    const int32_t v4 = (int32_t)v;
    memcpy(to,
           width == 1   ? (const void *)&v1
           : width == 2 ? (const void *)&v2
           : width == 4 ? (const void *)&v4
                        : &v,
           (size_t)width);
}

static void put_real_bytes(char *to, enum sort sort, long double v)
{
    const float f = (float)v;
    const double d = (double)v;
    const quad q = (quad)v;
    memcpy(to,
           sort == FLOAT    ? (const void *)&f
           : sort == DOUBLE ? (const void *)&d
           : sort == QUAD   ? (const void *)&q
                            : &v,
           sort == FLOAT    ? sizeof f
           : sort == DOUBLE ? sizeof d
           : sort == QUAD   ? sizeof q
                            : 10);
}

/* small: products of complex numbers are exact then, and values of pairs are often equal. */
static void random_number(char *to, enum sort sort, int width, bool small)
{
    int64_t v = below(5) - 2;
    if (sort == BOOLEAN)
        put_integer(to, width, v > 0);
    else if (sort == BYTES || ((sort == INT || sort == UINT) && !small && below(4)))
        element_random_bytes(to, width);
    else if (sort == INT || sort == UINT)
        put_integer(to, width, v);
    else
        put_real_bytes(to, sort, small ? v : (below(1 << 20) - (1 << 19)) / (below(1 << 12) + 1.0L));
}

static int width_of(const struct sample *t, int *offset)
{
    int size;
    MPI_Type_size(t->mpi, &size);
    if (strcmp(t->group, "(complex)") == 0 || t->mpi == MPI_2INTEGER || t->mpi == MPI_2REAL ||
        t->mpi == MPI_2DOUBLE_PRECISION)
        size /= 2;
    else if (strcmp(t->group, "(pair)") == 0)
        size -= (int)sizeof(int);
    *offset = size < 4 ? 4 : size;
    return size;
}

void element_make(char *to, const struct sample *t)
{
    int offset, width = width_of(t, &offset);
    bool pair = strcmp(t->group, "(pair)") == 0, complex = strcmp(t->group, "(complex)") == 0;
    random_number(to, t->sort, width, pair || complex);
    if (complex)
        random_number(to + offset, t->sort, width, true);
    if (pair)
        random_number(to + offset, t->index_sort, t->index_sort == INT ? 4 : width, true);
}

/* ---- combining: bit by bit or in the widest type, one number after the other ---- */

/* Little endian. */
static int64_t get_integer(const char *from, int width, bool sign)
{
    uint64_t v = 0;
    memcpy(&v, from, (size_t)width);
    return sign ? (int64_t)(v << (64 - 8 * width)) >> (64 - 8 * width) : (int64_t)v;
}

static bool is_set(const char *from, int width)
{
    for (int i = 0; i < width; i++)
        if (from[i])
            return true;
    return false;
}

static void combine_bits(MPI_Op op, int width, const char *left, char *right)
{
    for (int i = 0; i < width; i++)
        right[i] = (char)(op == MPI_BAND  ? left[i] & right[i]
                          : op == MPI_BOR ? left[i] | right[i]
                                          : left[i] ^ right[i]);
}

static void combine_truth(MPI_Op op, int width, const char *left, char *right)
{
    bool a = is_set(left, width), b = is_set(right, width);
    memset(right, 0, (size_t)width);
    right[0] = (char)(op == MPI_LAND ? a && b : op == MPI_LOR ? a || b : a != b);
}

/* Of any width: long addition and multiplication, byte by byte. */
static void combine_sum(int width, const char *left, char *right)
{
    unsigned carry = 0;
    for (int i = 0; i < width; i++) {
        carry += (unsigned)(unsigned char)left[i] + (unsigned char)right[i];
        right[i] = (char)carry;
        carry >>= 8;
    }
}

static void combine_product(int width, const char *left, char *right)
{
    char product[16] = {0};
    for (int i = 0; i < width; i++) {
        unsigned carry = 0;
        for (int k = 0; i + k < width; k++) {
            carry +=
                (unsigned)(unsigned char)left[i] * (unsigned char)right[k] + (unsigned char)product[i + k];
            product[i + k] = (char)carry;
            carry >>= 8;
        }
    }
    memcpy(right, product, (size_t)width);
}

/* From the highest byte down. */
static bool integer_less(const char *a, const char *b, int width, bool sign)
{
    for (int i = width - 1; i >= 0; i--) {
        int x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (sign && i == width - 1) {
            x ^= 0x80;
            y ^= 0x80;
        }
        if (x != y)
            return x < y;
    }
    return false;
}

static void combine_integer(MPI_Op op, bool sign, int width, const char *left, char *right)
{
    if (op == MPI_SUM) {
        combine_sum(width, left, right);
    } else if (op == MPI_PROD) {
        combine_product(width, left, right);
    } else if (op == MPI_MIN || op == MPI_MAX) {
        bool less = integer_less(left, right, width, sign), more = integer_less(right, left, width, sign);
        if (op == MPI_MIN ? less : more)
            memcpy(right, left, (size_t)width);
    } else if (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR) {
        combine_truth(op, width, left, right);
    } else {
        combine_bits(op, width, left, right);
    }
}

static quad get_real(const char *from, enum sort sort)
{
    float f;
    double d;
    long double l;
    quad q;
    if (sort == FLOAT)
        return memcpy(&f, from, sizeof f), (quad)f;
    if (sort == DOUBLE)
        return memcpy(&d, from, sizeof d), (quad)d;
    if (sort == LONG_DOUBLE)
        return memcpy(&l, from, sizeof l), (quad)l;
    return memcpy(&q, from, sizeof q), q;
}

static void set_real(char *to, enum sort sort, quad v)
{
    const float f = (float)v;
    const double d = (double)v;
    if (sort == FLOAT)
        memcpy(to, &f, sizeof f);
    else if (sort == DOUBLE)
        memcpy(to, &d, sizeof d);
    else if (sort == QUAD)
        memcpy(to, &v, sizeof v);
    else
        put_real_bytes(to, sort, (long double)v);
}

/* A quad holds products of doubles exactly, so they are rounded once; those of long doubles it does not. */
static void combine_real(MPI_Op op, enum sort sort, const char *left, char *right)
{
    quad a = get_real(left, sort), b = get_real(right, sort);
    if (sort == LONG_DOUBLE && op == MPI_PROD)
        a = (long double)a * (long double)b;
    else if (sort == LONG_DOUBLE && op == MPI_SUM)
        a = (long double)a + (long double)b;
    else if (op == MPI_SUM || op == MPI_PROD)
        a = op == MPI_SUM ? a + b : a * b;
    else
        a = (op == MPI_MIN ? a < b : a > b) ? a : b;
    set_real(right, sort, a);
}

static void combine_complex(MPI_Op op, enum sort sort, int width, const char *left, char *right)
{
    quad a = get_real(left, sort), b = get_real(left + width, sort);
    quad c = get_real(right, sort), d = get_real(right + width, sort);
    set_real(right, sort, op == MPI_SUM ? a + c : a * c - b * d);
    set_real(right + width, sort, op == MPI_SUM ? b + d : a * d + b * c);
}

static bool number_less(enum sort sort, int width, const char *a, const char *b)
{
    return sort == INT ? get_integer(a, width, true) < get_integer(b, width, true)
                       : get_real(a, sort) < get_real(b, sort);
}

static void combine_pair(const struct sample *t, MPI_Op op, int width, int offset, const char *left,
                         char *right)
{
    int index = t->index_sort == INT ? t->mpi == MPI_2INTEGER ? width : (int)sizeof(int) : width;
    bool less = number_less(t->sort, width, left, right), more = number_less(t->sort, width, right, left);
    bool lower = number_less(t->index_sort, index, left + offset, right + offset);
    if (!(less || more ? (op == MPI_MINLOC) == less : lower))
        return;
    memcpy(right, left, (size_t)(t->sort == LONG_DOUBLE ? 10 : width));
    memcpy(right + offset, left + offset, (size_t)index);
}

void element_combine(const struct sample *t, MPI_Op op, const char *left, char *right)
{
    int offset, width = width_of(t, &offset);
    if (strcmp(t->group, "(pair)") == 0)
        combine_pair(t, op, width, offset, left, right);
    else if (strcmp(t->group, "(complex)") == 0)
        combine_complex(op, t->sort, width, left, right);
    else if (t->sort == INT || t->sort == UINT || t->sort == BOOLEAN || t->sort == BYTES)
        combine_integer(op, t->sort == INT, width, left, right);
    else
        combine_real(op, t->sort, left, right);
}
