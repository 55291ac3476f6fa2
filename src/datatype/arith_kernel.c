/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels: one loop for each operator and number, which compilers turn into vector code. KERNEL is the loop; the
 * lists below it say for which numbers it is made.
 *
 * Elements are reached through types that may alias any other and need not be aligned. Loops may be called with left == right,
 * so none says restrict; compilers look whether the two overlap. Where ARITH_CLONES is set (src/meson.build) each is made
 * twice, and the loader takes the one with longer vectors if the processor has them. Neither contracts a product and
 * a sum into one instruction, so their bits are the same.
 */
#include "datatype/arith.h"

#include <float.h>
#include <stddef.h>

#ifdef ARITH_CLONES
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

#define LOOSE __attribute__((may_alias, aligned(1)))

typedef int8_t LOOSE s1;
typedef int16_t LOOSE s2;
typedef int32_t LOOSE s4;
typedef int64_t LOOSE s8;
typedef uint8_t LOOSE u1;
typedef uint16_t LOOSE u2;
typedef uint32_t LOOSE u4;
typedef uint64_t LOOSE u8;
typedef float LOOSE f;
typedef double LOOSE d;
typedef long double LOOSE l; /* x86: 10 bytes are stored, the others stay */

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 LOOSE s16;
__extension__ typedef unsigned __int128 LOOSE u16;
#else /* then no Fortran has such integers either */
typedef int64_t LOOSE s16;
typedef uint64_t LOOSE u16;
#endif
#if defined __SIZEOF_FLOAT128__ && LDBL_MANT_DIG != 113
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif
typedef quad LOOSE q;

/* ---- numbers ---- */

/* clang-format off */
#define KERNEL(op, number, expression)                                                                       \
    CLONES static void op##_##number(const char *left, char *right, size_t n)                                \
    {                                                                                                        \
        const number *x = (const number *)(const void *)left;                                                \
        number *y = (number *)(void *)right;                                                                 \
        for (size_t i = 0; i < n; i++) {                                                                     \
            const number a = x[i], b = y[i];                                                                 \
            y[i] = (number)(expression);                                                                     \
        }                                                                                                    \
    }

/* Unsigned arithmetic is right for signed numbers, too, and overflows quietly; 1u keeps that of short ones unsigned. */
#define WHOLE(number)                                                                                        \
    KERNEL(sum, number, 1u * a + b)                                                                          \
    KERNEL(prod, number, 1u * a * b)                                                                         \
    KERNEL(land, number, a && b)                                                                             \
    KERNEL(lor, number, a || b)                                                                              \
    KERNEL(lxor, number, !a != !b)                                                                           \
    KERNEL(band, number, a & b)                                                                              \
    KERNEL(bor, number, a | b)                                                                               \
    KERNEL(bxor, number, a ^ b)
#define ORDERED(number)                                                                                      \
    KERNEL(min, number, a < b ? a : b)                                                                       \
    KERNEL(max, number, a > b ? a : b)
#define REAL(number)                                                                                         \
    KERNEL(sum, number, a + b)                                                                               \
    KERNEL(prod, number, a * b)

/* Two numbers each. */
#define COMPLEX(number)                                                                                      \
    static void complex_sum_##number(const char *left, char *right, size_t n)                                \
    {                                                                                                        \
        sum_##number(left, right, 2 * n);                                                                    \
    }                                                                                                        \
    static void complex_prod_##number(const char *left, char *right, size_t n)                               \
    {                                                                                                        \
        const number *x = (const number *)(const void *)left;                                                \
        number *y = (number *)(void *)right;                                                                 \
        for (size_t i = 0; i < 2 * n; i += 2) {                                                              \
            const number a = x[i], b = x[i + 1], c = y[i], e = y[i + 1];                                     \
            y[i] = a * c - b * e;                                                                            \
            y[i + 1] = a * e + b * c;                                                                        \
        }                                                                                                    \
    }

WHOLE(u1) WHOLE(u2) WHOLE(u4) WHOLE(u8) WHOLE(u16)
ORDERED(u1) ORDERED(u2) ORDERED(u4) ORDERED(u8) ORDERED(u16)
ORDERED(s1) ORDERED(s2) ORDERED(s4) ORDERED(s8) ORDERED(s16)
REAL(f) REAL(d) REAL(l) REAL(q)
ORDERED(f) ORDERED(d) ORDERED(l) ORDERED(q)
COMPLEX(f) COMPLEX(d) COMPLEX(l) COMPLEX(q)

#define OF_WHOLE(number, ordered)                                                                            \
    {                                                                                                        \
        [ARITH_SUM] = sum_##number, [ARITH_PROD] = prod_##number, [ARITH_MIN] = min_##ordered,               \
        [ARITH_MAX] = max_##ordered, [ARITH_LAND] = land_##number, [ARITH_LOR] = lor_##number,               \
        [ARITH_LXOR] = lxor_##number, [ARITH_BAND] = band_##number, [ARITH_BOR] = bor_##number,              \
        [ARITH_BXOR] = bxor_##number                                                                         \
    }
#define OF_REAL(number)                                                                                      \
    {                                                                                                        \
        [ARITH_SUM] = sum_##number, [ARITH_PROD] = prod_##number, [ARITH_MIN] = min_##number,                \
        [ARITH_MAX] = max_##number                                                                           \
    }
#define OF_COMPLEX(number) {[ARITH_SUM] = complex_sum_##number, [ARITH_PROD] = complex_prod_##number}

typedef arith_kernel *const row[ARITH_OPS];

/* By the logarithm of the width. */
static row signed_rows[] = {OF_WHOLE(u1, s1), OF_WHOLE(u2, s2), OF_WHOLE(u4, s4), OF_WHOLE(u8, s8),
                            OF_WHOLE(u16, s16)};
static row unsigned_rows[] = {OF_WHOLE(u1, u1), OF_WHOLE(u2, u2), OF_WHOLE(u4, u4), OF_WHOLE(u8, u8),
                              OF_WHOLE(u16, u16)};
/* By number, from ARITH_FLOAT on. */
static row real_rows[] = {OF_REAL(f), OF_REAL(d), OF_REAL(l), OF_REAL(q)};
static row complex_rows[] = {OF_COMPLEX(f), OF_COMPLEX(d), OF_COMPLEX(l), OF_COMPLEX(q)};

/* ---- pairs: the smaller (larger) value with its index; the lower index if neither value is smaller ---- */

#define PICK(op, value, index, better)                                                                       \
    static void op##_##value##_##index(const char *left, char *right, size_t n)                              \
    {                                                                                                        \
        const size_t at = offsetof(struct value##_##index, i), extent = sizeof(struct value##_##index);      \
        for (; n > 0; n--, left += extent, right += extent) {                                                \
            const value a = *(const value *)(const void *)left, b = *(value *)(void *)right;                 \
            const index i = *(const index *)(const void *)(left + at);                                       \
            index *j = (index *)(void *)(right + at);                                                        \
            if ((better) || (!(a < b) && !(a > b) && i < *j)) {                                              \
                *(value *)(void *)right = a;                                                                 \
                *j = i;                                                                                      \
            }                                                                                                \
        }                                                                                                    \
    }
#define PAIR(value, index, value_type, index_type)                                                           \
    struct value##_##index {                                                                                 \
        value_type v;                                                                                        \
        index_type i;                                                                                        \
    };                                                                                                       \
    PICK(minloc, value, index, a < b)                                                                        \
    PICK(maxloc, value, index, a > b)

PAIR(s2, s4, int16_t, int32_t)
PAIR(s4, s4, int32_t, int32_t)
PAIR(s8, s4, int64_t, int32_t)
PAIR(s8, s8, int64_t, int64_t)
PAIR(f, s4, float, int32_t)
PAIR(d, s4, double, int32_t)
PAIR(l, s4, long double, int32_t)
PAIR(f, f, float, float)
PAIR(d, d, double, double)
PAIR(q, q, quad, quad)

#define OF_PAIR(value, value_number, index, index_number)                                                    \
    {                                                                                                        \
        .part = {{value_number, sizeof(value), 0},                                                           \
                 {index_number, sizeof(index), offsetof(struct value##_##index, i)}},                        \
        .size = sizeof(struct value##_##index),                                                              \
        .kernels = {[ARITH_MINLOC] = minloc_##value##_##index, [ARITH_MAXLOC] = maxloc_##value##_##index}    \
    }

static const struct {
    struct arith_part part[2];
    size_t size;
    arith_kernel *kernels[ARITH_OPS];
} pairs[] = {
    OF_PAIR(s2, ARITH_SIGNED, s4, ARITH_SIGNED),      OF_PAIR(s4, ARITH_SIGNED, s4, ARITH_SIGNED),
    OF_PAIR(s8, ARITH_SIGNED, s4, ARITH_SIGNED),      OF_PAIR(s8, ARITH_SIGNED, s8, ARITH_SIGNED),
    OF_PAIR(f, ARITH_FLOAT, s4, ARITH_SIGNED),        OF_PAIR(d, ARITH_DOUBLE, s4, ARITH_SIGNED),
    OF_PAIR(l, ARITH_LONG_DOUBLE, s4, ARITH_SIGNED),  OF_PAIR(f, ARITH_FLOAT, f, ARITH_FLOAT),
    OF_PAIR(d, ARITH_DOUBLE, d, ARITH_DOUBLE),        OF_PAIR(q, ARITH_QUAD, q, ARITH_QUAD),
};
/* clang-format on */

static bool same_part(const struct arith_part *a, const struct arith_part *b)
{
    return a->number == b->number && a->width == b->width && a->offset == b->offset;
}

static arith_kernel *const *kernels_of_pair(const struct arith_type *t)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (same_part(&pairs[i].part[0], &t->part[0]) && same_part(&pairs[i].part[1], &t->part[1]) &&
            pairs[i].size == t->size)
            return pairs[i].kernels;
    return NULL;
}

arith_kernel *const *arith_kernels_of(const struct arith_type *t)
{
    const struct arith_part *p = &t->part[0];
    if (t->group == ARITH_PAIR)
        return kernels_of_pair(t);
    if (p->number == ARITH_QUAD && p->width != sizeof(quad))
        return NULL;
    if (!arith_is_integer(p))
        return t->parts == 2 ? complex_rows[p->number - ARITH_FLOAT] : real_rows[p->number - ARITH_FLOAT];
    int log = 0;
    while (log < 4 && p->width > 1 << log)
        log++;
    if (p->width != 1 << log)
        return NULL;
    return p->number == ARITH_SIGNED ? signed_rows[log] : unsigned_rows[log];
}
