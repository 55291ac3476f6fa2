/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c: start data. */
#include "input.h"

#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int status, const char *what)
{
    if (status != NC_NOERR)
        fail(what, nc_strerror(status));
}

static int open_file(const struct job *job, const char *name)
{
    char path[4096];
    int ncid;
    if (snprintf(path, sizeof path, "%s/%s.cdf", job->options.data, name) >= (int)sizeof path)
        fail(job->options.data, "too long");
    check(nc_open(path, NC_NOWRITE, &ncid), path);
    return ncid;
}

/* Every step-th value of a variable of one dimension, from first on; all that there are. */
static double *read_axis(int ncid, const char *name, size_t first, ptrdiff_t step, int *count)
{
    int id;
    size_t length;
    check(nc_inq_dimid(ncid, name, &id), name);
    check(nc_inq_dimlen(ncid, id, &length), name);
    if (first + (size_t)step >= length)
        fail(name, "--coarsen leaves fewer than two points of it");
    size_t n = (length - first + (size_t)step - 1) / (size_t)step;
    double *values = allocate(n, sizeof *values);
    check(nc_inq_varid(ncid, name, &id), name);
    check(nc_get_vars_double(ncid, id, &first, &n, &step, values), name);
    *count = (int)n;
    return values;
}

/* Half way to the neighbours on an even axis. */
static double *even_bounds(const double *axis, int n)
{
    double *bounds = allocate(2 * (size_t)n, sizeof *bounds), half = (axis[1] - axis[0]) / 2;
    for (int i = 0; i < n; i++) {
        bounds[2 * i] = axis[i] - half;
        bounds[2 * i + 1] = axis[i] + half;
    }
    return bounds;
}

static double *edge_bounds(int ncid, int n)
{
    int num_edges;
    double *edges = read_axis(ncid, "ZAXLEVITRedges", 0, 1, &num_edges);
    double *bounds = allocate(2 * (size_t)n, sizeof *bounds);
    if (num_edges != n + 1)
        fail("ZAXLEVITRedges", "do not fit the levels");
    for (int i = 0; i < 2 * n; i++)
        bounds[i] = edges[(i + 1) / 2];
    free(edges);
    return bounds;
}

void read_grid(struct job *job)
{
    struct grid *grid = &job->grid;
    int ncid = open_file(job, "levitus_climatology"), coarsen = job->options.coarsen, middle = coarsen / 2;
    grid->lon = read_axis(ncid, "XAXLEVITR", middle, coarsen, &grid->nx);
    grid->lat = read_axis(ncid, "YAXLEVITR", middle, coarsen, &grid->ny);
    grid->depth = read_axis(ncid, "ZAXLEVITR", 0, 1, &grid->nz);
    grid->lon_bounds = even_bounds(grid->lon, grid->nx);
    grid->lat_bounds = even_bounds(grid->lat, grid->ny);
    for (int i = 0; i < 2 * grid->ny; i++)
        grid->lat_bounds[i] =
            fmax(-90, fmin(90, grid->lat_bounds[i])); /* --coarsen need not divide the grid */
    grid->depth_bounds = edge_bounds(ncid, grid->nz);
    grid->missing = 1e20f;
    grid->title = "Temperature and salinity of a small ocean model";
    grid->source = "ioserver, an example of ep; start data of Levitus, forcing of COADS (ferret-datasets)";
    check(nc_close(ncid), "start data");
}

void free_grid(struct job *job)
{
    struct grid *grid = &job->grid;
    double *all[] = {grid->lon,        grid->lat,        grid->depth,
                     grid->lon_bounds, grid->lat_bounds, grid->depth_bounds};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* Every step-th value in the block's rows and columns, of all n levels or months. */
static void read_block(int ncid, const char *name, int n, struct block block, const size_t first[2],
                       ptrdiff_t step, float missing, float *values)
{
    int id;
    float fill;
    size_t start[3] = {0, first[0], first[1]}, count[3] = {n, block.num_rows, block.num_columns};
    ptrdiff_t stride[3] = {1, step, step};
    check(nc_inq_varid(ncid, name, &id), name);
    check(nc_get_att_float(ncid, id, "_FillValue", &fill), name);
    if (block_size(block, 1) > 0)
        check(nc_get_vars_float(ncid, id, start, count, stride, values), name);
    for (size_t i = 0; i < block_size(block, n); i++)
        if (values[i] == fill)
            values[i] = missing;
}

static void read_levitus(const struct job *job, struct start *start)
{
    int ncid = open_file(job, "levitus_climatology"), step = job->options.coarsen, nz = job->grid.nz;
    size_t first[2] = {(size_t)start->block.first_row * step + step / 2,
                       (size_t)start->block.first_column * step + step / 2};
    read_block(ncid, "TEMP", nz, start->block, first, step, job->grid.missing, start->temp);
    read_block(ncid, "SALT", nz, start->block, first, step, job->grid.missing, start->salt);
    check(nc_close(ncid), "start data");
}

/* COADS has cells of two degrees, which contain those of Levitus: the values of the cells that these lie in. */
static void read_month_field(const struct job *job, int ncid, const char *name, struct block block,
                             float *values)
{
    int step = job->options.coarsen;
    struct block all = {0, 90, 0, 180};
    float *coarse = allocate(block_size(all, MONTHS), sizeof *coarse);
    read_block(ncid, name, MONTHS, all, (size_t[]){0, 0}, 1, job->grid.missing, coarse);
    for (int m = 0; m < MONTHS; m++)
        for (int y = 0; y < block.num_rows; y++)
            for (int x = 0; x < block.num_columns; x++) {
                int row = ((block.first_row + y) * step + step / 2) / 2;
                int column = ((block.first_column + x) * step + step / 2) / 2;
                *values++ = coarse[(m * 90 + row) * 180 + column];
            }
    free(coarse);
}

static void read_coads(const struct job *job, struct start *start)
{
    int ncid = open_file(job, "coads_climatology");
    read_month_field(job, ncid, "SST", start->block, start->sst);
    read_month_field(job, ncid, "UWND", start->block, start->u_wind);
    read_month_field(job, ncid, "VWND", start->block, start->v_wind);
    check(nc_close(ncid), "start data");
}

struct reader {
    const struct job *job;
    struct start *start;
};

/* Run by one client of each process for all of them. */
static int read_all(ep_mpi_comm comm, int num_clients, void *const args[])
{
    (void)comm;
    for (int i = 0; i < num_clients; i++) {
        struct reader *reader = args[i];
        read_levitus(reader->job, reader->start);
        read_coads(reader->job, reader->start);
    }
    return 0;
}

void read_start(const struct job *job, ep_comm clients, struct start *start)
{
    int client, result;
    ep_funnel funnel;
    ep_comm_rank(clients, &client);
    start->block = client_block(job, client);
    size_t volume = block_size(start->block, job->grid.nz), months = block_size(start->block, MONTHS);
    start->temp = allocate(volume, sizeof(float));
    start->salt = allocate(volume, sizeof(float));
    start->sst = allocate(months, sizeof(float));
    start->u_wind = allocate(months, sizeof(float));
    start->v_wind = allocate(months, sizeof(float));
    ep_funnel_create(clients, &funnel);
    ep_funnel_call(funnel, read_all, &(struct reader){job, start}, &result);
    ep_funnel_free(&funnel);
}

void free_start(struct start *start)
{
    float *all[] = {start->temp, start->salt, start->sst, start->u_wind, start->v_wind};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}
