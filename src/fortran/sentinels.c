/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran/sentinels.h"

#include <mpi.h>

/* As aligned as any compiler has them. */
_Alignas(CACHE_LINE) struct sentinels ep_mpi_sentinels_;
_Alignas(CACHE_LINE) struct sentinels_c ep_mpi_sentinels_c_;

struct ep_fortran_block sentinel_block = {.begin = (char *)&ep_mpi_sentinels_,
                                          .bytes = sizeof ep_mpi_sentinels_};

__attribute__((constructor)) static void sentinels_begin(void)
{
    ep_fortran_add(&sentinel_block);
}

/* A plug-in may be closed. */
__attribute__((destructor)) static void sentinels_end(void)
{
    ep_fortran_remove(&sentinel_block);
}

/* Is p that one of the blocks? */
#define IS(place, name) ((place) == (ptrdiff_t)offsetof(struct sentinels, name))

/* Where p is in its block, or -1. */
static ptrdiff_t sentinel_place(const void *p)
{
    uintptr_t place = (uintptr_t)p - (uintptr_t)&ep_mpi_sentinels_;
    return place < sizeof ep_mpi_sentinels_ ? (ptrdiff_t)place : ep_fortran_place(p);
}

void *sentinel_buffer(void *p)
{
    ptrdiff_t place = sentinel_place(p);
    if (IS(place, bottom))
        return MPI_BOTTOM;
    return IS(place, in_place) ? MPI_IN_PLACE : p;
}

const int *sentinel_weights(const int *p)
{
    ptrdiff_t place = sentinel_place(p);
    if (IS(place, unweighted))
        return MPI_UNWEIGHTED;
    return IS(place, weights_empty) ? MPI_WEIGHTS_EMPTY : p;
}

bool sentinel_is_ignored(const MPI_Fint *status)
{
    ptrdiff_t place = sentinel_place(status);
    return IS(place, status_ignore) || IS(place, statuses_ignore);
}
