/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The commonest operators on the commonest types. For a few numbers MPI_Reduce_local takes longer than they
 * take from one core to another; in Open MPI above all because it counts references to the operator, a
 * number that all threads fight for.
 */
#ifndef EP_COLL_TINY_NUMBER_H
#define EP_COLL_TINY_NUMBER_H

#include "p2p/p2p.h"

enum number_kind { NUMBER_NONE, NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_REAL };
enum number_op {
    NUMBER_SUM,
    NUMBER_PROD,
    NUMBER_MIN,
    NUMBER_MAX,
    NUMBER_LAND,
    NUMBER_LOR,
    NUMBER_BAND,
    NUMBER_BOR,
    NUMBER_OPS
};

/* How to apply op to elements of mpi. */
struct number {
    MPI_Datatype mpi;
    MPI_Op op;
    size_t size;
    enum number_kind kind; /* NUMBER_NONE: only MPI knows, or nobody has asked yet */
    enum number_op what;
};

struct number number_learn(const struct type *type, MPI_Datatype mpi, MPI_Op op);

/* right = left op right */
void number_apply(const struct number *x, const char *left, char *right, size_t count);

#endif
