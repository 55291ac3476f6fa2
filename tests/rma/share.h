/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * share.h: windows for tests, made in each of the ways that there are. Displacements count bytes, unless a test makes its
 * window itself.
 */
#ifndef EP_TEST_SHARE_H
#define EP_TEST_SHARE_H

#include "harness.h"

enum { CREATED, ALLOCATED, SHARED, DYNAMIC, KINDS };

/* One endpoint's view of a window that has as many bytes at every endpoint. */
typedef struct {
    ep_win win;
    ep_comm comm;
    char *base;      /* own memory, at first all 0 */
    MPI_Aint *first; /* by rank: displacement of the memory there */
    size_t bytes;
    int kind, rank, size;
} share;

/* Collective over comm. Errors are returned. It ends with a barrier; 0 if it failed. */
int share_make(share *a, ep_comm comm, int kind, size_t bytes);
void share_free(share *a);

/* Displacement of the byte `offset` of rank's memory. */
MPI_Aint share_at(const share *a, int rank, size_t offset);

/* How often to do something that costs each of 4 endpoints as much as the others together: n, or less where there are
 * more endpoints or all is slow. At least 1. */
int times(const team_t *t, int n);

/* One long at rank, in an epoch that allows it. Complete on return. */
long add(const share *a, int rank, size_t offset, long value);
long look(const share *a, int rank, size_t offset);

#endif
