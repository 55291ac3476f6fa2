/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The atomic operations of windows on memory that this process can reach: one code for near callers and for the
 * messages of far ones, so all of them are atomic with each other.
 *
 *   class            elements                                       how
 *   free of locks    1, 2, 4, 8 bytes, naturally aligned            C11 atomics on the element itself; so they are
 *                                                                   atomic with the user's own C11 atomics, too
 *   striped          larger (long double, complex), with gaps       a lock chosen by the element's address; one
 *                    (MPI_SHORT_INT) or misaligned                  element at a time
 *
 * MPI wants all concurrent accumulates to a location to use the same predefined type (11.7.1), so the two classes never
 * meet on one location. Loads and stores of windows in shared memory take the stripes that live there with them
 * (processes see the memory at different addresses; stripes are chosen by the offset from `origin`).
 */
#ifndef EP_RMA_ATOMIC_H
#define EP_RMA_ATOMIC_H

#include <mpi.h>

#include "base/base.h"

enum { STRIPES = 256 };

/* Locks for elements that the processor cannot change at once. */
struct stripes {
    struct stripe {
        _Alignas(CACHE_LINE) struct lock lock; /* works between processes, too; all zero: free */
    } stripe[STRIPES];
};

/* Those of this process for memory that no other process reaches. */
extern struct stripes process_stripes;

/* Where elements are and what guards them. */
struct arena {
    struct stripes *stripes;
    const char *origin; /* stripes go by the distance from here; NULL: by address */
};

/* An operation: predefined type and operator. */
struct atom {
    uint16_t type;    /* code: the same in all processes of a job */
    uint8_t op;       /* code */
    uint32_t size;    /* bytes from one element to the next (MPI_DOUBLE_INT: 16) */
    MPI_Datatype mpi; /* of type */
    MPI_Op mpi_op;
};

/* MPI_SUCCESS; MPI_ERR_TYPE: basic is not a predefined type for accumulates; MPI_ERR_OP: op is not predefined or not
 * defined for it. op may be MPI_REPLACE and MPI_NO_OP, which are defined for every type. */
int atom_find(MPI_Datatype basic, MPI_Op op, struct atom *a);

/* The same from the codes that another process sent. False: no such codes. */
bool atom_of_codes(uint16_t type, uint8_t op, struct atom *a);

/* May compare-and-swap be done on it (MPI 11.3.4: C and Fortran integers, logical, multi-language types, byte)? */
bool atom_can_swap(MPI_Datatype basic);

/* count times, element by element, each at once: old = *at (unless old is NULL); *at = *at op *operand. operand is not
 * looked at with MPI_NO_OP and may then be NULL. operand and old may be misaligned; at need not be aligned. */
void atom_apply(const struct atom *a, const struct arena *where, char *at, const char *operand, char *old,
                size_t count);

/* One element of a type that atom_can_swap: old = *at; if that equals *compare, *at = *desired. */
void atom_swap(const struct atom *a, const struct arena *where, char *at, const char *compare,
               const char *desired, char *old);

#endif
