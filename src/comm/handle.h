/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers for handles (MPI 17.2.4): one table for the whole process. An object gets its number when it is
 * first asked for and gives it back when it goes. Numbers are used again as late as can be, so that a stale
 * one is noticed.
 *
 * They are numbers that no MPI underneath has, so that one that gets there by mistake is refused: Open MPI's are
 * small indices, MPICH's have one of the two highest bits, and where these are not looked at, others below name
 * a kind of object that there is none of. The first ones are the constants'; the null handles' is the very first.
 */
#ifndef EP_COMM_HANDLE_H
#define EP_COMM_HANDLE_H

#include <ep.h>

enum handle_kind { HANDLE_COMM, HANDLE_GROUP, HANDLE_REQUEST, HANDLE_MESSAGE, HANDLE_ERRHANDLER, HANDLE_WIN };

enum { HANDLE_FIRST = 0x38000000, HANDLE_CONSTANTS = 16, HANDLE_LAST = 0x3bffffff };

/* Of a constant, whose value is less than HANDLE_CONSTANTS. */
static inline MPI_Fint handle_of_constant(const void *constant)
{
    return HANDLE_FIRST + (MPI_Fint)(uintptr_t)constant;
}

/* The number of object, which is kept in *kept (0: none yet; only this function writes it). 0 without
 * memory. */
MPI_Fint handle_number(enum handle_kind kind, void *object, MPI_Fint *kept);

/* NULL if the number stands for nothing, or for an object of another kind. */
void *handle_find(enum handle_kind kind, MPI_Fint number);

/* The object of that number goes. 0 is allowed. */
void handle_drop(MPI_Fint number);

#endif
