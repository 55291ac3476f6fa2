/* SPDX-License-Identifier: BSD-3-Clause */
/* What Fortran programs that use MPI and ep give for MPI_BOTTOM and its like: variables of the MPI underneath, in other places in
 * mpi_f08 than in mpif.h and module mpi; and its numbers of keys. f08.f90 and mpif.f90 tell. */
#include "fortran/fortran.h"

enum { STYLES = 2 };

struct sentinel_range sentinel_range = {UINTPTR_MAX, 0};
/* Constant, too. */
static const void *bottoms[STYLES], *in_places[STYLES], *unweighteds[STYLES], *empties[STYLES];
static int nstyles;

ep_status ep_fortran_status_ignore, ep_fortran_statuses_ignore;

static void sentinel_keep(const void *place[], const void *p)
{
    place[nstyles] = p;
    if ((uintptr_t)p < sentinel_range.first)
        sentinel_range.first = (uintptr_t)p;
    if ((uintptr_t)p >= sentinel_range.end)
        sentinel_range.end = (uintptr_t)p + 1;
}

void ep_fortran_sentinels_(const void *bottom, const void *in_place, const void *unweighted,
                           const void *weights_empty);
void ep_fortran_sentinels_(const void *bottom, const void *in_place, const void *unweighted,
                           const void *weights_empty)
{
    sentinel_keep(bottoms, bottom);
    sentinel_keep(in_places, in_place);
    sentinel_keep(unweighteds, unweighted);
    sentinel_keep(empties, weights_empty);
    nstyles++;
}

/* In MPICH Fortran has other functions for attributes, and so other keys. */
static const int keys_c[] = {
    MPI_TAG_UB,       MPI_HOST,     MPI_IO,       MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE,     MPI_APPNUM,
    MPI_LASTUSEDCODE, MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT,   MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL};
enum { NKEYS = sizeof keys_c / sizeof *keys_c };
static MPI_Fint keys[NKEYS];

void ep_fortran_keys_(const MPI_Fint *n, const MPI_Fint numbers[]);
void ep_fortran_keys_(const MPI_Fint *n, const MPI_Fint numbers[])
{
    for (int i = 0; i < *n && i < NKEYS; i++)
        keys[i] = numbers[i];
}

int keyval_f2c(MPI_Fint number)
{
    int key = number;
    for (int i = 0; i < NKEYS; i++)
        if (keys[i] == number)
            key = keys_c[i];
    return key;
}

void ep_fortran_f08_(void);
void ep_fortran_mpif_(void);

/* Addresses are known once the libraries are loaded, and wanted before the first call. */
__attribute__((constructor)) static void underneath_begin(void)
{
    ep_fortran_f08_();
    ep_fortran_mpif_();
}

static bool is_one_of(const void *const places[], const void *p)
{
    bool found = false;
    for (int i = 0; i < nstyles; i++)
        found = found || places[i] == p;
    return found;
}

void *underneath_buffer(void *p)
{
    if (is_one_of(bottoms, p))
        return MPI_BOTTOM;
    return is_one_of(in_places, p) ? MPI_IN_PLACE : p;
}

const int *underneath_weights(const int *p)
{
    if (is_one_of(unweighteds, p))
        return MPI_UNWEIGHTED;
    return is_one_of(empties, p) ? MPI_WEIGHTS_EMPTY : p;
}
