/* SPDX-License-Identifier: BSD-3-Clause */
/* Which predefined operators go with which predefined types (MPI 5.9.2, 5.9.4). */
#ifndef EP_API_REDUCE_OP_H
#define EP_API_REDUCE_OP_H

#include "api/check.h"

/* May op be applied to elements of datatype, a valid one? Raises the error and returns its class, or
 * MPI_SUCCESS. An operator of the user may be applied to anything. */
int check_op(struct where w, MPI_Op op, MPI_Datatype datatype);

#endif
