/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/atomic_shape.h"

#include <float.h>

/* Carries every integer: sums and products are right modulo any smaller power of two. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;
#else
typedef uint64_t wide;
#endif

/* Fortran's 16 bytes. */
#if defined __SIZEOF_FLOAT128__ && LDBL_MANT_DIG != 113
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

/* ---- integers and logicals ---- */

static wide wide_load(size_t width, const char *at)
{
    uint8_t v1;
    uint16_t v2;
    uint32_t v4;
    uint64_t v8;
    wide all;
    switch (width) {
    case 1:
        memcpy(&v1, at, sizeof v1);
        return v1;
    case 2:
        memcpy(&v2, at, sizeof v2);
        return v2;
    case 4:
        memcpy(&v4, at, sizeof v4);
        return v4;
    case 8:
        memcpy(&v8, at, sizeof v8);
        return v8;
    default:
        memcpy(&all, at, sizeof all);
        return all;
    }
}

static void wide_store(size_t width, char *at, wide v)
{
    uint8_t v1 = (uint8_t)v;
    uint16_t v2 = (uint16_t)v;
    uint32_t v4 = (uint32_t)v;
    uint64_t v8 = (uint64_t)v;
    switch (width) {
    case 1:
        memcpy(at, &v1, sizeof v1);
        break;
    case 2:
        memcpy(at, &v2, sizeof v2);
        break;
    case 4:
        memcpy(at, &v4, sizeof v4);
        break;
    case 8:
        memcpy(at, &v8, sizeof v8);
        break;
    default:
        memcpy(at, &v, sizeof v);
    }
}

/* Signed integers in the order of unsigned ones: the sign bit flipped. */
static wide wide_ordered(const struct part *p, const char *at)
{
    wide v = wide_load(p->width, at);
    return p->number == NUMBER_SIGNED ? v ^ (wide)1 << (8 * p->width - 1) : v;
}

static wide wide_combine(enum operator op, wide a, wide b)
{
    switch (op) {
    case OPERATOR_SUM:
        return a + b;
    case OPERATOR_PROD:
        return a * b;
    case OPERATOR_LAND:
        return a != 0 && b != 0;
    case OPERATOR_LOR:
        return a != 0 || b != 0;
    case OPERATOR_LXOR:
        return (a != 0) != (b != 0);
    case OPERATOR_BAND:
        return a & b;
    case OPERATOR_BOR:
        return a | b;
    default: /* OPERATOR_BXOR */
        return a ^ b;
    }
}

/* ---- real numbers: a float is carried by a double, whose sums and products round to the same float ---- */

/* Not a union: gcc 12 with -O3 copies that as a long double, which loses the upper bytes of a quad. */
struct real {
    double d;
    long double l;
    quad q;
};

static struct real real_load(enum number number, const char *at)
{
    struct real r = {0, 0, 0};
    float f;
    switch (number) {
    case NUMBER_FLOAT:
        memcpy(&f, at, sizeof f);
        r.d = (double)f;
        break;
    case NUMBER_DOUBLE:
        memcpy(&r.d, at, sizeof r.d);
        break;
    case NUMBER_LONG_DOUBLE:
        memcpy(&r.l, at, sizeof r.l);
        break;
    default:
        memcpy(&r.q, at, sizeof r.q);
    }
    return r;
}

/* Those that the number has; x86's are followed by others, of any value. */
enum { LONG_DOUBLE_BYTES = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double) };

static void real_store(enum number number, char *at, struct real r)
{
    float f;
    switch (number) {
    case NUMBER_FLOAT:
        f = (float)r.d;
        memcpy(at, &f, sizeof f);
        break;
    case NUMBER_DOUBLE:
        memcpy(at, &r.d, sizeof r.d);
        break;
    case NUMBER_LONG_DOUBLE:
        memcpy(at, &r.l, LONG_DOUBLE_BYTES);
        break;
    default:
        memcpy(at, &r.q, sizeof r.q);
    }
}

static struct real real_sum(enum number number, struct real a, struct real b)
{
    if (number == NUMBER_QUAD)
        a.q += b.q;
    else if (number == NUMBER_LONG_DOUBLE)
        a.l += b.l;
    else
        a.d += b.d;
    return a;
}

static struct real real_product(enum number number, struct real a, struct real b)
{
    if (number == NUMBER_QUAD)
        a.q *= b.q;
    else if (number == NUMBER_LONG_DOUBLE)
        a.l *= b.l;
    else
        a.d *= b.d;
    return a;
}

static struct real real_negative(enum number number, struct real a)
{
    if (number == NUMBER_QUAD)
        a.q = -a.q;
    else if (number == NUMBER_LONG_DOUBLE)
        a.l = -a.l;
    else
        a.d = -a.d;
    return a;
}

static bool real_less(enum number number, struct real a, struct real b)
{
    return number == NUMBER_QUAD ? a.q < b.q : number == NUMBER_LONG_DOUBLE ? a.l < b.l : a.d < b.d;
}

/* ---- any number ---- */

static bool part_less(const struct part *p, const char *a, const char *b)
{
    if (part_is_integer(p))
        return wide_ordered(p, a) < wide_ordered(p, b);
    return real_less(p->number, real_load(p->number, a), real_load(p->number, b));
}

/* All operators but those that only choose one of the operands. */
static void part_combine(const struct part *p, enum operator op, char *into, const char *operand)
{
    if (part_is_integer(p)) {
        wide_store(p->width, into, wide_combine(op, wide_load(p->width, into), wide_load(p->width, operand)));
    } else {
        struct real a = real_load(p->number, into), b = real_load(p->number, operand);
        real_store(p->number, into,
                   op == OPERATOR_SUM ? real_sum(p->number, a, b) : real_product(p->number, a, b));
    }
}

static void complex_product(const struct shape *s, char *into, const char *operand)
{
    enum number n = s->part[0].number;
    size_t imaginary = s->part[1].offset;
    struct real a = real_load(n, into), b = real_load(n, into + imaginary);
    struct real c = real_load(n, operand), d = real_load(n, operand + imaginary);
    struct real minus_bd = real_negative(n, real_product(n, b, d));
    real_store(n, into, real_sum(n, real_product(n, a, c), minus_bd));
    real_store(n, into + imaginary, real_sum(n, real_product(n, a, d), real_product(n, b, c)));
}

/* The smaller (larger) value, and its index; the lower one if the values are equal. */
static bool pair_is_better(const struct shape *s, bool smaller, const char *a, const char *than)
{
    const struct part *value = &s->part[0], *index = &s->part[1];
    bool less = part_less(value, a, than), more = part_less(value, than, a);
    return (smaller ? less : more) ||
           (!less && !more && part_less(index, a + index->offset, than + index->offset));
}

void shape_combine(const struct shape *s, enum operator op, char *into, const char *operand)
{
    const struct part *p = s->part;
    switch (op) {
    case OPERATOR_MIN:
    case OPERATOR_MAX:
        if (op == OPERATOR_MIN ? part_less(p, operand, into) : part_less(p, into, operand))
            memcpy(into, operand, p->width);
        break;
    case OPERATOR_MINLOC:
    case OPERATOR_MAXLOC:
        if (pair_is_better(s, op == OPERATOR_MINLOC, operand, into))
            shape_copy(s, into, operand);
        break;
    default:
        if (op == OPERATOR_PROD && s->parts == 2)
            complex_product(s, into, operand);
        else
            for (int i = 0; i < s->parts; i++)
                part_combine(&p[i], op, into + p[i].offset, operand + p[i].offset);
    }
}
