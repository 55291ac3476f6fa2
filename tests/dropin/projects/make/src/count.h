/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COUNT_H
#define COUNT_H

#include "mpi.h"

#ifdef __cplusplus
extern "C" {
#endif

struct share {
    MPI_Comm comm;
    int rank, size;
};

extern struct share world;
extern long tested;

/* Primes below limit among the numbers of this rank. */
int count_primes(int limit);
int sum_up(int mine);

#ifdef __cplusplus
}
#endif

#endif
