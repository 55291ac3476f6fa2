/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arith: the predefined operators on the predefined types, one table for reductions, accumulates and ep_reduce_local. The
 * arithmetic is ep's own. That of MPI libraries is not always right (MPI_MIN and MPI_MAX of unsigned long in Open MPI 4.1.4 and of
 * unsigned char in MPICH 4.0.2 compare as signed), counts references to the operator, which all threads fight for, and
 * must not be called while a lock is held that others wait for inside MPI.
 *
 * Types and operators have codes, places in the tables of arith_type.c: the same in all processes of a job.
 */
#ifndef EP_DATATYPE_ARITH_H
#define EP_DATATYPE_ARITH_H

#include <mpi.h>

#include "comm/comm.h"

/* The codes of operators. */
enum arith_op {
    ARITH_SUM,
    ARITH_REPLACE,
    ARITH_NO_OP,
    ARITH_PROD,
    ARITH_MIN,
    ARITH_MAX,
    ARITH_LAND,
    ARITH_LOR,
    ARITH_LXOR,
    ARITH_BAND,
    ARITH_BOR,
    ARITH_BXOR,
    ARITH_MINLOC,
    ARITH_MAXLOC,
    ARITH_OPS
};

/* MPI's groups of types (5.9.2), which say what operators are defined. */
enum arith_group {
    ARITH_C_INTEGER,
    ARITH_FORTRAN_INTEGER,
    ARITH_FLOATING,
    ARITH_LOGICAL,
    ARITH_COMPLEX,
    ARITH_BYTE,
    ARITH_MULTI_LANGUAGE, /* MPI_AINT and so on */
    ARITH_PAIR,
    ARITH_CHARACTER,
    ARITH_TEXT, /* wide characters, packed data: only replaced and fetched */
    ARITH_GROUPS
};

enum arith_number {
    ARITH_SIGNED,
    ARITH_UNSIGNED,
    ARITH_FLOAT,
    ARITH_DOUBLE,
    ARITH_LONG_DOUBLE,
    ARITH_QUAD /* Fortran's 16 bytes */
};

enum { ARITH_MOST_TYPES = 128 };

struct arith_part {
    uint8_t number; /* enum arith_number */
    uint8_t width;  /* bytes */
    uint8_t offset;
};

/* right = left op right, n elements. Neither need be aligned; they may be the same memory. Bytes between and behind the
 * parts of an element are left alone. */
typedef void arith_kernel(const char *left, char *right, size_t n);

struct arith_type {
    uint8_t group; /* enum arith_group */
    bool gaps;     /* between or behind parts: bytes that belong to somebody else */
    uint8_t parts; /* complex, pairs: 2 */
    uint8_t size;  /* from one element to the next; 0: MPI lacks the type */
    struct arith_part part[2];
    uint16_t
        defined; /* by enum arith_op: the standard says so (5.9.2, 5.9.4); MPI_REPLACE and MPI_NO_OP always are */
    uint16_t beyond;              /* what the MPI libraries have beyond that */
    arith_kernel *const *kernels; /* by enum arith_op; NULL: no such operator for the numbers */
    MPI_Datatype mpi;
};

/* ---- types and operators (arith_type.c) ---- */

/* A predefined type, or the one with the same numbers as a Fortran 90 type, and its code. NULL: it is none. */
const struct arith_type *arith_type_of(MPI_Datatype mpi, uint16_t *code);
/* The same, between mpi_enter and mpi_leave. */
const struct arith_type *arith_type_within(MPI_Datatype mpi, uint16_t *code);
/* Once, before the other functions. Between mpi_enter and mpi_leave. */
void arith_start(void);
/* As arith_type_of, of types that MPI has from its start; may be called between mpi_enter and mpi_leave. */
const struct arith_type *arith_type_known(MPI_Datatype mpi);
/* NULL: no such code. */
const struct arith_type *arith_type(uint16_t code);

/* A code; ARITH_OPS: it is no predefined operator. */
enum arith_op arith_op_of(MPI_Op op);
MPI_Op arith_op_handle(enum arith_op op);
const char *arith_op_name(enum arith_op op);

/* By the standard; in programs that know nothing of endpoints also by the MPI libraries. */
static inline bool arith_is_defined(const struct arith_type *t, enum arith_op op)
{
    return likely(t->defined >> op & 1) || ((t->beyond >> op & 1) && load_relaxed(&process.runs_ranks));
}

/* What op does to elements of mpi. NULL: op is the user's, or a predefined one that is not for them, or only for accumulates. */
arith_kernel *arith_find(MPI_Datatype mpi, MPI_Op op);

/* ---- kernels (arith_kernel.c) ---- */

/* Of elements with these parts; NULL: there are none. */
arith_kernel *const *arith_kernels_of(const struct arith_type *t);

/* ---- operators for MPI's own reductions (arith_mpi.c) ---- */

/* op itself where the MPI underneath does to mpi what it should, else an operator of ours that does. The same in all processes. */
MPI_Op arith_mpi_op(MPI_Datatype mpi, MPI_Op op);

static inline bool arith_is_integer(const struct arith_part *p)
{
    return p->number == ARITH_SIGNED || p->number == ARITH_UNSIGNED;
}

#endif
