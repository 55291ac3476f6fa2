/* SPDX-License-Identifier: BSD-3-Clause */
/* model_private.h: what the files of the model share. */
#ifndef MODEL_PRIVATE_H
#define MODEL_PRIVATE_H

#include "model.h"

enum { TEMP, SALT, NUM_TRACERS };
enum { WEST, EAST, SOUTH, NORTH, NUM_SIDES };

/* Arrays of the block with a halo of one point: [level][row][column]. */
struct model {
    const struct job *job;
    ep_comm clients;
    struct block block;
    int nx, ny, nz; /* of the block */
    int row, level; /* distance in memory from row to row and from level to level */
    double *tracers[NUM_TRACERS], *new_tracers[NUM_TRACERS];
    double *mask; /* 1 water, 0 land */
    int *runs; /* the same in other words: of each row of each level, points of land, of water, of land ... */
    double *density;      /* kg/m3, at the surface's pressure */
    double *u, *v;        /* m/s, east and north */
    double *work;         /* [2][level][column]: one row's vertical mixing */
    struct start forcing; /* of all months */
    double *sst, *u_wind,
        *v_wind; /* of this step, without halo; sst: missing where there are no observations */
    double *wind_speed, *mixed_layer; /* m/s; m */
    int neighbours[NUM_SIDES];        /* rank, or MPI_PROC_NULL beyond the poles */
    int ended[NUM_SIDES];             /* that neighbour will not come any more */
    double *halos[2][NUM_SIDES];      /* what goes out and comes in: a flag, then values */
};

static inline size_t at(const struct model *model, int level, int row, int column)
{
    return (size_t)level * model->level + (size_t)(row + 1) * model->row + column + 1;
}

/* halo.c */
void halo_create(struct model *model);
void halo_free(struct model *model);
/* forcing.c: wind and surface of the middle of this step. */
void forcing_at(struct model *model, int step);
/* currents.c: density and currents from temperature, salinity and wind. */
void currents_compute(struct model *model);
/* tracers.c: temperature and salinity a step later; depth of the mixed layer. */
void tracers_advance(struct model *model, double timestep);

#endif
