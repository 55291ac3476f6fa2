/* SPDX-License-Identifier: BSD-3-Clause */
/* How a datatype was made (MPI 4.1.13). */
#ifndef EP_DATATYPE_CONTENTS_H
#define EP_DATATYPE_CONTENTS_H

#include "comm/comm.h"

/* As MPI_Type_get_contents gives it; nothing but the combiner of a named type. */
struct type_contents {
    int *ints;
    MPI_Aint *addresses;
    MPI_Datatype *types;
    int n_ints, n_addresses, n_types, combiner;
};

/* Between mpi_enter and mpi_leave. False without memory; type_contents_free in any case. */
bool type_contents_get(struct type_contents *c, MPI_Datatype datatype);
void type_contents_free(struct type_contents *c);

/* Those of MPI_Type_create_f90_real and the like are predefined, too: nobody may free them. */
bool combiner_is_predefined(int combiner);

/*
 * What was found out of derived types, while one is looked at that holds them: a type made of two that are made of two and so on
 * is looked at once at each level, not twice as often at each. All zero: nothing is known. Without memory nothing is kept.
 */
struct memo {
    struct table known;
    struct memo_entry *all;
    bool wanted; /* something was made of several types: one may be met again */
};
const void *memo_find(struct memo *m, MPI_Datatype datatype);
void memo_keep(struct memo *m, MPI_Datatype datatype, const void *found, size_t bytes);
void memo_end(struct memo *m);

#endif
