/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c: a client's block of the ocean. */
#include "model_private.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void allocate_arrays(struct model *model)
{
    size_t volume = (size_t)model->nz * model->level, area = block_size(model->block, 1);
    for (int tracer = 0; tracer < NUM_TRACERS; tracer++) {
        model->tracers[tracer] = allocate(volume, sizeof(double));
        model->new_tracers[tracer] = allocate(volume, sizeof(double));
    }
    model->mask = allocate(volume, sizeof(double));
    model->density = allocate(volume, sizeof(double));
    model->u = allocate(volume, sizeof(double));
    model->v = allocate(volume, sizeof(double));
    model->work = allocate(2 * (size_t)model->nz * model->nx, sizeof(double));
    model->sst = allocate(area, sizeof(double));
    model->u_wind = allocate(area, sizeof(double));
    model->v_wind = allocate(area, sizeof(double));
    model->wind_speed = allocate(area, sizeof(double));
    model->mixed_layer = allocate(area, sizeof(double));
}

/* Land has a salinity of nothing and a temperature of zero, which no point of water looks at. */
static void set_start(struct model *model)
{
    const float *temp = model->forcing.temp, *salt = model->forcing.salt;
    float missing = model->job->grid.missing;
    for (int k = 0; k < model->nz; k++)
        for (int j = 0; j < model->ny; j++)
            for (int i = 0; i < model->nx; i++, temp++, salt++) {
                size_t here = at(model, k, j, i);
                int water = *temp != missing && *salt != missing;
                model->mask[here] = water;
                model->tracers[TEMP][here] = water ? *temp : 0;
                model->tracers[SALT][here] = water ? *salt : 0;
            }
}

/* The mask of the halo: an exchange brings salinity, which is nothing on land alone. */
static void set_halo_mask(struct model *model)
{
    model_exchange(model, 0);
    for (int k = 0; k < model->nz; k++)
        for (int j = -1; j <= model->ny; j++)
            for (int i = -1; i <= model->nx; i++)
                model->mask[at(model, k, j, i)] = model->tracers[SALT][at(model, k, j, i)] > 0;
}

/* A row has at most one run more than points. */
static void set_runs(struct model *model)
{
    int *run = allocate((size_t)model->nz * model->ny * (model->nx + 2), sizeof *run);
    model->runs = run;
    for (int k = 0; k < model->nz; k++)
        for (int j = 0; j < model->ny; j++) {
            const double *mask = model->mask + at(model, k, j, 0);
            for (int i = 0, water = 0; i < model->nx; water = !water, run++)
                for (; i < model->nx && (mask[i] > 0) == water; i++)
                    ++*run;
        }
}

struct model *model_create(const struct job *job, ep_comm clients)
{
    struct model *model = allocate(1, sizeof *model);
    int client;
    ep_comm_rank(clients, &client);
    model->job = job;
    model->clients = clients;
    model->block = client_block(job, client);
    model->nx = model->block.num_columns;
    model->ny = model->block.num_rows;
    model->nz = job->grid.nz;
    model->row = model->nx + 2;
    model->level = model->row * (model->ny + 2);
    allocate_arrays(model);
    halo_create(model);
    read_start(job, clients, &model->forcing);
    set_start(model);
    set_halo_mask(model);
    set_runs(model);
    return model;
}

void model_free(struct model *model)
{
    double *all[] = {model->tracers[TEMP],
                     model->tracers[SALT],
                     model->new_tracers[TEMP],
                     model->new_tracers[SALT],
                     model->mask,
                     model->density,
                     model->u,
                     model->v,
                     model->work,
                     model->sst,
                     model->u_wind,
                     model->v_wind,
                     model->wind_speed,
                     model->mixed_layer};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(model->runs);
    halo_free(model);
    free_start(&model->forcing);
    free(model);
}

void model_step(struct model *model, int step)
{
    forcing_at(model, step);
    currents_compute(model);
    tracers_advance(model, model->job->iodef->timestep);
}

/* ---- What others see ---------------------------------------------------------------------------- */

static const struct {
    const char *id;
    int is_3d, has_halo;
    size_t array; /* where struct model has it */
} fields[] = {
    {"temp", 1, 1, offsetof(struct model, tracers[TEMP])},
    {"salt", 1, 1, offsetof(struct model, tracers[SALT])},
    {"u", 1, 1, offsetof(struct model, u)},
    {"v", 1, 1, offsetof(struct model, v)},
    {"sst", 0, 1, offsetof(struct model, tracers[TEMP])},
    {"sss", 0, 1, offsetof(struct model, tracers[SALT])},
    {"mld", 0, 0, offsetof(struct model, mixed_layer)},
    {"wspd", 0, 0, offsetof(struct model, wind_speed)},
};

int model_find_field(const char *id)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].id, id) == 0)
            return (int)i;
    return -1;
}

int model_field_is_3d(int number)
{
    return fields[number].is_3d;
}

/* Giving values away is what output costs the model: points of land are not even read. Returns the next row's runs. */
static const int *export_row(const int *run, int nx, const double *row, float missing, float *values)
{
    for (int i = 0, water = 0; i < nx; water = !water) {
        int end = i + *run++;
        if (water)
            for (; i < end; i++)
                values[i] = (float)row[i];
        else
            for (; i < end; i++)
                values[i] = missing;
    }
    return run;
}

void model_export(const struct model *model, int number, float *values)
{
    const double *array;
    const int *run = model->runs;
    memcpy(&array, (const char *)model + fields[number].array, sizeof array);
    for (int k = 0; k < (fields[number].is_3d ? model->nz : 1); k++)
        for (int j = 0; j < model->ny; j++, values += model->nx) {
            size_t row = fields[number].has_halo ? at(model, k, j, 0) : (size_t)j * model->nx;
            run = export_row(run, model->nx, array + row, model->job->grid.missing, values);
        }
}
