/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: a field's file, after the CF conventions. No date and no layout in it: same data, same bytes. */
#include "climatology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *standard_name, *long_name, *units;
} fields[NFIELD] = {
    [SST] = {"sst", "sea_surface_temperature", "sea surface temperature", "degree_Celsius"},
    [UWND] = {"uwnd", "eastward_wind", "eastward wind", "m s-1"},
    [VWND] = {"vwnd", "northward_wind", "northward wind", "m s-1"},
    [WSPD] = {"wspd", "wind_speed", "speed of the mean wind", "m s-1"},
};

static void put_text(int ncid, int varid, const char *name, const char *text)
{
    nc_check(nc_put_att_text(ncid, varid, name, strlen(text), text), name);
}

static int define_axis(int ncid, int dim, int nv, const char *name, const char *standard_name,
                       const char *units, const char *axis)
{
    int varid, bounds_id, dims[2] = {dim, nv};
    char bounds[32];
    snprintf(bounds, sizeof bounds, "%s_bnds", name);
    nc_check(nc_def_var(ncid, name, NC_DOUBLE, 1, dims, &varid), name);
    nc_check(nc_def_var(ncid, bounds, NC_DOUBLE, 2, dims, &bounds_id), bounds);
    put_text(ncid, varid, "standard_name", standard_name);
    put_text(ncid, varid, "units", units);
    put_text(ncid, varid, "axis", axis);
    put_text(ncid, varid, "bounds", bounds);
    if (*axis == 'T') /* the source counts from the year 0, which the default calendar lacks */
        put_text(ncid, varid, "calendar", "proleptic_gregorian");
    return varid;
}

/* The points, and their bounds half a step to either side; the bounds' variable follows the axis's. */
static void put_axis(int ncid, int varid, const double *points, int n, double step)
{
    double *bounds = allocate(2 * (size_t)n, sizeof(double));
    for (int i = 0; i < n; i++) {
        bounds[2 * i] = points[i] - step / 2;
        bounds[2 * i + 1] = points[i] + step / 2;
    }
    nc_check(nc_put_var_double(ncid, varid, points), "axis");
    nc_check(nc_put_var_double(ncid, varid + 1, bounds), "bounds");
    free(bounds);
}

/* A variable of this field: <name><suffix> over ndims of the dimensions. */
static int define_field(int ncid, int field, const char *suffix, nc_type type, int ndims, const int *dims,
                        const char *cell_methods, float missing)
{
    int varid;
    char name[64];
    snprintf(name, sizeof name, "%s%s", fields[field].name, suffix);
    nc_check(nc_def_var(ncid, name, type, ndims, dims, &varid), name);
    put_text(ncid, varid, "standard_name", fields[field].standard_name);
    put_text(ncid, varid, "long_name", fields[field].long_name);
    put_text(ncid, varid, "units", fields[field].units);
    put_text(ncid, varid, "cell_methods", cell_methods);
    nc_check(nc_put_att_float(ncid, varid, "_FillValue", type, 1, &missing), "_FillValue");
    return varid;
}

static struct output define_file(const struct job *job, int field, const char *path)
{
    const struct grid *grid = &job->grid;
    struct output out;
    int dims[3], nv, axes[3], ncid;
    /* The classic format: HDF5 would record library versions. */
    nc_check(nc_create(path, NC_CLOBBER, &ncid), path);
    nc_check(nc_def_dim(ncid, "time", grid->nmonth, &dims[0]), "time");
    nc_check(nc_def_dim(ncid, "lat", grid->nlat, &dims[1]), "lat");
    nc_check(nc_def_dim(ncid, "lon", grid->nlon, &dims[2]), "lon");
    nc_check(nc_def_dim(ncid, "nv", 2, &nv), "nv");
    axes[0] = define_axis(ncid, dims[0], nv, "time", "time", grid->time_units, "T");
    axes[1] = define_axis(ncid, dims[1], nv, "lat", "latitude", "degrees_north", "Y");
    axes[2] = define_axis(ncid, dims[2], nv, "lon", "longitude", "degrees_east", "X");
    out.ncid = ncid;
    out.monthly = define_field(ncid, field, "", NC_FLOAT, 3, dims, "time: mean", grid->missing);
    out.mean =
        define_field(ncid, field, "_global_mean", NC_DOUBLE, 1, dims, "time: mean area: mean", grid->missing);
    out.annual =
        define_field(ncid, field, "_annual_mean", NC_FLOAT, 2, dims + 1, "time: mean", grid->missing);
    put_text(ncid, NC_GLOBAL, "Conventions", "CF-1.8");
    put_text(ncid, NC_GLOBAL, "title", "Monthly climatology, its global means, its annual mean");
    put_text(ncid, NC_GLOBAL, "source", "COADS climatology of ferret-datasets");
    nc_check(nc_enddef(ncid), path);
    put_axis(ncid, axes[0], grid->time, grid->nmonth, grid->time_step);
    put_axis(ncid, axes[1], grid->lat, grid->nlat, grid->lat_step);
    put_axis(ncid, axes[2], grid->lon, grid->nlon, grid->lon_step);
    return out;
}

struct output create_output(const struct job *job, int field)
{
    struct output out;
    size_t size = strlen(job->output_dir) + 64;
    char *path = allocate(size, 1);
    snprintf(path, size, "%s/%s.nc", job->output_dir, fields[field].name);
#pragma omp critical(netcdf)
    out = define_file(job, field, path);
    free(path);
    return out;
}

void write_month(struct output out, const struct grid *grid, int month, const float *values, double mean)
{
    size_t start[3] = {month, 0, 0};
    size_t count[3] = {1, grid->nlat, grid->nlon};
#pragma omp critical(netcdf)
    {
        nc_check(nc_put_vara_float(out.ncid, out.monthly, start, count, values), "monthly field");
        nc_check(nc_put_var1_double(out.ncid, out.mean, start, &mean), "global mean");
    }
}

void close_output(struct output out, const float *annual)
{
#pragma omp critical(netcdf)
    {
        nc_check(nc_put_var_float(out.ncid, out.annual, annual), "annual mean");
        nc_check(nc_close(out.ncid), "closing the output");
    }
}
