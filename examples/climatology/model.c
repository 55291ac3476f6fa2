/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c: a model endpoint. It owns a band of latitudes, computes month after month (here: reads
 * the month and derives the wind speed) and hands its fields to the servers, which gather them from all
 * models, while it goes on with the next month: two buffers, so that one can still be on its way
 * while the other is filled.
 */
#include "climatology.h"

#include <math.h>
#include <stdlib.h>

/* Models keep together what is computed together: all fields of one grid cell. */
struct cell {
    float value[NFIELD];
};

struct buffer {
    struct cell *cells;
    ep_request gathers[NFIELD];
};

/* One field of consecutive cells, without copying it together first. */
static MPI_Datatype field_in_cells(void)
{
    MPI_Datatype type;
    MPI_Type_create_resized(MPI_FLOAT, 0, sizeof(struct cell), &type);
    MPI_Type_commit(&type);
    return type;
}

static float wind_speed(const struct cell *cell, float missing)
{
    double east = cell->value[UWND], north = cell->value[VWND];
    if (cell->value[UWND] == missing || cell->value[VWND] == missing)
        return missing;
    return (float)sqrt(east * east + north * north);
}

/* The model's "time step": fill the buffer with one month. */
static void compute_month(const struct job *job, struct band band, int month, float *scratch,
                          struct cell *cells)
{
    int ncell = band.rows * job->grid.nlon;
    for (int f = 0; f < NINPUT; f++) {
        read_band(job, f, month, band, scratch);
        for (int i = 0; i < ncell; i++)
            cells[i].value[f] = scratch[i];
    }
    for (int i = 0; i < ncell; i++)
        cells[i].value[WSPD] = wind_speed(&cells[i], job->grid.missing);
}

void run_model(const struct job *job, ep_comm world, int rank)
{
    struct band band = {job->first[rank], job->rows[rank]};
    int ncell = band.rows * job->grid.nlon;
    MPI_Datatype field_type = field_in_cells();
    float *scratch = allocate(ncell, sizeof(float));
    struct buffer buffers[2];
    for (int b = 0; b < 2; b++) {
        buffers[b].cells = allocate(ncell, sizeof(struct cell));
        for (int f = 0; f < NFIELD; f++)
            buffers[b].gathers[f] = EP_REQUEST_NULL;
    }

    for (int month = 0; month < job->grid.nmonth; month++) {
        struct buffer *buffer = &buffers[month % 2];
        ep_waitall(NFIELD, buffer->gathers, EP_STATUSES_IGNORE); /* the month before last has left it */
        compute_month(job, band, month, scratch, buffer->cells);
        for (int f = 0; f < NFIELD; f++)
            ep_igatherv(&buffer->cells[0].value[f], ncell, field_type, NULL, NULL, NULL, MPI_DATATYPE_NULL,
                        rank_of_server(job, f), world, &buffer->gathers[f]);
    }

    for (int b = 0; b < 2; b++) {
        ep_waitall(NFIELD, buffers[b].gathers, EP_STATUSES_IGNORE);
        free(buffers[b].cells);
    }
    free(scratch);
    MPI_Type_free(&field_type);
}
