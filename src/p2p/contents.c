/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/contents.h"

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

/* Their displacements are the last integers: make the contents those of the namesake. */
static void make_plain(struct contents *c)
{
    int combiner = plain_combiner(c->combiner);
    if (combiner == c->combiner)
        return;
    int n = combiner == MPI_COMBINER_HVECTOR ? 1 : c->ints[0];
    for (int i = 0; i < n; i++)
        c->addresses[i] = c->ints[c->n_ints - n + i];
    c->combiner = combiner;
    c->n_addresses = n;
    c->n_ints -= n;
}

bool contents_get(struct contents *c, MPI_Datatype datatype)
{
    *c = (struct contents){0};
    MPI_Type_get_envelope(datatype, &c->n_ints, &c->n_addresses, &c->n_types, &c->combiner);
    if (c->combiner == MPI_COMBINER_NAMED)
        return true;
    c->ints = reserve_calloc(((size_t)c->n_ints + 1) * sizeof *c->ints);
    c->addresses = reserve_calloc(((size_t)c->n_addresses + (size_t)c->n_ints + 1) * sizeof *c->addresses);
    c->types = reserve_calloc(((size_t)c->n_types + 1) * sizeof(MPI_Datatype));
    if (c->ints && c->addresses && c->types &&
        MPI_Type_get_contents(datatype, c->n_ints, c->n_addresses, c->n_types, c->ints, c->addresses,
                              c->types) == MPI_SUCCESS) {
        make_plain(c);
        return true;
    }
    c->n_types = 0;
    return false;
}

/* The handles that MPI_Type_get_contents gave are ours to free unless predefined. */
void contents_free(struct contents *c)
{
    for (int i = 0; c->types && i < c->n_types; i++) {
        int a, b, d, combiner;
        MPI_Type_get_envelope(c->types[i], &a, &b, &d, &combiner);
        if (!combiner_is_predefined(combiner))
            MPI_Type_free(&c->types[i]);
    }
    reserve_free(c->ints);
    reserve_free(c->addresses);
    reserve_free(c->types);
}
