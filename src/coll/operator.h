/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators of reductions: MPI's own handles. A user may free one while a call that does not block still
 * needs it (MPI 5.9.5), so those calls hold it.
 *
 * Held operators stand in a list with the number of holds. Invariant, under its lock: an operator in the list
 * is alive in MPI; one that its user has freed is marked so and freed with the last drop. Until then MPI
 * gives the handle to nobody else. Predefined operators are never in the list.
 */
#ifndef EP_COLL_OPERATOR_H
#define EP_COLL_OPERATOR_H

#include "datatype/datatype.h"

bool operator_is_predefined(MPI_Op op);

/* right = left op right, n elements of mpi. kernel: arith_find of the two; NULL: MPI knows what op is. An
 * error class. */
int operator_apply(arith_kernel *kernel, const void *left, void *right, size_t n, MPI_Datatype mpi,
                   MPI_Op op);

/* Is the order of its operands of no matter? */
bool operator_commutes(MPI_Op op);

/* Between hold and drop op may be used, even if operator_free is called. False without memory: then not
 * held. */
bool operator_hold(MPI_Op op);
void operator_drop(MPI_Op op);

/* What MPI_Op_free is, for an operator that may be held. An MPI error code. */
int operator_free(MPI_Op *op);

#endif
