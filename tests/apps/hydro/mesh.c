/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.c: who has which cells. */
#include "hydro.h"
#include <stdio.h>
#include <stdlib.h>

static int start_of(int cells, int parts, int which)
{
    return (int)((long)cells * which / parts);
}

static int rank_at(const mesh *m, int x, int y, int z)
{
    int at[3] = {x, y, z};
    for (int d = 0; d < AXES; d++)
        if (at[d] < 0 || at[d] >= m->grid[d])
            return MPI_PROC_NULL;
    return (z * m->grid[1] + y) * m->grid[0] + x;
}

static void decompose(mesh *m, int edge)
{
    int rank, size;
    m->edge = edge;
    MPI_Comm_rank(hydro_comm, &rank);
    MPI_Comm_size(hydro_comm, &size);
    MPI_Dims_create(size, AXES, m->grid);
    if (edge < m->grid[0]) {
        fprintf(stderr, "hydro: %d cells are too few for %d processes\n", edge, m->grid[0]);
        MPI_Abort(hydro_comm, 2);
    }
    m->at[0] = rank % m->grid[0];
    m->at[1] = rank / m->grid[0] % m->grid[1];
    m->at[2] = rank / m->grid[0] / m->grid[1];
    m->cells = m->nodes = 1;
    for (int d = 0; d < AXES; d++) {
        m->first[d] = start_of(edge, m->grid[d], m->at[d]);
        m->n[d] = start_of(edge, m->grid[d], m->at[d] + 1) - m->first[d];
        m->cells *= m->n[d];
        m->nodes *= m->n[d] + 1;
    }
    for (int i = 0; i < DIRECTIONS; i++)
        m->neighbour[i] =
            i == MIDDLE ? MPI_PROC_NULL
                        : rank_at(m, m->at[0] + i % 3 - 1, m->at[1] + i / 3 % 3 - 1, m->at[2] + i / 9 - 1);
}

static void allocate(mesh *m)
{
    size_t nodes = (size_t)m->nodes, cells = (size_t)m->cells,
           ghosts = (size_t)(m->n[0] + 2) * (size_t)(m->n[1] + 2) * (size_t)(m->n[2] + 2);
    m->position = hydro_alloc(nodes, sizeof(vec));
    m->velocity = hydro_alloc(nodes, sizeof(vec));
    m->mean = hydro_alloc(nodes, sizeof(vec));
    m->force = hydro_alloc(nodes, sizeof(sum));
    m->node_mass = hydro_alloc(nodes, sizeof(double));
    m->mass = hydro_alloc(cells, sizeof(double));
    m->volume = hydro_alloc(cells, sizeof(double));
    m->energy = hydro_alloc(cells, sizeof(double));
    m->pressure = hydro_alloc(cells, sizeof(double));
    m->viscosity = hydro_alloc(cells, sizeof(double));
    m->sound = hydro_alloc(cells, sizeof(double));
    m->corner_force = hydro_alloc(CORNERS * cells, sizeof(vec));
    m->width = hydro_alloc(cells, sizeof(vec));
    m->gradient = hydro_alloc(ghosts, sizeof(vec));
}

void cell_corners(const mesh *m, int x, int y, int z, int corners[CORNERS])
{
    for (int c = 0; c < CORNERS; c++)
        corners[c] = node_at(m, x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
}

/* An eighth of each cell around a node, summed as forces are. */
static void weigh_nodes(mesh *m)
{
    for (int z = 0; z < m->n[2]; z++)
        for (int y = 0; y < m->n[1]; y++)
            for (int x = 0; x < m->n[0]; x++) {
                int corners[CORNERS];
                cell_corners(m, x, y, z, corners);
                for (int c = 0; c < CORNERS; c++)
                    m->force[corners[c]][0] += (int64_t)(m->mass[cell_at(m, x, y, z)] / CORNERS / quantum);
            }
    exchange_sums(m, m->force);
    for (int i = 0; i < m->nodes; i++)
        m->node_mass[i] = (double)m->force[i][0] * quantum;
}

void mesh_create(mesh *m, int edge)
{
    double side = 1.0 / edge;
    *m = (mesh){.edge = edge};
    decompose(m, edge);
    allocate(m);
    exchange_create(m);
    for (int z = 0; z <= m->n[2]; z++)
        for (int y = 0; y <= m->n[1]; y++)
            for (int x = 0; x <= m->n[0]; x++) {
                int at[3] = {x, y, z};
                for (int d = 0; d < AXES; d++)
                    m->position[node_at(m, x, y, z)][d] = (m->first[d] + at[d]) * side;
            }
    for (int i = 0; i < m->cells; i++) {
        m->mass[i] = m->volume[i] = side * side * side;
        m->energy[i] = 1e-6;
    }
    weigh_nodes(m);
}

void mesh_destroy(mesh *m)
{
    exchange_destroy(m);
    free(m->position);
    free(m->velocity);
    free(m->mean);
    free(m->force);
    free(m->node_mass);
    free(m->mass);
    free(m->volume);
    free(m->energy);
    free(m->pressure);
    free(m->viscosity);
    free(m->sound);
    free(m->corner_force);
    free(m->width);
    free(m->gradient);
}
