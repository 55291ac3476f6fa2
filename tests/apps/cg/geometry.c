/* SPDX-License-Identifier: BSD-3-Clause */
/* geometry.c: boxes and their neighbours. */
#include "cg.h"
#include <stdio.h>
#include <stdlib.h>

MPI_Comm cg_comm = MPI_COMM_WORLD;

void *cg_alloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (p == NULL) {
        fprintf(stderr, "cg: no memory for %zu items\n", count);
        MPI_Abort(cg_comm, 2);
    }
    return p;
}

void geometry_init(geometry *g, int nx, int ny, int nz)
{
    int rest;
    g->n[0] = nx;
    g->n[1] = ny;
    g->n[2] = nz;
    g->procs[0] = g->procs[1] = g->procs[2] = 0;
    MPI_Comm_rank(cg_comm, &g->rank);
    MPI_Comm_size(cg_comm, &g->size);
    MPI_Dims_create(g->size, 3, g->procs);
    g->coords[0] = g->rank % g->procs[0];
    rest = g->rank / g->procs[0];
    g->coords[1] = rest % g->procs[1];
    g->coords[2] = rest / g->procs[1];
}

void direction_offsets(int direction, int offset[3])
{
    offset[0] = direction % 3 - 1;
    offset[1] = direction / 3 % 3 - 1;
    offset[2] = direction / 9 - 1;
}

int geometry_neighbour(const geometry *g, int direction)
{
    int offset[3], c[3];
    direction_offsets(direction, offset);
    for (int d = 0; d < 3; d++) {
        c[d] = g->coords[d] + offset[d];
        if (c[d] < 0 || c[d] >= g->procs[d])
            return MPI_PROC_NULL;
    }
    return (c[2] * g->procs[1] + c[1]) * g->procs[0] + c[0];
}

int geometry_face(const geometry *g, int direction, int *points)
{
    int offset[3], from[3], to[3], count = 0;
    direction_offsets(direction, offset);
    for (int d = 0; d < 3; d++) {
        from[d] = offset[d] > 0 ? g->n[d] - 1 : 0;
        to[d] = offset[d] < 0 ? 1 : g->n[d];
    }
    for (int z = from[2]; z < to[2]; z++)
        for (int y = from[1]; y < to[1]; y++)
            for (int x = from[0]; x < to[0]; x++)
                points[count++] = (z * g->n[1] + y) * g->n[0] + x;
    return count;
}

int geometry_move(const geometry *g, int p, const int offset[3], long at[3])
{
    int inside = 1;
    for (int d = 0; d < 3; d++) {
        at[d] = (long)g->coords[d] * g->n[d] + p % g->n[d] + offset[d];
        inside = inside && at[d] >= 0 && at[d] < (long)g->n[d] * g->procs[d];
        p /= g->n[d];
    }
    return inside;
}
