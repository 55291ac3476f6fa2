/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/family.h"

#include <stdio.h>

#include "p2p/contents.h"

/* Logical and character types, bytes and pairs go with others in programs that are right or harmless. */
static struct family family_of_named(MPI_Datatype datatype)
{
    uint16_t code;
    const struct arith_type *t = arith_type_of(datatype, &code);
    if (!t)
        return (struct family){0};
    bool known = t->group == ARITH_C_INTEGER || t->group == ARITH_FORTRAN_INTEGER ||
                 t->group == ARITH_MULTI_LANGUAGE || t->group == ARITH_FLOATING || t->group == ARITH_COMPLEX;
    return (struct family){known, t->group == ARITH_COMPLEX, t->part[0].number, t->part[0].width};
}

/* What all parts of a derived type have in common; those of no elements do not count. */
static struct family family_of_parts(const struct contents *c)
{
    struct family all = {0};
    bool any = false;
    for (int k = 0; k < c->n_types; k++) {
        if (c->combiner == MPI_COMBINER_STRUCT && c->ints[1 + k] == 0)
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
    struct contents c;
    struct family f = {0};
    mpi_enter();
    bool got = contents_get(&c, datatype);
    mpi_leave();
    if (got && combiner_is_predefined(c.combiner))
        f = family_of_named(datatype);
    else if (got)
        f = family_of_parts(&c);
    mpi_enter();
    contents_free(&c);
    mpi_leave();
    return f;
}

const char *family_words(struct family f, char words[FAMILY_WORDS])
{
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
