/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hydro: a point explosion in a cold gas (Sedov), explicit hydrodynamics on cells that move with the gas. As in LULESH a
 * step has sums at nodes with up to 26 neighbours, ghosts of cells from six, and a time step that all agree on.
 * An eighth of the explosion is computed: three sides of the cube are mirrors, the others are free. Known are the total
 * energy, the radius of the shock wave, that it is the same along all axes, and that the bits do not depend on the processes.
 *     hydro [-q] [-s cells along an edge] [-t time of the end]
 */
#include "hydro.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

MPI_Comm hydro_comm = MPI_COMM_WORLD;

static int edge = 16;
static double end = 0.4;
static const double explosion = 1.0; /* in all eight octants */

void *hydro_alloc(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (p == NULL) {
        fprintf(stderr, "hydro: no memory for %zu items\n", count);
        MPI_Abort(hydro_comm, 2);
    }
    return p;
}

static void parse(int argc, char **argv)
{
    int c, good = 1;
    while ((c = getopt(argc, argv, "qs:t:")) != -1)
        switch (c) {
        case 'q':
            edge = 9;
            break;
        case 's':
            edge = atoi(optarg);
            break;
        case 't':
            end = atof(optarg);
            break;
        default:
            good = 0;
        }
    if (!good || edge < 2 || !(end > 0)) {
        fprintf(stderr, "usage: hydro [-q] [-s cells] [-t time]\n");
        MPI_Abort(hydro_comm, 2);
    }
}

/* The energy of the explosion, in a few cells around the corner where the mirrors meet. */
static void explode(mesh *m)
{
    double line = 0;
    for (int i = 0; i < m->edge; i++)
        line += exp(-0.25 * (i + 0.5) * (i + 0.5));
    for (int z = 0, i = 0; z < m->n[2]; z++)
        for (int y = 0; y < m->n[1]; y++)
            for (int x = 0; x < m->n[0]; x++, i++) {
                double at[3] = {m->first[0] + x + 0.5, m->first[1] + y + 0.5, m->first[2] + z + 0.5};
                double part =
                    exp(-0.25 * at[0] * at[0]) * exp(-0.25 * at[1] * at[1]) * exp(-0.25 * at[2] * at[2]);
                m->energy[i] += explosion / 8 * part / (line * line * line) / m->mass[i];
            }
}

/* Nodes gain speed and move; those in the mirrors stay there. */
static void move_nodes(mesh *m, double t)
{
    int i = 0;
    for (int z = 0; z <= m->n[2]; z++)
        for (int y = 0; y <= m->n[1]; y++)
            for (int x = 0; x <= m->n[0]; x++, i++) {
                int at[3] = {x, y, z};
                for (int d = 0; d < AXES; d++) {
                    double gain = t * (double)m->force[i][d] * quantum / m->node_mass[i];
                    if (m->first[d] + at[d] == 0)
                        gain = 0;
                    m->mean[i][d] = m->velocity[i][d] + 0.5 * gain;
                    m->velocity[i][d] += gain;
                    m->position[i][d] += t * m->velocity[i][d];
                }
            }
}

static double agree(double mine, MPI_Op op)
{
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, op, hydro_comm);
    return all;
}

static void update_cells(mesh *m)
{
    cells_shape(m);
    exchange_ghosts(m, m->gradient);
    cells_state(m);
}

/* Until the end; returns how many steps. */
static int run(mesh *m)
{
    int steps = 0;
    double now = 0, before = 1e-4 / edge;
    update_cells(m);
    for (; now < end; steps++) {
        double t = fmin(agree(cells_time_step(m), MPI_MIN), fmin(1.1 * before, end - now));
        cells_forces(m);
        exchange_sums(m, m->force);
        move_nodes(m, t);
        cells_energy(m, t);
        update_cells(m);
        now += t;
        before = t;
    }
    return steps;
}

/* Is a node mine alone, or mine among those who have it? */
static int counts_as_mine(const mesh *m, int x, int y, int z)
{
    return (x > 0 || m->at[0] == 0) && (y > 0 || m->at[1] == 0) && (z > 0 || m->at[2] == 0);
}

static double total_energy(const mesh *m)
{
    double mine = 0;
    for (int i = 0; i < m->cells; i++)
        mine += m->mass[i] * m->energy[i];
    for (int z = 0, i = 0; z <= m->n[2]; z++)
        for (int y = 0; y <= m->n[1]; y++)
            for (int x = 0; x <= m->n[0]; x++, i++)
                for (int d = 0; d < AXES && counts_as_mine(m, x, y, z); d++)
                    mine += 0.5 * m->node_mass[i] * m->velocity[i][d] * m->velocity[i][d];
    return agree(mine, MPI_SUM);
}

static void center_of(const mesh *m, int x, int y, int z, vec center)
{
    int corners[CORNERS];
    cell_corners(m, x, y, z, corners);
    for (int d = 0; d < AXES; d++) {
        center[d] = 0;
        for (int c = 0; c < CORNERS; c++)
            center[d] += m->position[corners[c]][d] / CORNERS;
    }
}

/* Where the gas is dense: behind the shock. And how unlike the three axes are. */
static double shock_radius(const mesh *m, double *asymmetry)
{
    double mine[5] = {0}, all[5];
    for (int z = 0; z < m->n[2]; z++)
        for (int y = 0; y < m->n[1]; y++)
            for (int x = 0; x < m->n[0]; x++) {
                int i = cell_at(m, x, y, z);
                double density = m->mass[i] / m->volume[i], weight = m->mass[i] * pow(density, 4);
                vec center;
                center_of(m, x, y, z, center);
                for (int d = 0; d < AXES; d++)
                    mine[d] += m->mass[i] * m->energy[i] * center[d];
                if (density > 1.3) {
                    mine[3] +=
                        weight * sqrt(center[0] * center[0] + center[1] * center[1] + center[2] * center[2]);
                    mine[4] += weight;
                }
            }
    MPI_Allreduce(mine, all, 5, MPI_DOUBLE, MPI_SUM, hydro_comm);
    *asymmetry = fmax(fabs(all[0] - all[1]), fabs(all[1] - all[2])) / all[0];
    return all[3] / all[4];
}

static uint64_t mix(uint64_t v)
{
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

/* All bits of the nodes' positions, and where in the whole they are. */
static uint64_t digest(const mesh *m)
{
    uint64_t mine = 0, all, side = (uint64_t)m->edge + 1;
    for (int z = 0, i = 0; z <= m->n[2]; z++)
        for (int y = 0; y <= m->n[1]; y++)
            for (int x = 0; x <= m->n[0]; x++, i++) {
                uint64_t bits[3],
                    at = ((uint64_t)(m->first[2] + z) * side + (uint64_t)(m->first[1] + y)) * side +
                         (uint64_t)(m->first[0] + x);
                memcpy(bits, m->position[i], sizeof bits);
                if (counts_as_mine(m, x, y, z))
                    mine += mix(mix(mix(mix(at) + bits[0]) + bits[1]) + bits[2]);
            }
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, hydro_comm);
    return all;
}

int main(int argc, char **argv)
{
    mesh m;
    double time, begun, lost, asymmetry, radius, known;
    uint64_t bits;
    int rank, steps, good;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(hydro_comm, &rank);
    parse(argc, argv);
    mesh_create(&m, edge);
    explode(&m);
    begun = total_energy(&m);
    time = MPI_Wtime();
    steps = run(&m);
    time = agree(MPI_Wtime() - time, MPI_MAX);
    lost = fabs(total_energy(&m) - begun) / begun;
    radius = shock_radius(&m, &asymmetry);
    known = 1.033 * pow(explosion * end * end, 0.2); /* for this gas, of density 1 */
    bits = digest(&m);
    good = lost < 1e-11 && asymmetry < 1e-9 && fabs(radius - known) < 1.5 / edge;
    if (rank == 0) {
        printf("RESULT hydro %dx%dx%d steps %d radius %.6f digest %016llx %s\n", edge, edge, edge, steps,
               radius, (unsigned long long)bits, good ? "PASSED" : "FAILED");
        printf("TIME hydro %.4f\n", time);
        if (!good)
            fprintf(stderr, "hydro: energy lost %g, axes differ by %g, radius %g should be %g\n", lost,
                    asymmetry, radius, known);
    }
    mesh_destroy(&m);
    MPI_Finalize();
    return good ? 0 : 1;
}
