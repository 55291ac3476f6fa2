/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * server.c: a server endpoint. It takes the bands of its fields in whatever order they come,
 * assembles the months, and writes each month as soon as its last band is there.
 */
#include "climatology.h"

#include <stdlib.h>

/* One field in the care of this server. */
struct product {
    struct output out;
    float *months;   /* nmonth x nlat x nlon: fast models may be months ahead of slow ones */
    int *open_bands; /* of each month */
    double *mean;    /* of each month */
};

/* A row of the global field as the models send it: their last columns are our first ones. */
static MPI_Datatype rotated_row(const struct grid *grid)
{
    int lengths[2] = {grid->nlon - grid->wrapped, grid->wrapped};
    int places[2] = {grid->wrapped, 0};
    MPI_Datatype pieces, row;
    MPI_Type_indexed(2, lengths, places, MPI_FLOAT, &pieces);
    MPI_Type_create_resized(pieces, 0, grid->nlon * (MPI_Aint)sizeof(float), &row);
    MPI_Type_commit(&row);
    MPI_Type_free(&pieces);
    return row;
}

/* Mean over the cells that have a value, weighted by their area. Summed in double, row by row: the
 * result cannot depend on who sent which rows. */
static double area_mean(const struct grid *grid, const float *values)
{
    double sum = 0, area = 0;
    for (int i = 0; i < grid->nlat; i++) {
        double row_sum = 0;
        int present = 0;
        for (int j = 0; j < grid->nlon; j++) {
            float value = values[i * grid->nlon + j];
            if (value != grid->missing) {
                row_sum += value;
                present++;
            }
        }
        sum += grid->weight[i] * row_sum;
        area += grid->weight[i] * present;
    }
    return area > 0 ? sum / area : grid->missing;
}

/* Mean of each cell over the months in which it has a value, all of the same weight. */
static void annual_mean(const struct grid *grid, const float *months, float *annual)
{
    size_t ncell = (size_t)grid->nlat * grid->nlon;
    for (size_t i = 0; i < ncell; i++) {
        double sum = 0;
        int present = 0;
        for (int m = 0; m < grid->nmonth; m++) {
            float value = months[m * ncell + i];
            if (value != grid->missing) {
                sum += value;
                present++;
            }
        }
        annual[i] = present ? (float)(sum / present) : grid->missing;
    }
}

static struct product open_product(const struct job *job, int field)
{
    const struct grid *grid = &job->grid;
    struct product product = {
        .out = create_output(job, field),
        .months = allocate((size_t)grid->nmonth * grid->nlat * grid->nlon, sizeof(float)),
        .open_bands = allocate(grid->nmonth, sizeof(int)),
        .mean = allocate(grid->nmonth, sizeof(double)),
    };
    for (int m = 0; m < grid->nmonth; m++)
        product.open_bands[m] = job->nmodel;
    return product;
}

/* Receive one band of any field and month, from any model, straight to its place in the global field. */
static void receive_band(const struct job *job, ep_comm world, MPI_Datatype row, struct product *products)
{
    const struct grid *grid = &job->grid;
    ep_message message;
    ep_status status;
    ep_mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &message, &status);
    int field = status.MPI_TAG % NFIELD, month = status.MPI_TAG / NFIELD;
    struct band band = band_of_model(job, model_of_rank(job, status.MPI_SOURCE));
    struct product *product = &products[field];
    float *values = product->months + (size_t)month * grid->nlat * grid->nlon;
    ep_mrecv(values + (size_t)band.first * grid->nlon, band.rows, row, &message, &status);

    int rows;
    ep_get_count(&status, row, &rows);
    if (rows != band.rows)
        fail("band", "not as many rows as its model owns");
    if (--product->open_bands[month] == 0) {
        product->mean[month] = area_mean(grid, values);
        write_month(product->out, grid, month, values, product->mean[month]);
    }
}

static void close_product(const struct job *job, ep_comm world, int field, struct product *product)
{
    const struct grid *grid = &job->grid;
    float *annual = allocate((size_t)grid->nlat * grid->nlon, sizeof(float));
    annual_mean(grid, product->months, annual);
    close_output(product->out, annual);
    ep_send(product->mean, grid->nmonth, MPI_DOUBLE, 0, means_tag(grid, field), world);
    free(annual);
    free(product->months);
    free(product->open_bands);
    free(product->mean);
}

void run_server(const struct job *job, ep_comm world, int server)
{
    struct product products[NFIELD];
    MPI_Datatype row = rotated_row(&job->grid);
    int messages = 0;
    for (int f = server; f < NFIELD; f += job->nserver) {
        products[f] = open_product(job, f);
        messages += job->grid.nmonth * job->nmodel;
    }
    while (messages-- > 0)
        receive_band(job, world, row, products);
    for (int f = server; f < NFIELD; f += job->nserver)
        close_product(job, world, f, &products[f]);
    MPI_Type_free(&row);
}
