/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions for MPI to call as operators, of which each knows its number (operator.c). */
#ifndef EP_DROPIN_OPERATOR_CALLERS_H
#define EP_DROPIN_OPERATOR_CALLERS_H

#include <ep.h>

#if defined __x86_64__ || (defined __aarch64__ && defined __AARCH64EL__)
#define OPERATOR_CALLERS 4096
#else
#define OPERATOR_CALLERS 256
#endif

/* The one with that number goes on to ep_operator_enter. */
MPI_User_function *operator_caller(unsigned number);
void ep_operator_enter(void *in, void *inout, int *n, MPI_Datatype *type, unsigned number);

#endif
