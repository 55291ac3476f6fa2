/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c: the source file: its axes, once per process, and the bands that the models read. */
#include "climatology.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const input_names[NINPUT] = {[SST] = "SST", [UWND] = "UWND", [VWND] = "VWND"};

void nc_check(int status, const char *what)
{
    if (status != NC_NOERR)
        fail(what, nc_strerror(status));
}

/* The coordinate variable of the index-th dimension of a field: its id, length and values. */
static double *read_axis(const struct job *job, int index, int *length, int *axis_id)
{
    int dims[3];
    char name[NC_MAX_NAME + 1];
    size_t size;
    nc_check(nc_inq_vardimid(job->ncid, job->varid[0], dims), "dimensions");
    nc_check(nc_inq_dim(job->ncid, dims[index], name, &size), "dimension");
    nc_check(nc_inq_varid(job->ncid, name, axis_id), name);
    if (size < 2)
        fail(name, "fewer than 2 points");
    double *values = allocate(size, sizeof(double));
    nc_check(nc_get_var_double(job->ncid, *axis_id, values), name);
    double step = values[1] - values[0];
    for (size_t i = 1; i < size; i++)
        if (step <= 0 || fabs(values[i] - values[i - 1] - step) > 1e-6 * step)
            fail(name, "the axis does not rise in even steps");
    *length = (int)size;
    return values;
}

/* Rotate the longitudes into 0..360 and remember by how many columns. */
static void rotate_longitudes(struct grid *grid)
{
    double *source = grid->lon;
    int kept = 0;
    while (kept < grid->nlon && source[kept] < 360.0)
        kept++;
    grid->wrapped = grid->nlon - kept;
    grid->lon = allocate(grid->nlon, sizeof(double));
    for (int i = 0; i < grid->nlon; i++)
        grid->lon[i] = i < grid->wrapped ? source[kept + i] - 360.0 : source[i - grid->wrapped];
    free(source);
}

/* Area of a cell up to a common factor: the difference of the sines of its southern and northern edge. */
static void weigh_rows(struct grid *grid)
{
    const double radian = acos(-1.0) / 180.0;
    grid->weight = allocate(grid->nlat, sizeof(double));
    for (int i = 0; i < grid->nlat; i++)
        grid->weight[i] = sin(radian * (grid->lat[i] + grid->lat_step / 2)) -
                          sin(radian * (grid->lat[i] - grid->lat_step / 2));
}

static void read_grid(struct job *job)
{
    struct grid *grid = &job->grid;
    int time_id, axis_id;
    size_t length;
    grid->time = read_axis(job, 0, &grid->nmonth, &time_id);
    grid->lat = read_axis(job, 1, &grid->nlat, &axis_id);
    grid->lon = read_axis(job, 2, &grid->nlon, &axis_id);
    grid->time_step = grid->time[1] - grid->time[0];
    grid->lat_step = grid->lat[1] - grid->lat[0];
    grid->lon_step = grid->lon[1] - grid->lon[0];
    nc_check(nc_inq_attlen(job->ncid, time_id, "units", &length), "units of time");
    if (length >= sizeof grid->time_units)
        fail("units of time", "too long");
    nc_check(nc_get_att_text(job->ncid, time_id, "units", grid->time_units), "units of time");
    nc_check(nc_get_att_float(job->ncid, job->varid[0], "_FillValue", &grid->missing), "_FillValue");
    rotate_longitudes(grid);
    weigh_rows(grid);
}

void open_input(struct job *job, const char *path)
{
#pragma omp critical(netcdf)
    {
        nc_check(nc_open(path, NC_NOWRITE, &job->ncid), path);
        for (int f = 0; f < NINPUT; f++) {
            int ndims;
            nc_check(nc_inq_varid(job->ncid, input_names[f], &job->varid[f]), input_names[f]);
            nc_check(nc_inq_varndims(job->ncid, job->varid[f], &ndims), input_names[f]);
            if (ndims != 3)
                fail(input_names[f], "not a field over time, latitude, longitude");
        }
        read_grid(job);
    }
}

void close_input(struct job *job)
{
#pragma omp critical(netcdf)
    nc_check(nc_close(job->ncid), "closing the input");
    free(job->grid.time);
    free(job->grid.lat);
    free(job->grid.lon);
    free(job->grid.weight);
}

void read_band(const struct job *job, int field, int month, struct band band, float *values)
{
    size_t start[3] = {month, band.first, 0};
    size_t count[3] = {1, band.rows, job->grid.nlon};
#pragma omp critical(netcdf)
    nc_check(nc_get_vara_float(job->ncid, job->varid[field], start, count, values), input_names[field]);
}
