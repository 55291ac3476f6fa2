/* SPDX-License-Identifier: BSD-3-Clause */
/* operand_kinds.h: what operand.c and operand_list.c share. */
#ifndef EP_TEST_COLL_OPERAND_KINDS_H
#define EP_TEST_COLL_OPERAND_KINDS_H

#include "operand.h"

/* Of operands: PAIR and REAL_PAIR are those of MPI_MAXLOC, from MATRIX on they are users'. */
enum { INTEGER, NATURAL, REAL, COMPLEX, LOGICAL, BITS, PAIR, REAL_PAIR, MATRIX, SUMS, RIGHT };
/* Verbs. */
enum { SUM, PROD, MAX, MIN, LAND, LOR, LXOR, BAND, BOR, BXOR, MAXLOC, MINLOC, VERBS };

/* Where the four ints of users' types lie. */
extern const operand as_matrix, as_gapped, as_sums;

/* Users' operators. */
void gapped_product(void *in, void *inout, int *len, MPI_Datatype *type);
void gapped_add(void *in, void *inout, int *len, MPI_Datatype *type);
void right(void *in, void *inout, int *len, MPI_Datatype *type);

#endif
