/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype/contents.h"

bool combiner_is_predefined(int combiner)
{
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/* Fortran functions of MPI-1 took displacements as INTEGERs. Types made by them may have combiners of their own, which
 * newer headers do not name; there, as in older ones, each has the number before its namesake's. */
static const struct {
    int combiner, before;
} plain[] = {{MPI_COMBINER_HVECTOR, MPI_COMBINER_VECTOR},
             {MPI_COMBINER_HINDEXED, MPI_COMBINER_INDEXED},
             {MPI_COMBINER_STRUCT, MPI_COMBINER_INDEXED_BLOCK}};

static int plain_combiner(int combiner)
{
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (combiner == plain[i].combiner - 1 && combiner != plain[i].before)
            return plain[i].combiner;
    return combiner;
}

static size_t displacements_of(int combiner, ptrdiff_t count)
{
    switch (combiner) {
    case MPI_COMBINER_HVECTOR:
        return 1;
    case MPI_COMBINER_RESIZED:
        return 2;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
        return (size_t)count;
    default:
        return 0;
    }
}

/* Their displacements are the last of n integers, and so they are among large counts: make the contents those of the namesake. */
static void make_plain(struct type_contents *c, size_t n, bool large)
{
    int combiner = plain_combiner(c->combiner);
    if (combiner == c->combiner && !large)
        return;
    size_t moved = displacements_of(combiner, c->ints[0]);
    for (size_t i = 0; i < moved; i++)
        c->addresses[i] = c->ints[n - moved + i];
    c->combiner = combiner;
}

bool type_envelope_get(struct type_envelope *e, MPI_Datatype datatype)
{
    int ints, addresses, types;
    *e = (struct type_envelope){0};
#if MPI_VERSION >= 4 /* then it is wrong to ask for the large ones in the old way */
    if (MPI_Type_get_envelope_c(datatype, &e->ints, &e->addresses, &e->counts, &e->types, &e->combiner) !=
        MPI_SUCCESS)
        return false;
    if (e->counts > 0)
        return true;
#endif
    if (MPI_Type_get_envelope(datatype, &ints, &addresses, &types, &e->combiner) != MPI_SUCCESS)
        return false;
    e->ints = ints;
    e->addresses = addresses;
    e->types = types;
    return true;
}

/* As MPI has them: MPI_SUCCESS or not. */
static int read_contents(struct type_contents *c, MPI_Datatype datatype, const struct type_envelope *e,
                         int *ints, MPI_Count *counts)
{
#if MPI_VERSION >= 4
    if (e->counts > 0)
        return MPI_Type_get_contents_c(datatype, e->ints, e->addresses, e->counts, e->types, ints,
                                       c->addresses, counts, c->types);
#else
    (void)counts;
#endif
    return MPI_Type_get_contents(datatype, (int)e->ints, (int)e->addresses, (int)e->types, ints, c->addresses,
                                 c->types);
}

/* Of arrays only the sizes are large. */
static void contents_merge(struct type_contents *c, const struct type_envelope *e, const int *ints,
                           const MPI_Count *counts)
{
    MPI_Count before = c->combiner == MPI_COMBINER_SUBARRAY ? 1 : c->combiner == MPI_COMBINER_DARRAY ? 3 : 0;
    if (e->counts == 0)
        before = e->ints;
    for (MPI_Count i = 0; i < before; i++)
        c->ints[i] = ints[i];
    for (MPI_Count i = 0; i < e->counts; i++)
        c->ints[before + i] = (ptrdiff_t)counts[i];
    for (MPI_Count i = before; i < e->ints; i++)
        c->ints[e->counts + i] = ints[i];
}

static bool contents_get(struct type_contents *c, MPI_Datatype datatype, const struct type_envelope *e)
{
    size_t n = (size_t)(e->ints + e->counts), addresses = (size_t)e->addresses + n + 1;
    int *ints = reserve_calloc(((size_t)e->ints + 1) * sizeof *ints);
    MPI_Count *counts = reserve_calloc(((size_t)e->counts + 1) * sizeof *counts);
    c->ints = reserve_calloc((n + 1) * sizeof *c->ints);
    c->addresses = reserve_calloc(addresses * sizeof *c->addresses);
    c->types = reserve_calloc(((size_t)e->types + 1) * sizeof(MPI_Datatype));
    bool got = ints && counts && c->ints && c->addresses && c->types &&
               read_contents(c, datatype, e, ints, counts) == MPI_SUCCESS;
    if (got) {
        c->n_types = (size_t)e->types;
        contents_merge(c, e, ints, counts);
        make_plain(c, n, e->counts > 0);
    }
    reserve_free(ints);
    reserve_free(counts);
    return got;
}

bool type_contents_get(struct type_contents *c, MPI_Datatype datatype)
{
    struct type_envelope e;
    *c = (struct type_contents){0};
    if (!type_envelope_get(&e, datatype))
        return false;
    c->combiner = e.combiner;
    return c->combiner == MPI_COMBINER_NAMED || contents_get(c, datatype, &e);
}

/* The handles that MPI_Type_get_contents gave are ours to free unless predefined. */
void type_contents_free(struct type_contents *c)
{
    struct type_envelope e;
    for (size_t i = 0; i < c->n_types; i++)
        if (type_envelope_get(&e, c->types[i]) && !combiner_is_predefined(e.combiner))
            MPI_Type_free(&c->types[i]);
    reserve_free(c->ints);
    reserve_free(c->addresses);
    reserve_free(c->types);
}
