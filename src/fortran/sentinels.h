/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of Fortran that are known by their address (MPI 2.5.4): variables of two COMMON blocks, of which each image has its own.
 * mpif.h and the modules declare them in this order.
 *
 * A shared library of the program may be given those of the program, and the other way round. So each block is registered with the
 * rank (dropin/fortran.c), and whatever is between the first and the last of them is looked for in all.
 */
#ifndef EP_FORTRAN_SENTINELS_H
#define EP_FORTRAN_SENTINELS_H

#include <ep.h>

#include "base/base.h"
#include "dropin/dropin.h"

#ifdef EP_FORTRAN_NATIVE
/* Those of the MPI underneath, which mpif.h, module mpi and mpi_f08 have (native/sentinels.c). */
extern struct sentinel_range {
    uintptr_t first, end;
} sentinel_range; /* constant once the library is loaded */
#define sentinel_buffer underneath_buffer
#define sentinel_weights underneath_weights

static inline bool sentinel_may_be(const void *p)
{
    return unlikely((uintptr_t)p >= sentinel_range.first) && (uintptr_t)p < sentinel_range.end;
}
#else
#pragma GCC visibility push(hidden) /* no way round a table */

struct sentinels {
    MPI_Fint bottom, in_place;
    MPI_Fint status_ignore[EP_F_STATUS_SIZE], statuses_ignore[EP_F_STATUS_SIZE];
    MPI_Fint errcodes_ignore, unweighted, weights_empty;
};

struct sentinels_c {
    char argv_null, argvs_null;
};

extern struct sentinels ep_mpi_sentinels_;
extern struct sentinels_c ep_mpi_sentinels_c_;

/* This image's place among the blocks of its rank. */
extern struct ep_fortran_block sentinel_block;

static inline bool sentinel_may_be(const void *p)
{
    uintptr_t place = (uintptr_t)p;
    return unlikely(place >= load_relaxed(&sentinel_block.first)) &&
           place < load_relaxed(&sentinel_block.end);
}
#endif

/* What C has for it; what is none is given back. */
void *sentinel_buffer(void *p);
const int *sentinel_weights(const int *p);

static inline void *choice_f2c(const void *buffer)
{
    return sentinel_may_be(buffer) ? sentinel_buffer((void *)buffer) : (void *)buffer;
}

static inline const int *weights_f2c(const int *weights)
{
    return sentinel_may_be(weights) ? sentinel_weights(weights) : weights;
}

#ifdef EP_FORTRAN_NATIVE
extern ep_status ep_fortran_status_ignore, ep_fortran_statuses_ignore;

static inline bool status_is_own_ignore(const MPI_Fint *status)
{
    return (const ep_status *)(const void *)status == &ep_fortran_status_ignore;
}

static inline bool status_is_ignored(const MPI_Fint *status)
{
    return status_is_own_ignore(status) ||
           (const ep_status *)(const void *)status == &ep_fortran_statuses_ignore;
}
#else
/* MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE. */
bool sentinel_is_ignored(const MPI_Fint *status);

#pragma GCC visibility pop

/* Surely, if this says so. */
static inline bool status_is_own_ignore(const MPI_Fint *status)
{
    return status == ep_mpi_sentinels_.status_ignore;
}

static inline bool status_is_ignored(const MPI_Fint *status)
{
    return status_is_own_ignore(status) || (sentinel_may_be(status) && sentinel_is_ignored(status));
}
#endif

#endif
