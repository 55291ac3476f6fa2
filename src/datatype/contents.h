/* SPDX-License-Identifier: BSD-3-Clause */
/* How a datatype was made (MPI 4.1.13). */
#ifndef EP_DATATYPE_CONTENTS_H
#define EP_DATATYPE_CONTENTS_H

#include "comm/comm.h"

/* What there is of it. */
struct type_envelope {
    MPI_Count ints, addresses, counts,
        types; /* counts: of types made with numbers that an int may not hold (MPI 4) */
    int combiner;
};

/* As MPI_Type_get_contents gives it; nothing but the combiner of a named type. What MPI gives as large counts stands where the
 * same argument of a type made without them does. */
struct type_contents {
    ptrdiff_t *ints;
    MPI_Aint *addresses;
    MPI_Datatype *types;
    size_t n_types;
    int combiner;
};

/* Between mpi_enter and mpi_leave, as the others. False: MPI knows no such type. */
bool type_envelope_get(struct type_envelope *e, MPI_Datatype datatype);

/* False without memory; type_contents_free in any case. */
bool type_contents_get(struct type_contents *c, MPI_Datatype datatype);
void type_contents_free(struct type_contents *c);

/* Those of MPI_Type_create_f90_real and the like are predefined, too: nobody may free them. */
bool combiner_is_predefined(int combiner);

#endif
