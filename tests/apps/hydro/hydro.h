/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydro.h: a box of cells that move with the gas, as in LULESH: positions, velocities and forces are the nodes', density,
 * energy and pressure the cells'. Nodes at the edges of a box are those of up to eight processes.
 */
#ifndef HYDRO_H
#define HYDRO_H
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

extern MPI_Comm hydro_comm;
void *hydro_alloc(size_t count, size_t size);

typedef double vec[3];
typedef int64_t sum[3]; /* of forces: see exchange.c */

enum { CORNERS = 8, AXES = 3, DIRECTIONS = 27, MIDDLE = 13 };

typedef struct {
    int edge;     /* cells along each edge of the whole cube */
    int n[3];     /* mine */
    int first[3]; /* the place of my first cell in the whole */
    int grid[3], at[3];
    int neighbour[DIRECTIONS]; /* the process beside me in each direction, or MPI_PROC_NULL */
    int cells, nodes;

    /* nodes */
    vec *position, *velocity, *mean; /* mean: of the velocities before and after a step */
    sum *force;
    double *node_mass;

    /* cells */
    double *mass, *volume, *energy /* of one unit of mass */, *pressure, *viscosity, *sound;
    vec *corner_force; /* CORNERS for each cell */

    vec *width;    /* how far opposite faces are from each other, along each axis of the mesh */
    vec *gradient; /* of the velocity along these axes: cells with a layer of ghosts around */
} mesh;

/* mesh.c: a cube of edge*edge*edge cells at rest, spread over the processes. */
void mesh_create(mesh *m, int edge);
void mesh_destroy(mesh *m);

static inline int cell_at(const mesh *m, int x, int y, int z)
{
    return (z * m->n[1] + y) * m->n[0] + x;
}

static inline int node_at(const mesh *m, int x, int y, int z)
{
    return (z * (m->n[1] + 1) + y) * (m->n[0] + 1) + x;
}

/* From -1 to n. */
static inline int ghost_at(const mesh *m, int x, int y, int z)
{
    return ((z + 1) * (m->n[1] + 2) + y + 1) * (m->n[0] + 2) + x + 1;
}

/* The nodes at the corners of a cell: corner 1 is one along x, 2 along y, 4 along z. */
void cell_corners(const mesh *m, int x, int y, int z, int corners[CORNERS]);

/* exchange.c */
void exchange_create(const mesh *m);
void exchange_destroy(const mesh *m);
/* What each process has added up of a node becomes what all together have. */
void exchange_sums(const mesh *m, sum *of);
/* The layer of ghosts beside each face gets the cells of the neighbour there. */
void exchange_ghosts(const mesh *m, vec *field);

/* cell.c: each changes its own cells only */
void cells_forces(mesh *m);           /* corner_force, and what my cells add up to at each node */
void cells_energy(mesh *m, double t); /* a step long t has gone by */
void cells_shape(mesh *m);            /* volume, width, gradient */
void cells_state(mesh *m);            /* pressure, viscosity, sound; of these and of energy */
double cells_time_step(const mesh *m);

/* Forces as integers: sums of these do not depend on their order, so the results of any number of processes have the same bits. */
static const double quantum = 0x1p-44;
#endif
