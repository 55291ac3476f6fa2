/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs about windows share. */
#ifndef CONFORM_RMA_H
#define CONFORM_RMA_H

#include "../expect.h"

#ifdef EP_EP_H
enum { UNDER_EP = 1 };
#else
enum { UNDER_EP = 0 };
#endif

/* A window of longs, the same number at each rank, made in any of the ways. */
enum flavor { CREATED, ALLOCATED, SHARED, DYNAMIC, FLAVORS };
struct area {
    MPI_Win win;
    long *mem;
    MPI_Comm comm; /* the user's; lives as long */
    enum flavor flavor;
    int rank, size;
    MPI_Aint *start; /* by rank: the displacement of the first long */
    int step;        /* of displacements, from one long to the next */
};

HELPER MPI_Aint area_at(const struct area *a, int rank, long i)
{
    return a->start[rank] + i * a->step;
}

/* All longs are `value`, and that is seen by others. */
HELPER void area_make(struct area *a, enum flavor flavor, int count, long value, MPI_Comm comm)
{
    MPI_Aint bytes = count * (MPI_Aint)sizeof(long), mine = 0;

    a->flavor = flavor;
    a->comm = comm;
    a->step = flavor == DYNAMIC ? (int)sizeof(long) : 1;
    a->rank = rank_of(comm);
    a->size = size_of(comm);
    a->start = calloc((size_t)a->size, sizeof *a->start);
    if (flavor == CREATED || flavor == DYNAMIC)
        a->mem = malloc((size_t)bytes + 1);
    if (flavor == CREATED)
        CALL(MPI_Win_create(a->mem, bytes, sizeof(long), MPI_INFO_NULL, comm, &a->win));
    else if (flavor == ALLOCATED)
        CALL(MPI_Win_allocate(bytes, sizeof(long), MPI_INFO_NULL, comm, &a->mem, &a->win));
    else if (flavor == SHARED)
        CALL(MPI_Win_allocate_shared(bytes, sizeof(long), MPI_INFO_NULL, comm, &a->mem, &a->win));
    else {
        CALL(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &a->win));
        CALL(MPI_Win_attach(a->win, a->mem, bytes));
        CALL(MPI_Get_address(a->mem, &mine));
        CALL(MPI_Allgather(&mine, 1, MPI_AINT, a->start, 1, MPI_AINT, comm));
    }
    CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, a->rank, 0, a->win));
    for (int i = 0; i < count; i++)
        a->mem[i] = value;
    CALL(MPI_Win_unlock(a->rank, a->win));
    CALL(MPI_Barrier(comm));
}

/* All ranks; nobody frees before all are through. */
HELPER void area_free(struct area *a)
{
    if (a->flavor == DYNAMIC) {
        CALL(MPI_Barrier(a->comm));
        CALL(MPI_Win_detach(a->win, a->mem));
    }
    CALL(MPI_Win_free(&a->win));
    CHECK(a->win == MPI_WIN_NULL);
    if (a->flavor == CREATED || a->flavor == DYNAMIC)
        free(a->mem);
    free(a->start);
}

/* One long of a rank, in a passive epoch of its own. */
HELPER long area_read(const struct area *a, int rank, long i)
{
    long value = -1;

    CALL(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, a->win));
    CALL(MPI_Get(&value, 1, MPI_LONG, rank, area_at(a, rank, i), 1, MPI_LONG, a->win));
    CALL(MPI_Win_unlock(rank, a->win));
    return value;
}

/* The group of n of comm's ranks. */
HELPER MPI_Group group_of(MPI_Comm comm, const int *ranks, int n)
{
    MPI_Group all, some;

    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, n, ranks, &some);
    MPI_Group_free(&all);
    return some;
}

/* Numbers that look random and are the same everywhere. */
HELPER unsigned dice(unsigned *state, unsigned sides)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % sides;
}

#endif
