/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype/family.h"

#include <stdio.h>

#include "datatype/contents.h"

/* ---- families ---- */

/* Logical and character types, bytes and pairs go with others in programs that are right or harmless. */
static struct family family_of_named(MPI_Datatype datatype)
{
    uint16_t code;
    const struct arith_type *t = arith_type_within(datatype, &code);
    if (!t)
        return (struct family){0};
    bool known = t->group == ARITH_C_INTEGER || t->group == ARITH_FORTRAN_INTEGER ||
                 t->group == ARITH_MULTI_LANGUAGE || t->group == ARITH_FLOATING || t->group == ARITH_COMPLEX;
    return (struct family){known, t->group == ARITH_COMPLEX, t->part[0].number, t->part[0].width};
}

static size_t family_size_of(MPI_Datatype datatype)
{
    MPI_Count size = 0;
    MPI_Type_size_x(datatype, &size);
    return (size_t)size;
}

/* What all parts of a derived type have in common; those of no data do not count, and are not looked into. So no more parts are
 * looked at, on each level, than there are data, however often a type is part of another. */
static struct family family_of_parts(const struct type_contents *c)
{
    struct family all = {0};
    bool any = false;
    for (size_t k = 0; k < c->n_types; k++) {
        if ((c->combiner == MPI_COMBINER_STRUCT && c->ints[1 + k] == 0) || family_size_of(c->types[k]) == 0)
            continue;
        struct family f = family_of(c->types[k]);
        if (!f.is_known || (any && family_differs(f, all)))
            return (struct family){0};
        all = f;
        any = true;
    }
    return all;
}

struct family family_of(MPI_Datatype datatype)
{
    struct type_contents c;
    struct family f = {0};
    bool got = type_contents_get(&c, datatype);
    if (got && combiner_is_predefined(c.combiner))
        f = family_of_named(datatype);
    else if (got)
        f = family_of_parts(&c);
    type_contents_free(&c);
    return f;
}

/* ---- signatures ---- */

static const uint64_t byte_weight = 0x9e3779b97f4a7c15u; /* odd: no power of it is 0 */

static struct signature_sum family_nothing(void)
{
    return (struct signature_sum){.weight = 1};
}

struct signature_sum signature_join(struct signature_sum a, struct signature_sum b)
{
    return (struct signature_sum){{a.s.numbers + a.weight * b.s.numbers, a.s.others + a.weight * b.s.others},
                                  a.weight * b.weight};
}

struct signature_sum signature_times(struct signature_sum of, size_t n)
{
    struct signature_sum all = family_nothing();
    for (; n > 0; n >>= 1) {
        if (n & 1)
            all = signature_join(all, of); /* all are alike: their order does not matter */
        of = signature_join(of, of);
    }
    return all;
}

static struct signature_sum family_anything(size_t bytes)
{
    return signature_times((struct signature_sum){{0, 1}, byte_weight}, bytes);
}

static struct signature_sum family_number(struct family f, size_t bytes)
{
    uint64_t code = (uint64_t)(f.is_complex << 16 | f.number << 8 | f.width);
    struct signature_sum one = family_anything(bytes);
    one.s = (struct signature){(code + 1) * 0xbf58476d1ce4e5b9u, 0};
    return one;
}

/* Numbers of one byte pass as any. */
static struct signature_sum signature_of_named(MPI_Datatype datatype, size_t bytes)
{
    uint16_t code;
    const struct arith_type *t = arith_type_within(datatype, &code);
    struct family f = family_of_named(datatype);
    if (f.is_known && f.width > 1)
        return family_number(f, bytes);
    if (!t || t->group != ARITH_PAIR || (size_t)t->part[0].width + t->part[1].width != bytes)
        return family_anything(bytes);
    struct signature_sum all = family_nothing();
    for (int i = 0; i < 2; i++) {
        const struct arith_part *p = &t->part[i];
        all = signature_join(all, family_number((struct family){true, false, p->number, p->width}, p->width));
    }
    return all;
}

/* Only a struct has elements of several types. */
static struct signature_sum signature_of_parts(const struct type_contents *c, size_t bytes)
{
    struct signature_sum all = family_nothing();
    if (c->combiner != MPI_COMBINER_STRUCT) {
        size_t each = c->n_types == 1 ? family_size_of(c->types[0]) : 0;
        return each > 0 ? signature_times(signature_of(c->types[0]), bytes / each) : family_anything(bytes);
    }
    for (size_t k = 0; k < c->n_types; k++)
        if (c->ints[1 + k] > 0 && family_size_of(c->types[k]) > 0)
            all = signature_join(all, signature_times(signature_of(c->types[k]), (size_t)c->ints[1 + k]));
    return all;
}

struct signature_sum signature_of(MPI_Datatype datatype)
{
    struct type_contents c;
    size_t bytes = family_size_of(datatype);
    bool got = type_contents_get(&c, datatype);
    struct signature_sum all = !got                                 ? family_anything(bytes)
                               : combiner_is_predefined(c.combiner) ? signature_of_named(datatype, bytes)
                                                                    : signature_of_parts(&c, bytes);
    type_contents_free(&c);
    return all;
}

/* ---- words ---- */

const char *family_words(struct family f, char words[FAMILY_WORDS])
{
    if (!f.is_known) {
        snprintf(words, FAMILY_WORDS, "several kinds of numbers");
        return words;
    }
    const char *numbers = "reals";
    if (f.is_complex)
        numbers = "complex numbers";
    else if (f.number == ARITH_SIGNED)
        numbers = "signed integers";
    else if (f.number == ARITH_UNSIGNED)
        numbers = "unsigned integers";
    snprintf(words, FAMILY_WORDS, "%d-byte %s", f.is_complex ? 2 * f.width : f.width, numbers);
    return words;
}
