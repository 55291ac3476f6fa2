/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * server.c: a server endpoint. It gathers its fields from the bands of all models, and takes part where the
 * fields of other servers are gathered. While one month is on its way it works on the month before.
 */
#include "climatology.h"

#include <stdlib.h>

/* One field in the care of this server. */
struct product {
    struct output out;
    float *months; /* nmonth x nlat x nlon */
    double *mean;  /* of each month */
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

static struct product open_product(const struct job *job, int field, double *means)
{
    const struct grid *grid = &job->grid;
    return (struct product){
        .out = create_output(job, field),
        .months = allocate((size_t)grid->nmonth * grid->nlat * grid->nlon, sizeof(float)),
        .mean = means + (size_t)field * grid->nmonth,
    };
}

static float *month_of(const struct job *job, const struct product *product, int month)
{
    return product->months + (size_t)month * job->grid.nlat * job->grid.nlon;
}

/* Begin to gather all fields of a month, each in its server: bands go straight to their place in the global
 * field. Servers bring none themselves. */
static void start_month(const struct job *job, ep_comm world, int server, int month, MPI_Datatype row,
                        const struct product *products, ep_request *gathers)
{
    for (int f = 0; f < NFIELD; f++) {
        float *values = f % job->nserver == server ? month_of(job, &products[f], month) : NULL;
        ep_igatherv(NULL, 0, MPI_FLOAT, values, job->rows, job->first, row, rank_of_server(job, f), world,
                    &gathers[f]);
    }
}

static void finish_month(const struct job *job, int server, int month, struct product *products,
                         ep_request *gathers)
{
    ep_waitall(NFIELD, gathers, EP_STATUSES_IGNORE);
    for (int f = server; f < NFIELD; f += job->nserver) {
        float *values = month_of(job, &products[f], month);
        products[f].mean[month] = area_mean(&job->grid, values);
        write_month(products[f].out, &job->grid, month, values, products[f].mean[month]);
    }
}

static void close_product(const struct job *job, struct product *product)
{
    const struct grid *grid = &job->grid;
    float *annual = allocate((size_t)grid->nlat * grid->nlon, sizeof(float));
    annual_mean(grid, product->months, annual);
    close_output(product->out, annual);
    free(annual);
    free(product->months);
}

void run_server(const struct job *job, ep_comm world, int server, double *means)
{
    struct product products[NFIELD];
    ep_request gathers[2][NFIELD];
    MPI_Datatype row = rotated_row(&job->grid);
    int nmonth = job->grid.nmonth;
    for (int f = server; f < NFIELD; f += job->nserver)
        products[f] = open_product(job, f, means);
    for (int month = 0; month <= nmonth; month++) {
        if (month < nmonth)
            start_month(job, world, server, month, row, products, gathers[month % 2]);
        if (month > 0)
            finish_month(job, server, month - 1, products, gathers[(month - 1) % 2]);
    }
    for (int f = server; f < NFIELD; f += job->nserver)
        close_product(job, &products[f]);
    MPI_Type_free(&row);
}
