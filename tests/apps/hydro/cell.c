/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cell.c: what a cell does by itself. Forces act on its corners; the work that they do, with the mean of the velocities before
 * and after, is taken out of its energy. That is just what the nodes gain, so the total stays the same to the last digits.
 */
#include "hydro.h"
#include <math.h>
#include <string.h>

static const double gas = 1.4;                     /* ratio of specific heats */
static const double linear = 0.5, quadratic = 1.5; /* viscosity */
static const double stiffness = 0.1;               /* against hourglass modes */
static const double courant = 0.25;

/* Each axis of the mesh has two faces, four corners each. */
typedef struct {
    vec at[CORNERS];
    vec face[AXES][2];
} shape;

static double dot(const vec a, const vec b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Half the product of the diagonals, in the direction of the axis. */
static void face_area(const shape *s, int axis, int side, vec area)
{
    int b = 1 << (axis + 1) % AXES, c = 1 << (axis + 2) % AXES, first = side << axis;
    vec u, v;
    for (int d = 0; d < AXES; d++) {
        u[d] = s->at[first + b + c][d] - s->at[first][d];
        v[d] = s->at[first + c][d] - s->at[first + b][d];
    }
    for (int d = 0; d < AXES; d++) {
        int e = (d + 1) % AXES, f = (d + 2) % AXES;
        area[d] = 0.5 * (u[e] * v[f] - u[f] * v[e]);
    }
}

static void look_at(const mesh *m, const int corners[CORNERS], shape *s)
{
    for (int c = 0; c < CORNERS; c++)
        memcpy(s->at[c], m->position[corners[c]], sizeof(vec));
    for (int axis = 0; axis < AXES; axis++)
        for (int side = 0; side < 2; side++)
            face_area(s, axis, side, s->face[axis][side]);
}

/* By Gauss's theorem. */
static double volume_of(const shape *s)
{
    double volume = 0;
    for (int axis = 0; axis < AXES; axis++)
        for (int c = 0; c < CORNERS; c++) {
            int side = c >> axis & 1;
            volume += (side ? 1 : -1) * dot(s->at[c], s->face[axis][side]) / 12;
        }
    return volume;
}

/* The mean over one face less that over the opposite one. */
static void across(const vec of[CORNERS], int axis, vec difference)
{
    for (int d = 0; d < AXES; d++) {
        difference[d] = 0;
        for (int c = 0; c < CORNERS; c++)
            difference[d] += (c >> axis & 1 ? 0.25 : -0.25) * of[c][d];
    }
}

/* A corner has a quarter of the three faces that meet there. */
static void press(const shape *s, double pressure, vec force[CORNERS])
{
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < AXES; d++) {
            double area = 0;
            for (int axis = 0; axis < AXES; axis++) {
                int side = c >> axis & 1;
                area += (side ? 0.25 : -0.25) * s->face[axis][side][d];
            }
            force[c][d] = pressure * area;
        }
}

/* Movements that leave the volume as it is: nothing else would damp them. */
static void damp(const vec velocity[CORNERS], double strength, vec force[CORNERS])
{
    static const int modes[4] = {3, 6, 5, 7}; /* axes whose signs are multiplied */
    for (int k = 0; k < 4; k++) {
        vec moved = {0, 0, 0};
        for (int turn = 0; turn < 2; turn++)
            for (int c = 0; c < CORNERS; c++) {
                double sign = __builtin_parity((unsigned)(c & modes[k])) ? -1 : 1;
                for (int d = 0; d < AXES; d++)
                    if (turn == 0)
                        moved[d] += sign * velocity[c][d];
                    else
                        force[c][d] -= strength * sign * moved[d];
            }
    }
}

static double fastest(const vec gradient)
{
    return fmax(fabs(gradient[0]), fmax(fabs(gradient[1]), fabs(gradient[2])));
}

static void force_of(mesh *m, int cell, const int corners[CORNERS], const vec gradient)
{
    vec *force = m->corner_force + CORNERS * cell, velocity[CORNERS];
    double rate = m->sound[cell] / cbrt(m->volume[cell]) + fastest(gradient),
           strength = stiffness * m->mass[cell] * rate;
    shape s;
    look_at(m, corners, &s);
    for (int c = 0; c < CORNERS; c++)
        memcpy(velocity[c], m->velocity[corners[c]], sizeof(vec));
    press(&s, m->pressure[cell] + m->viscosity[cell], force);
    damp((const vec *)velocity, strength, force);
    for (int c = 0; c < CORNERS; c++)
        for (int d = 0; d < AXES; d++) {
            int64_t whole = (int64_t)(force[c][d] / quantum);
            force[c][d] = (double)whole * quantum;
            m->force[corners[c]][d] += whole;
        }
}

void cells_forces(mesh *m)
{
    memset(m->force, 0, (size_t)m->nodes * sizeof *m->force);
    for (int z = 0; z < m->n[2]; z++)
        for (int y = 0; y < m->n[1]; y++)
            for (int x = 0; x < m->n[0]; x++) {
                int corners[CORNERS];
                cell_corners(m, x, y, z, corners);
                force_of(m, cell_at(m, x, y, z), corners, m->gradient[ghost_at(m, x, y, z)]);
            }
}

void cells_energy(mesh *m, double t)
{
    for (int z = 0; z < m->n[2]; z++)
        for (int y = 0; y < m->n[1]; y++)
            for (int x = 0; x < m->n[0]; x++) {
                int corners[CORNERS], cell = cell_at(m, x, y, z);
                double work = 0;
                cell_corners(m, x, y, z, corners);
                for (int c = 0; c < CORNERS; c++)
                    work += dot(m->corner_force[CORNERS * cell + c], m->mean[corners[c]]);
                m->energy[cell] -= t * work / m->mass[cell];
            }
}

static void shape_of(mesh *m, int cell, const int corners[CORNERS], vec gradient)
{
    vec velocity[CORNERS], apart, faster;
    shape s;
    look_at(m, corners, &s);
    m->volume[cell] = volume_of(&s);
    for (int c = 0; c < CORNERS; c++)
        memcpy(velocity[c], m->velocity[corners[c]], sizeof(vec));
    for (int axis = 0; axis < AXES; axis++) {
        across((const vec *)s.at, axis, apart);
        across((const vec *)velocity, axis, faster);
        m->width[cell][axis] = sqrt(dot(apart, apart));
        gradient[axis] = dot(faster, apart) / dot(apart, apart);
    }
}

void cells_shape(mesh *m)
{
    for (int z = 0; z < m->n[2]; z++)
        for (int y = 0; y < m->n[1]; y++)
            for (int x = 0; x < m->n[0]; x++) {
                int corners[CORNERS];
                cell_corners(m, x, y, z, corners);
                shape_of(m, cell_at(m, x, y, z), corners, m->gradient[ghost_at(m, x, y, z)]);
            }
}

/* What is beyond the face of a cell: a ghost, or by symmetry the same again, or nothing. */
static double beyond(const mesh *m, int ghost, int stride, int place, int axis, int side)
{
    int last = m->first[axis] + place == (side > 0 ? m->edge - 1 : 0);
    return !last ? m->gradient[ghost + side * stride][axis] : side < 0 ? m->gradient[ghost][axis] : 0;
}

/* How smooth the flow is along an axis: 1 where the neighbours are compressed alike, and no viscosity is needed. */
static double smoothness(const mesh *m, const int at[3], int axis)
{
    int ghost = ghost_at(m, at[0], at[1], at[2]), stride[AXES] = {1, m->n[0] + 2, 0};
    double own = m->gradient[ghost][axis], before, after;
    stride[2] = stride[1] * (m->n[1] + 2);
    if (own == 0)
        return 0;
    before = beyond(m, ghost, stride[axis], at[axis], axis, -1) / own;
    after = beyond(m, ghost, stride[axis], at[axis], axis, 1) / own;
    return fmax(0, fmin(1, fmin(0.5 * (before + after), 2 * fmin(before, after))));
}

static double viscosity_of(const mesh *m, int cell, const int at[3])
{
    const double *gradient = m->gradient[ghost_at(m, at[0], at[1], at[2])];
    double density = m->mass[cell] / m->volume[cell], q = 0;
    if (gradient[0] + gradient[1] + gradient[2] >= 0)
        return 0;
    for (int axis = 0; axis < AXES; axis++) {
        double jump = fmin(0, gradient[axis] * m->width[cell][axis]), smooth = smoothness(m, at, axis);
        q += quadratic * jump * jump * (1 - smooth * smooth) - linear * m->sound[cell] * jump * (1 - smooth);
    }
    return density * q;
}

void cells_state(mesh *m)
{
    for (int z = 0; z < m->n[2]; z++)
        for (int y = 0; y < m->n[1]; y++)
            for (int x = 0; x < m->n[0]; x++) {
                int at[3] = {x, y, z}, i = cell_at(m, x, y, z);
                double energy = fmax(0, m->energy[i]);
                m->pressure[i] = (gas - 1) * m->mass[i] / m->volume[i] * energy;
                m->sound[i] = sqrt(gas * (gas - 1) * energy);
                m->viscosity[i] = viscosity_of(m, i, at);
            }
}

/* Sound must not cross a cell, nor its faces come near each other. */
double cells_time_step(const mesh *m)
{
    double least = 1;
    for (int z = 0; z < m->n[2]; z++)
        for (int y = 0; y < m->n[1]; y++)
            for (int x = 0; x < m->n[0]; x++) {
                const double *gradient = m->gradient[ghost_at(m, x, y, z)];
                int i = cell_at(m, x, y, z);
                for (int axis = 0; axis < AXES; axis++) {
                    double speed = m->sound[i] / m->width[i][axis] + 2 * fabs(gradient[axis]);
                    least = fmin(least, courant / speed);
                }
            }
    return least;
}
