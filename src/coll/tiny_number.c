/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One copy for all types of 4 and 8 bytes. Integers are computed in 64 bits, cut to their size, and float
 * in double, which gives the bits of float: a sum or product of floats that is rounded twice comes out as
 * if rounded once.
 */
#include "coll/tiny_number.h"

#include <string.h>

static const struct {
    MPI_Datatype mpi;
    enum number_kind kind;
} kinds[] = {
    {MPI_DOUBLE, NUMBER_REAL},
    {MPI_INT, NUMBER_SIGNED},
    {MPI_FLOAT, NUMBER_REAL},
    {MPI_LONG, NUMBER_SIGNED},
    {MPI_LONG_LONG, NUMBER_SIGNED},
    {MPI_UNSIGNED, NUMBER_UNSIGNED},
    {MPI_UNSIGNED_LONG, NUMBER_UNSIGNED},
    {MPI_UNSIGNED_LONG_LONG, NUMBER_UNSIGNED},
    {MPI_INT32_T, NUMBER_SIGNED},
    {MPI_INT64_T, NUMBER_SIGNED},
    {MPI_UINT32_T, NUMBER_UNSIGNED},
    {MPI_UINT64_T, NUMBER_UNSIGNED},
};

static const struct {
    MPI_Op op;
    enum number_op what;
} ops[] = {
    {MPI_SUM, NUMBER_SUM},   {MPI_PROD, NUMBER_PROD}, {MPI_MIN, NUMBER_MIN},   {MPI_MAX, NUMBER_MAX},
    {MPI_LAND, NUMBER_LAND}, {MPI_LOR, NUMBER_LOR},   {MPI_BAND, NUMBER_BAND}, {MPI_BOR, NUMBER_BOR},
};

static enum number_kind kind_of(const struct type *type, MPI_Datatype mpi)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].mpi == mpi && (type->size == 4 || type->size == 8))
            return kinds[i].kind;
    return NUMBER_NONE;
}

struct number number_learn(const struct type *type, MPI_Datatype mpi, MPI_Op op)
{
    struct number x = {.mpi = mpi, .op = op, .size = type->size, .what = NUMBER_OPS};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i].op == op)
            x.what = ops[i].what;
    if (x.what != NUMBER_OPS)
        x.kind = kind_of(type, mpi);
    if (x.kind == NUMBER_REAL && x.what > NUMBER_MAX)
        x.kind = NUMBER_NONE; /* MPI knows what is wrong */
    return x;
}

static double real_op(enum number_op what, double left, double right)
{
    switch (what) {
    case NUMBER_SUM:
        return left + right;
    case NUMBER_PROD:
        return left * right;
    case NUMBER_MIN:
        return left < right ? left : right;
    default:
        return left > right ? left : right;
    }
}

static void apply_real(const struct number *x, const char *left, char *right)
{
    float f, g;
    double l, r;
    if (x->size == sizeof(double)) {
        memcpy(&l, left, sizeof l);
        memcpy(&r, right, sizeof r);
        r = real_op(x->what, l, r);
        memcpy(right, &r, sizeof r);
    } else {
        memcpy(&f, left, sizeof f);
        memcpy(&g, right, sizeof g);
        g = (float)real_op(x->what, f, g);
        memcpy(right, &g, sizeof g);
    }
}

static uint64_t load(const struct number *x, const char *from)
{
    uint64_t wide;
    int32_t narrow;
    if (x->size == sizeof wide) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from, sizeof narrow);
    return x->kind == NUMBER_SIGNED ? (uint64_t)(int64_t)narrow : (uint32_t)narrow;
}

static bool less(const struct number *x, uint64_t a, uint64_t b)
{
    return x->kind == NUMBER_SIGNED ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t whole_op(const struct number *x, uint64_t left, uint64_t right)
{
    switch (x->what) {
    case NUMBER_SUM:
        return left + right;
    case NUMBER_PROD:
        return left * right;
    case NUMBER_MIN:
        return less(x, left, right) ? left : right;
    case NUMBER_MAX:
        return less(x, right, left) ? left : right;
    case NUMBER_LAND:
        return left && right;
    case NUMBER_LOR:
        return left || right;
    case NUMBER_BAND:
        return left & right;
    default:
        return left | right;
    }
}

static void apply_whole(const struct number *x, const char *left, char *right)
{
    uint64_t r = whole_op(x, load(x, left), load(x, right));
    uint32_t narrow = (uint32_t)r;
    if (x->size == sizeof r)
        memcpy(right, &r, sizeof r);
    else
        memcpy(right, &narrow, sizeof narrow);
}

void number_apply(const struct number *x, const char *left, char *right, size_t count)
{
    for (size_t i = 0; i < count; i++, left += x->size, right += x->size)
        if (x->kind == NUMBER_REAL)
            apply_real(x, left, right);
        else
            apply_whole(x, left, right);
}
