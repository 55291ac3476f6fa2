/* SPDX-License-Identifier: BSD-3-Clause */
/* currents.c: density from temperature and salinity, currents from density and wind. */
#include "model_private.h"

#include <math.h>

#define RADIAN 0.017453292519943295
#define GRAVITY 9.81
#define REFERENCE_DENSITY 1025.0
#define METRES_PER_DEGREE 111195.0

/* Of sea water at the surface's pressure, T in degrees Celsius, S in 1e-3 (Millero and Poisson 1981). */
static double sea_water_density(double t, double s)
{
    double fresh =
        999.842594 +
        t * (6.793952e-2 + t * (-9.095290e-3 + t * (1.001685e-4 + t * (-1.120083e-6 + t * 6.536332e-9))));
    double a = 8.24493e-1 + t * (-4.0899e-3 + t * (7.6438e-5 + t * (-8.2467e-7 + t * 5.3875e-9)));
    double b = -5.72466e-3 + t * (1.0227e-4 - t * 1.6546e-6);
    return fresh + s * (a + b * sqrt(s) + 4.8314e-4 * s);
}

static void compute_density(struct model *model)
{
    const double *temp = model->tracers[TEMP], *salt = model->tracers[SALT];
    size_t size = (size_t)model->nz * model->level;
    for (size_t i = 0; i < size; i++)
        model->density[i] = sea_water_density(temp[i], salt[i]);
}

/* Difference over two steps, or over one next to land; none between two lands. */
static double slope(const double *density, const double *mask, size_t here, size_t before, size_t after)
{
    return mask[before] * (density[here] - density[before]) + mask[after] * (density[after] - density[here]);
}

static double coriolis(double latitude)
{
    double f = 2 * 7.2921e-5 * sin(RADIAN * latitude), least = 2 * 7.2921e-5 * sin(RADIAN * 5);
    return fabs(f) >= least ? f : f < 0 ? -least : least;
}

/* No current carries water further than 0.4 cells in a step. */
static double limited(double speed, double limit)
{
    speed = speed < limit ? speed : limit;
    return speed > -limit ? speed : -limit;
}

/* Thermal wind: the vertical shear of a current balances the slope of density across it. From a bottom at rest up. */
static void add_shear(struct model *model, int row, int level, double f, const double spacing[2])
{
    const struct grid *grid = &model->job->grid;
    const double *density = model->density, *mask = model->mask;
    double below = level + 1 < model->nz ? grid->depth[level + 1] - grid->depth[level] : 0;
    double factor = GRAVITY * below / (REFERENCE_DENSITY * f);
    for (int i = 0; i < model->nx; i++) {
        size_t here = at(model, level, row, i), down = below > 0 ? here + model->level : here;
        double east = slope(density, mask, here, here - 1, here + 1) / (2 * spacing[0]);
        double north = slope(density, mask, here, here - model->row, here + model->row) / (2 * spacing[1]);
        double u = below > 0 ? model->u[down] : 0, v = below > 0 ? model->v[down] : 0;
        model->u[here] = mask[here] * (u + factor * north);
        model->v[here] = mask[here] * (v - factor * east);
    }
}

/* The wind drags the surface along, turned to the right on the northern hemisphere, less and less so with depth. */
static void add_drift(struct model *model, int row, int level, double f, const double limits[2])
{
    const double *u_wind = model->u_wind + (size_t)row * model->nx,
                 *v_wind = model->v_wind + (size_t)row * model->nx;
    double share = 0.014 * exp(-model->job->grid.depth[level] / 30), side = f > 0 ? 1 : -1;
    for (int i = 0; i < model->nx; i++) {
        size_t here = at(model, level, row, i);
        double u = model->u[here] + model->mask[here] * share * (u_wind[i] + side * v_wind[i]);
        double v = model->v[here] + model->mask[here] * share * (v_wind[i] - side * u_wind[i]);
        model->u[here] = limited(u, limits[0]);
        model->v[here] = limited(v, limits[1]);
    }
}

void currents_compute(struct model *model)
{
    const struct job *job = model->job;
    const struct grid *grid = &job->grid;
    double degree = grid->lat[1] - grid->lat[0];
    compute_density(model);
    for (int j = 0; j < model->ny; j++) {
        double latitude = grid->lat[model->block.first_row + j], f = coriolis(latitude);
        double spacing[2] = {METRES_PER_DEGREE * degree * cos(RADIAN * latitude), METRES_PER_DEGREE * degree};
        double limits[2] = {0.4 * spacing[0] / job->iodef->timestep, 0.4 * spacing[1] / job->iodef->timestep};
        for (int k = model->nz - 1; k >= 0; k--)
            add_shear(model, j, k, f, spacing);
        for (int k = 0; k < model->nz; k++)
            add_drift(model, j, k, f, limits);
    }
}
