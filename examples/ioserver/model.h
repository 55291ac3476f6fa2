/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h: a small ocean model, of which each client has a block. Temperature and salinity are carried by currents
 * that follow from density (thermal wind) and wind (surface drift), mixed sideways and, more or less as the layering
 * is stable or not, downwards, and the surface follows the observed seasons. It is there to have the structure and
 * the costs of an ocean model: real equations and stencils, halos each step, about a hundred operations a point.
 *
 * A point's values depend on its neighbours' alone and are computed in one order: the same bits for any division into
 * blocks.
 */
#ifndef MODEL_H
#define MODEL_H

#include "input.h"
#include "job.h"
#include "ranks.h"

struct model;

/* Collective over the clients, as model_exchange is. */
struct model *model_create(const struct job *job, ep_comm clients);
void model_free(struct model *model);

/* Bring the neighbours' edges here. ending: this client will not go on. 1: do not go on, since a neighbour will not;
 * it has to be told to the other neighbours by one more exchange, as ending. (halo.c) */
int model_exchange(struct model *model, int ending);
/* Advance by a time step; step counts from 1. */
void model_step(struct model *model, int step);

/* The field of this name that the model has, or -1; and its values of the block. */
int model_find_field(const char *id);
int model_field_is_3d(int number);
void model_export(const struct model *model, int number, float *values);

#endif
