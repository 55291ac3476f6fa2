/* SPDX-License-Identifier: BSD-3-Clause */
/* operand.c: making and combining elements; see operand.h. */
#include "area.h"
#include "operand_kinds.h"
#include <string.h>

enum { PRIME = 10007 };

/* ---- Predefined types: numbers are loaded into one wide type, and stored from it ---- */

static int64_t load_integer(const operand *o, const char *from)
{
    int64_t x = 0;
    memcpy(&x, from, (size_t)o->size);
    if (o->kind == INTEGER && o->size < 8)
        x = (int64_t)((uint64_t)x << (64 - 8 * o->size)) >> (64 - 8 * o->size);
    return x;
}

static long double load_real(int size, const char *from)
{
    float f;
    double d;
    long double l;
    if (size == sizeof f)
        return memcpy(&f, from, sizeof f), f;
    if (size == sizeof d)
        return memcpy(&d, from, sizeof d), d;
    return memcpy(&l, from, sizeof l), l;
}

static void store_real(int size, char *to, long double x)
{
    float f = (float)x;
    double d = (double)x;
    if (size == sizeof f)
        memcpy(to, &f, sizeof f);
    else if (size == sizeof d)
        memcpy(to, &d, sizeof d);
    else
        memcpy(to, &x, 10); /* the rest is padding */
}

static uint64_t combine_words(int verb, int64_t a, int64_t b, int natural)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    int less = natural ? x < y : a < b;
    switch (verb) {
    case SUM:
        return x + y;
    case PROD:
        return x * y;
    case MAX:
        return less ? y : x;
    case MIN:
        return less ? x : y;
    case LAND:
        return x && y;
    case LOR:
        return x || y;
    case LXOR:
        return !x != !y;
    case BAND:
        return x & y;
    case BOR:
        return x | y;
    default:
        return x ^ y;
    }
}

static long double combine_reals(int verb, long double a, long double b)
{
    switch (verb) {
    case SUM:
        return a + b;
    case PROD:
        return a * b;
    case MAX:
        return a < b ? b : a;
    default:
        return a < b ? a : b;
    }
}

static void combine_complex(const operand *o, const char *in, char *inout)
{
    int half = o->size / 2;
    long double a = load_real(half, in), b = load_real(half, in + half);
    long double c = load_real(half, inout), d = load_real(half, inout + half);
    store_real(half, inout, o->verb == SUM ? a + c : a * c - b * d);
    store_real(half, inout + half, o->verb == SUM ? b + d : a * d + b * c);
}

/* A pair is a number and an int behind it: its place. */
static long double pair_number(const operand *o, const char *from)
{
    operand integer = {.kind = INTEGER, .size = o->size};
    return o->kind == REAL_PAIR ? load_real(o->size, from) : (long double)load_integer(&integer, from);
}

static void combine_pair(const operand *o, const char *in, char *inout)
{
    long double a = pair_number(o, in), b = pair_number(o, inout);
    int i, j;
    memcpy(&i, in + o->at[1], sizeof i);
    memcpy(&j, inout + o->at[1], sizeof j);
    if (a == b ? i < j : (o->verb == MAXLOC ? a > b : a < b))
        operand_copy(o, in, inout);
}

/* ---- Users' types ---- */

static void multiply(const int a[4], int b[4])
{
    int c[4];
    for (int i = 0; i < 4; i++)
        c[i] = (a[i / 2 * 2] * b[i % 2] + a[i / 2 * 2 + 1] * b[2 + i % 2]) % PRIME;
    memcpy(b, c, sizeof c);
}

static void load_ints(const operand *o, const char *from, int x[4])
{
    for (int i = 0; i < o->parts; i++)
        memcpy(&x[i], from + o->at[i], sizeof(int));
}

static void store_ints(const operand *o, char *to, const int x[4])
{
    for (int i = 0; i < o->parts; i++)
        memcpy(to + o->at[i], &x[i], sizeof(int));
}

static void combine_ints(const operand *o, const char *in, char *inout)
{
    int a[4], b[4];
    load_ints(o, in, a);
    load_ints(o, inout, b);
    if (o->kind == MATRIX)
        multiply(a, b);
    for (int i = 0; i < 4 && o->kind == SUMS; i++)
        b[i] = (a[i] + b[i]) % PRIME;
    store_ints(o, inout, b);
}

/* What users give to MPI: the same on an array. */
static void on_array(const operand *o, const char *in, char *inout, int len)
{
    for (int i = 0; i < len; i++)
        combine_ints(o, in + i * o->extent, inout + i * o->extent);
}

const operand as_matrix = {.kind = MATRIX, .extent = 16, .parts = 4, .at = {0, 4, 8, 12}};
const operand as_gapped = {.kind = MATRIX, .extent = 32, .parts = 4, .at = {8, 12, 20, 28}};
const operand as_sums = {.kind = SUMS, .extent = 32, .parts = 4, .at = {8, 12, 20, 28}};

void matrix_product(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    on_array(&as_matrix, in, inout, *len);
}

void gapped_product(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    on_array(&as_gapped, in, inout, *len);
}

void gapped_add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    on_array(&as_sums, in, inout, *len);
}

/* inout stays what it is. */
void right(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)len;
    (void)type;
}

MPI_Datatype matrix_type(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

/* ---- For all ---- */

void operand_copy(const operand *o, const char *from, char *to)
{
    for (int i = 0; i < o->parts; i++)
        memcpy(to + o->at[i], from + o->at[i], (size_t)o->bytes[i]);
}

int operand_zeros(const operand *o, const char *a, const char *b)
{
    int half = o->size / 2;
    if (o->kind != COMPLEX)
        return 0;
    return load_real(half, a) == load_real(half, b) && load_real(half, a + half) == load_real(half, b + half);
}

void operand_combine(const operand *o, const char *in, char *inout)
{
    uint64_t x;
    switch (o->kind) {
    case REAL:
        store_real(o->size, inout, combine_reals(o->verb, load_real(o->size, in), load_real(o->size, inout)));
        return;
    case COMPLEX:
        combine_complex(o, in, inout);
        return;
    case PAIR:
    case REAL_PAIR:
        combine_pair(o, in, inout);
        return;
    case MATRIX:
    case SUMS:
    case RIGHT:
        combine_ints(o, in, inout);
        return;
    default:
        x = combine_words(o->verb, load_integer(o, in), load_integer(o, inout), o->kind != INTEGER);
        memcpy(inout, &x, (size_t)o->size);
    }
}

/* Small where rounding would matter. Whole numbers may be any: they are added and multiplied modulo a power of two (MPI
 * libraries disagree: Open MPI adds short types with saturation), and unsigned ones use all their bits (Open MPI compares
 * MPI_UNSIGNED_LONG as signed, MPICH MPI_UNSIGNED_CHAR). */
static int64_t small_value(const operand *o, uint64_t x)
{
    int whole = o->kind == INTEGER || o->kind == NATURAL;
    switch (o->verb) {
    case SUM:
        return whole ? (int64_t)x : (int64_t)(x % 2001) - 1000;
    case PROD:
        return whole ? (int64_t)(x | 1) : x % 16 == 0 ? 2 : x % 2 ? 1 : -1;
    case LAND:
        return x % 16 != 0;
    case LOR:
    case LXOR:
        return x % 16 == 0;
    case MAX:
    case MIN:
        return (int64_t)x;
    default:
        return (int64_t)(x % 7) - 3;
    }
}

static void make_reals(const operand *o, char *element, uint64_t x)
{
    if (o->kind == REAL) {
        store_real(o->size, element, (long double)(small_value(o, x) % 1000));
        return;
    }
    /* PROD: one of 1, -1, i, -i, 1+i, ... of which powers are exact */
    int r = o->verb == SUM ? (int)(x % 100) : (int)(x % 3) - 1, i = (int)(x / 128 % 3) - 1;
    store_real(o->size / 2, element, r || i ? r : 1);
    store_real(o->size / 2, element + o->size / 2, i);
}

static void make_pair(const operand *o, char *element, uint64_t x)
{
    int place = (int)(x / 64 % 50);
    int64_t number = small_value(o, x);
    if (o->kind == REAL_PAIR)
        store_real(o->size, element, (long double)number);
    else
        memcpy(element, &number, (size_t)o->size);
    memcpy(element + o->at[1], &place, sizeof place);
}

void operand_make(const operand *o, char *element, uint64_t key)
{
    uint64_t x = mix(key, 77);
    int64_t small = small_value(o, x);
    int ints[4];
    switch (o->kind) {
    case REAL:
    case COMPLEX:
        make_reals(o, element, x);
        return;
    case PAIR:
    case REAL_PAIR:
        make_pair(o, element, x);
        return;
    case MATRIX:
    case SUMS:
    case RIGHT:
        for (int i = 0; i < 4; i++)
            ints[i] = (int)(mix(x, (uint64_t)i) % PRIME);
        store_ints(o, element, ints);
        return;
    default:
        if (o->verb >= BAND)
            small = (int64_t)x;
        memcpy(element, &small, (size_t)o->size);
    }
}
