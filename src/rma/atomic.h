/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The atomic operations of windows on memory that this process can reach: one code for near callers and for the
 * messages of far ones, so all of them are atomic with each other.
 *
 * Memory is divided into cells of CELL bytes, and each cell has a stripe: a lock, which many cells share. Who operates on a
 * run of elements does it piece by piece; for each piece it holds the stripes of the cells in which it lies, and only
 * then looks at the memory. A piece is
 *
 *   all of the run               if it has at most ATOM_WHOLE bytes
 *   else                         the elements that begin in one cell
 *
 * so it lies in at most two cells, and their stripes are taken in the order of the table: nobody waits in a cycle. A
 * holder waits for nothing else, calls nothing outside this file and the kernels, and touches only memory.
 *
 * 1. Each element is changed at once, with regard to all operations of all threads and processes: an operation on it
 *    holds the stripes of all bytes of the element while it reads and while it writes, two operations that have a byte in common
 *    have its cell in common, and the cell's stripe is the same lock for both. That holds for different types,
 *    operators and starts, too. What has to be the same is the arena: see below.
 * 2. So is a run of up to ATOM_WHOLE bytes: it is one piece, and by 1. every operation is before or after it in all
 *    bytes that they share. Two such runs are ordered in the same way wherever they meet, as both hold all their stripes
 *    all the time.
 * 3. Within the stripes plain loads and stores are enough, and vector code. But one element alone that the processor
 *    changes at once (1, 2, 4, 8 bytes, naturally aligned) is changed by one C11 atomic operation, so such calls are atomic with the
 *    program's own C11 atomics, too, which know nothing of stripes. Longer runs are that in arenas with c11: there each
 *    such element is changed that way.
 *    It does not do to take only the processor's instruction and no stripe for one element: between the loads and the
 *    stores of a holder it would get lost.
 * 4. Order: taking a stripe is an acquire, letting it go a release. One thread's operations are seen by all in its order,
 *    since everyone who looks at what the second wrote does so after having its stripe.
 *
 * Arenas: memory of a segment that processes share has its stripes in front of it, at a distance that is the same for all of them (they
 * see it at different addresses); all other memory has those of the process, by address. Memory of such a segment that
 * another window exposes is in two arenas; between them only what 3. says of C11 atomics holds. MPI has no such programs:
 * concurrent updates through windows that overlap are erroneous (11.7, rule 5).
 */
#ifndef EP_RMA_ATOMIC_H
#define EP_RMA_ATOMIC_H

#include <mpi.h>

#include "datatype/datatype.h"

enum { STRIPES = 256, CELL = 1024, ATOM_WHOLE = 64 };

struct stripes {
    struct stripe {
        _Alignas(CACHE_LINE) struct lock lock; /* works between processes, too */
    } stripe[STRIPES];
};

void stripes_init(struct stripes *s);

/* Those of this process for memory that no other process reaches. */
extern struct stripes process_stripes;

/* Where elements are and what guards them. */
struct arena {
    struct stripes *stripes;
    const char *origin; /* cells go by the distance from here; NULL: by address */
    bool c11;           /* elements of all runs are atomic with the program's C11 atomics */
};

/* An operation: predefined type and operator. */
struct atom {
    const struct arith_type *of;
    arith_kernel *kernel; /* NULL with MPI_REPLACE and MPI_NO_OP */
    uint16_t type;        /* code: the same in all processes of a job */
    uint8_t op;           /* enum arith_op */
    uint32_t size;        /* bytes from one element to the next (MPI_DOUBLE_INT: 16) */
    MPI_Datatype mpi;     /* of type */
    MPI_Op mpi_op;
};

/* MPI_SUCCESS; MPI_ERR_TYPE: basic is not a predefined type for accumulates; MPI_ERR_OP: op is not predefined or not
 * defined for it. op may be MPI_REPLACE and MPI_NO_OP, which are defined for every type. */
int atom_find(MPI_Datatype basic, MPI_Op op, struct atom *a);

/* The same from the codes that another process sent. False: no such codes. */
bool atom_of_codes(uint16_t type, uint8_t op, struct atom *a);

/* Elements with gaps are carried as they lie in memory; those of the user's buffers may be closer, and what is between their parts is not
 * read or written. `bytes` of whole elements from or to a walk of TYPE_DATA; items NULL: of any data. */
void atom_read(const struct arith_type *items, struct type_iter *from, char *to, size_t bytes);
void atom_write(const struct arith_type *items, struct type_iter *to, const char *from, size_t bytes);
/* The walk's bytes for so many. */
size_t atom_data(const struct arith_type *items, size_t bytes);

/* May compare-and-swap be done on it (MPI 11.3.4: C and Fortran integers, logical, multi-language types, byte)? */
bool atom_can_swap(MPI_Datatype basic);

/* For count elements: old = *at (unless old is NULL); *at = *at op *operand. Each element at once; all at once if they are at
 * most ATOM_WHOLE bytes. operand is not looked at with MPI_NO_OP and may then be NULL. Nothing need be aligned. */
void atom_apply(const struct atom *a, const struct arena *where, char *at, const char *operand, char *old,
                size_t count);

/* One element of a type that atom_can_swap: old = *at; if that equals *compare, *at = *desired. */
void atom_swap(const struct atom *a, const struct arena *where, char *at, const char *compare,
               const char *desired, char *old);

#endif
