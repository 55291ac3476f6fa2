/* SPDX-License-Identifier: BSD-3-Clause */
/* How a datatype was made (MPI 4.1.13). */
#ifndef EP_P2P_CONTENTS_H
#define EP_P2P_CONTENTS_H

#include "comm/comm.h"

/* As MPI_Type_get_contents gives it; nothing but the combiner of a named type. */
struct contents {
    int *ints;
    MPI_Aint *addresses;
    MPI_Datatype *types;
    int n_ints, n_addresses, n_types, combiner;
};

/* Between mpi_enter and mpi_leave. False without memory; contents_free in any case. */
bool contents_get(struct contents *c, MPI_Datatype datatype);
void contents_free(struct contents *c);

/* Those of MPI_Type_create_f90_real and the like are predefined, too: nobody may free them. */
bool combiner_is_predefined(int combiner);

#endif
