/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of cells, a piece of it on each rank. */
#ifndef GRID_H
#define GRID_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

extern int grid_steps; /* done so far */

void grid_start(MPI_Comm comm, int cells);
void grid_step(void);
double grid_sum(void);

#ifdef __cplusplus
}
#endif

#endif
