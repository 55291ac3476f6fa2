/* SPDX-License-Identifier: BSD-3-Clause */
/* halo.h: a piece of a 2-D grid in each process of a Cartesian communicator. */
#ifndef HALO_H
#define HALO_H
#include <mpi.h>

enum { ACROSS = 0, ALONG = 1 }; /* dimensions: ends in walls, closed to a ring */

extern MPI_Comm grid_comm;
extern int global[2]; /* cells of the whole grid */
extern int local[2];  /* of this process, without halo */
extern int first[2];  /* global index of its first cell */

/* grid.c */
void grid_create(MPI_Comm parent, int across, int along);
void grid_destroy(void);
double *field_create(void);
static inline double *cell(double *u, int i, int j)
{
    return u + i * (local[ALONG] + 2) + j;
}

/* exchange.c: one set of persistent requests per field */
typedef struct exchange exchange;
exchange *exchange_create(double *u);
void exchange_begin(exchange *e);
void exchange_end(exchange *e);
void exchange_destroy(exchange *e);
#endif
