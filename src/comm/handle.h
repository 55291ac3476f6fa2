/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers for handles (MPI 17.2.4): one table for the whole process. An object gets its number when it is
 * first asked for and gives it back when it goes. Numbers are used again as late as can be, so that a stale
 * one is noticed. Small numbers are left to the constants, whose values are their numbers.
 */
#ifndef EP_COMM_HANDLE_H
#define EP_COMM_HANDLE_H

#include <ep.h>

enum handle_kind { HANDLE_COMM, HANDLE_GROUP, HANDLE_REQUEST, HANDLE_MESSAGE, HANDLE_ERRHANDLER, HANDLE_WIN };

/* The number of object, which is kept in *kept (0: none yet; only this function writes it). 0 without
 * memory. */
MPI_Fint handle_number(enum handle_kind kind, void *object, MPI_Fint *kept);

/* NULL if the number stands for nothing, or for an object of another kind. */
void *handle_find(enum handle_kind kind, MPI_Fint number);

/* The object of that number goes. 0 is allowed. */
void handle_drop(MPI_Fint number);

#endif
