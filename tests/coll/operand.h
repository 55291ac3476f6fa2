/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operand.h: a type with an operator on it: how to make elements, and how to combine two in plain C.
 *
 * The values are such that every result is exact, whatever the order of the operations.
 */
#ifndef EP_TEST_COLL_OPERAND_H
#define EP_TEST_COLL_OPERAND_H

#include "harness.h"

enum { ELEMENT_MOST = 64 }; /* bytes of an element */

typedef struct {
    const char *type_name, *op_name;
    MPI_Datatype type;
    MPI_Op op;
    int kind; /* the oracle's own: how values are made, stored and combined */
    int size; /* of one number */
    int verb; /* SUM, ... */
    ptrdiff_t lb, extent;
    int parts; /* what is data in an element: offset and bytes; the rest is gap */
    int at[4], bytes[4];
    int strict; /* nobody may touch the gaps; else they may become anything */
} operand;

/* All types with all operators they have in MPI, and those of users, in one list. NULL beyond its end. */
const operand *operand_number(int i);
/* By name: "sum" of "int", ... Users' operators: "product" of "matrix" and of "gapped" (2x2 matrices modulo a prime,
 * not commutative; gapped has a lower bound and gaps), "sum" of "gapped", "right" of "int" (not commutative:
 * a op b = b). */
const operand *operand_named(const char *op_name, const char *type_name);

/* The element of this key. Both only touch the parts. */
void operand_make(const operand *o, char *element, uint64_t key);
/* inout = in op inout */
void operand_combine(const operand *o, const char *in, char *inout);
/* The same complex number: zeros may differ in their signs. */
int operand_zeros(const operand *o, const char *a, const char *b);
/* The parts alone. */
void operand_copy(const operand *o, const char *from, char *to);

void operands_open(void);
void operands_close(void);

/* A user's operator of the oracle's, for tests that want handles of their own: matrix product. */
void matrix_product(void *in, void *inout, int *len, MPI_Datatype *type);
/* New datatype of a matrix. */
MPI_Datatype matrix_type(void);

#endif
