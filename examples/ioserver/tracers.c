/* SPDX-License-Identifier: BSD-3-Clause */
/* tracers.c: temperature and salinity are carried along and mixed. */
#include "model_private.h"

#include <math.h>

#define RADIAN 0.017453292519943295
#define METRES_PER_DEGREE 111195.0

/* What a row of cells has in common. */
struct row {
    int number;
    double dx, dy;              /* m */
    double mix_east, mix_north; /* m2/s */
    double timestep;
};

static struct row describe_row(const struct model *model, int number, double timestep)
{
    const struct grid *grid = &model->job->grid;
    double degree = grid->lat[1] - grid->lat[0];
    double latitude = grid->lat[model->block.first_row + number];
    struct row row = {.number = number, .timestep = timestep, .dy = METRES_PER_DEGREE * degree};
    row.dx = row.dy * cos(RADIAN * latitude);
    row.mix_east = fmin(1500, 0.1 * row.dx * row.dx / timestep);
    row.mix_north = fmin(1500, 0.1 * row.dy * row.dy / timestep);
    return row;
}

/* Upstream differences carry, second differences mix; nothing comes from land. */
static void carry(struct model *model, int tracer, const struct row *row, int level)
{
    const double *value = model->tracers[tracer], *mask = model->mask;
    double *next = model->new_tracers[tracer];
    for (int i = 0; i < model->nx; i++) {
        size_t here = at(model, level, row->number, i);
        size_t north = here + model->row, south = here - model->row;
        double west_slope = mask[here - 1] * (value[here] - value[here - 1]);
        double east_slope = mask[here + 1] * (value[here + 1] - value[here]);
        double south_slope = mask[south] * (value[here] - value[south]);
        double north_slope = mask[north] * (value[north] - value[here]);
        double u = model->u[here], v = model->v[here];
        double carried = (u > 0 ? u * west_slope : u * east_slope) / row->dx +
                         (v > 0 ? v * south_slope : v * north_slope) / row->dy;
        double mixed = row->mix_east * (east_slope - west_slope) / (row->dx * row->dx) +
                       row->mix_north * (north_slope - south_slope) / (row->dy * row->dy);
        next[here] = value[here] + mask[here] * row->timestep * (mixed - carried);
    }
}

/* Mixing between this level and the next one, m2/s: little in stable layers, much in unstable ones; and by wind. */
static double exchange_below(const struct model *model, size_t here, size_t below, double distance,
                             double wind)
{
    double stability = 9.81 * (model->density[below] - model->density[here]) / (1025 * distance);
    double mixing = stability < 0 ? 0.1 : 1e-5 + 1e-3 / ((1 + stability * 4e4) * (1 + stability * 4e4));
    return model->mask[here] * model->mask[below] * (mixing + wind);
}

/* Implicit vertical mixing of one row: coefficients of the tridiagonal equations, [level][column]. */
static void set_mixing(struct model *model, const struct row *row, double *coefficients)
{
    const struct grid *grid = &model->job->grid;
    const double *speed = model->wind_speed + (size_t)row->number * model->nx;
    for (int k = 0; k < model->nz - 1; k++) {
        double distance = grid->depth[k + 1] - grid->depth[k], decay = exp(-grid->depth[k] / 30);
        for (int i = 0; i < model->nx; i++) {
            size_t here = at(model, k, row->number, i);
            double wind = 3e-5 * speed[i] * speed[i] * decay;
            double mixing = exchange_below(model, here, here + model->level, distance, wind);
            coefficients[(size_t)k * model->nx + i] = row->timestep * mixing / distance;
        }
    }
    for (int i = 0; i < model->nx; i++)
        coefficients[(size_t)(model->nz - 1) * model->nx + i] = 0;
}

static double thickness(const struct model *model, int level)
{
    const double *bounds = model->job->grid.depth_bounds;
    return bounds[2 * level + 1] - bounds[2 * level];
}

/* Solve the equations of a row for one tracer, from the top down and up again. */
static void mix_down(struct model *model, int tracer, const struct row *row, const double *exchange,
                     double *ratio)
{
    double *value = model->new_tracers[tracer];
    int n = model->nx;
    for (int k = 0; k < model->nz; k++) {
        double h = thickness(model, k);
        for (int i = 0; i < n; i++) {
            size_t here = at(model, k, row->number, i);
            double up = k > 0 ? exchange[(size_t)(k - 1) * n + i] / h : 0,
                   down = exchange[(size_t)k * n + i] / h;
            double above = k > 0 ? ratio[(size_t)(k - 1) * n + i] : 0;
            double pivot = 1 / (1 + up + down - up * above);
            ratio[(size_t)k * n + i] = down * pivot;
            value[here] = (value[here] + (k > 0 ? up * value[here - model->level] : 0)) * pivot;
        }
    }
    for (int k = model->nz - 2; k >= 0; k--)
        for (int i = 0; i < n; i++) {
            size_t here = at(model, k, row->number, i);
            value[here] += ratio[(size_t)k * n + i] * value[here + model->level];
        }
}

/* The surface follows the season within ten days. */
static void follow_season(struct model *model, const struct row *row)
{
    const double *sst = model->sst + (size_t)row->number * model->nx;
    for (int i = 0; i < model->nx; i++) {
        double *value = &model->new_tracers[TEMP][at(model, 0, row->number, i)];
        if (sst[i] != model->job->grid.missing)
            *value += row->timestep / 864000 * (sst[i] - *value);
    }
}

/* Down to where the water is 0.125 kg/m3 denser than at the surface. */
static void find_mixed_layer(struct model *model, int row)
{
    const struct grid *grid = &model->job->grid;
    for (int i = 0; i < model->nx; i++) {
        size_t top = at(model, 0, row, i), here = top;
        int k = 1;
        for (; k < model->nz && model->mask[here + model->level] > 0; k++, here += model->level)
            if (model->density[here + model->level] > model->density[top] + 0.125)
                break;
        model->mixed_layer[(size_t)row * model->nx + i] = grid->depth_bounds[2 * k - 1];
    }
}

void tracers_advance(struct model *model, double timestep)
{
    double *exchange = model->work, *ratio = model->work + (size_t)model->nz * model->nx;
    for (int j = 0; j < model->ny; j++) {
        struct row row = describe_row(model, j, timestep);
        set_mixing(model, &row, exchange);
        for (int tracer = 0; tracer < NUM_TRACERS; tracer++)
            for (int k = 0; k < model->nz; k++)
                carry(model, tracer, &row, k);
        follow_season(model, &row);
        for (int tracer = 0; tracer < NUM_TRACERS; tracer++)
            mix_down(model, tracer, &row, exchange, ratio);
        find_mixed_layer(model, j);
    }
    for (int tracer = 0; tracer < NUM_TRACERS; tracer++) {
        double *old = model->tracers[tracer];
        model->tracers[tracer] = model->new_tracers[tracer];
        model->new_tracers[tracer] = old;
    }
}
