/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's own counting is not asked: MPICH's MPI_Get_elements takes parts of structs for whole ones, and divides by zero when it is
 * given a pair.
 */
#include "datatype/elements.h"

#include <limits.h>

#include "datatype/arith.h"
#include "datatype/contents.h"

struct amount {
    MPI_Count bytes, elements;
};

static const MPI_Count endless = LLONG_MAX;

/* Of bytes or elements there are endlessly many left. */
struct taking {
    struct amount left, got;
    bool failed; /* no memory */
};

static MPI_Count elements_size_of(MPI_Datatype datatype)
{
    MPI_Count size = 0;
    MPI_Type_size_x(datatype, &size);
    return size;
}

static const struct arith_type *pair_of(MPI_Datatype basic)
{
    uint16_t code;
    const struct arith_type *t = arith_type_within(basic, &code);
    return t && t->group == ARITH_PAIR ? t : NULL;
}

/* What is in one element. Types without data are not looked into. */
static struct amount amount_of(MPI_Datatype datatype, bool *failed)
{
    struct amount a = {elements_size_of(datatype), 0};
    struct type_contents c;
    if (a.bytes == 0)
        return a;
    if (!type_contents_get(&c, datatype))
        *failed = true;
    else if (combiner_is_predefined(c.combiner))
        a.elements = pair_of(datatype) ? 2 : 1;
    for (size_t k = 0; k < c.n_types && !*failed; k++) {
        struct amount part = amount_of(c.types[k], failed);
        if (c.combiner == MPI_COMBINER_STRUCT)
            a.elements += c.ints[1 + k] * part.elements;
        else if (part.bytes > 0)
            a.elements = a.bytes / part.bytes * part.elements;
    }
    type_contents_free(&c);
    return a;
}

/* False: fewer than `times` of them are left. */
static bool elements_take_whole(struct taking *t, struct amount one, MPI_Count times)
{
    MPI_Count n = t->left.bytes / one.bytes, elements = t->left.elements / one.elements;
    n = elements < n ? elements : n;
    n = times < n ? times : n;
    t->left.bytes -= n * one.bytes;
    t->left.elements -= n * one.elements;
    t->got.bytes += n * one.bytes;
    t->got.elements += n * one.elements;
    return n == times;
}

static bool elements_take(struct taking *t, MPI_Datatype datatype, MPI_Count times);

/* The beginning of an element. */
static void elements_take_part(struct taking *t, MPI_Datatype datatype)
{
    struct type_contents c;
    const struct arith_type *pair;
    if (!type_contents_get(&c, datatype))
        t->failed = true;
    else if (c.combiner == MPI_COMBINER_STRUCT)
        for (size_t k = 0; k < c.n_types && elements_take(t, c.types[k], c.ints[1 + k]); k++)
            continue;
    else if (!combiner_is_predefined(c.combiner))
        elements_take(t, c.types[0], endless);
    else if ((pair = pair_of(datatype)))
        elements_take_whole(t, (struct amount){pair->part[0].width, 1}, 1);
    type_contents_free(&c);
}

static bool elements_take(struct taking *t, MPI_Datatype datatype, MPI_Count times)
{
    struct amount one = times > 0 ? amount_of(datatype, &t->failed) : (struct amount){0};
    if (t->failed)
        return false;
    if (one.bytes == 0 || elements_take_whole(t, one, times))
        return true;
    if (t->left.bytes > 0 && t->left.elements > 0)
        elements_take_part(t, datatype);
    return false;
}

/* A predefined pair is one element where it is not part of another type, as in Open MPI. */
static bool elements_take_all(struct taking *t, MPI_Datatype datatype)
{
    struct type_envelope e;
    if (type_envelope_get(&e, datatype) && combiner_is_predefined(e.combiner))
        elements_take_whole(t, (struct amount){elements_size_of(datatype), 1}, endless);
    else
        elements_take(t, datatype, endless);
    return !t->failed;
}

bool elements_of_bytes(MPI_Datatype datatype, MPI_Count bytes, MPI_Count *elements)
{
    struct taking t = {.left = {bytes, endless}};
    bool done = elements_take_all(&t, datatype);
    *elements = t.left.bytes > 0 ? MPI_UNDEFINED : t.got.elements;
    return done;
}

bool elements_to_bytes(MPI_Datatype datatype, MPI_Count elements, MPI_Count *bytes)
{
    struct taking t = {.left = {endless, elements}};
    bool done = elements_take_all(&t, datatype);
    *bytes = t.got.bytes;
    return done;
}
