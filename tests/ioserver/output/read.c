/* SPDX-License-Identifier: BSD-3-Clause */
/* read.c: a file is read by one process and compared with what must be in it. */
#include "oracle.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT_NC(call) expect_eq(call, NC_NOERR, #call, __FILE__, __LINE__)

/* Attributes are counted, so that none is there that should not be. */
static void check_text(int ncid, int varid, const char *name, const char *want, int *num)
{
    char text[100] = "";
    size_t length = 0;
    if (!want)
        return;
    ++*num;
    if (nc_inq_attlen(ncid, varid, name, &length) || length >= sizeof text)
        snprintf(text, sizeof text, "no attribute %s", name);
    else
        EXPECT_NC(nc_get_att_text(ncid, varid, name, text));
    EXPECT_STR(text, want);
}

static void check_float(int ncid, int varid, const char *name, float want, int *num)
{
    float value = 0;
    ++*num;
    EXPECT_NC(nc_get_att_float(ncid, varid, name, &value));
    EXPECT(value == want);
}

static void check_count(int ncid, int varid, int want)
{
    int num = -1;
    EXPECT_NC(nc_inq_varnatts(ncid, varid, &num));
    EXPECT_EQ(num, want);
}

/* Dimensions of a variable, by their names. */
static void check_dims(int ncid, int varid, const char *want)
{
    int ndims = 0, dims[NC_MAX_VAR_DIMS];
    char names[200] = "", name[NC_MAX_NAME + 1] = "";
    EXPECT_NC(nc_inq_var(ncid, varid, NULL, NULL, &ndims, dims, NULL));
    for (int d = 0; d < ndims && d < 4; d++) {
        EXPECT_NC(nc_inq_dimname(ncid, dims[d], name));
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.20s", d ? " " : "", name);
    }
    EXPECT_STR(names, want);
}

static void check_doubles(int ncid, const char *name, size_t n, size_t width, const double *want)
{
    int varid;
    double *got = xmalloc((n * width + 1) * sizeof *got);
    size_t start[2] = {0}, count[2] = {n, width};
    if (EXPECT_NC(nc_inq_varid(ncid, name, &varid)) && n &&
        EXPECT_NC(nc_get_vara_double(ncid, varid, start, count, got)))
        for (size_t i = 0; i < n * width; i++)
            EXPECT(got[i] == want[i]);
    free(got);
}

static void check_axis(int ncid, const char *name, const char *const texts[6], size_t n, const double *points,
                       const double *bounds)
{
    static const char *const attributes[] = {"standard_name", "long_name", "units",
                                             "axis",          "positive",  "calendar"};
    int varid, num = 0;
    char of_bounds[32], dims[64];
    if (!EXPECT_NC(nc_inq_varid(ncid, name, &varid)))
        return;
    for (int a = 0; a < 6; a++)
        check_text(ncid, varid, attributes[a], texts[a], &num);
    check_doubles(ncid, name, n, 1, points);
    snprintf(of_bounds, sizeof of_bounds, "%s_bnds", name);
    if (bounds) {
        int b;
        check_text(ncid, varid, "bounds", of_bounds, &num);
        check_doubles(ncid, of_bounds, n, 2, bounds);
        snprintf(dims, sizeof dims, "%s bnds", name);
        if (EXPECT_NC(nc_inq_varid(ncid, of_bounds, &b))) {
            check_dims(ncid, b, dims);
            check_count(ncid, b, 0);
        }
    }
    check_count(ncid, varid, num);
}

static void check_time(const struct oracle *oracle, int ncid, int num_records)
{
    static const char units[] = "days since 2000-02-30 00:00:00";
    static const char *const coordinate[] = {"time", "time", units, "T", NULL, "360_day"};
    static const char *const instant[] = {"time", "time", units, NULL, NULL, "360_day"};
    double days = oracle->file.every / 4., centres[8], bounds[16], ends[8];
    int varid;
    for (int r = 0; r < num_records; r++) {
        bounds[2 * r] = r * days;
        bounds[2 * r + 1] = ends[r] = (r + 1) * days;
        centres[r] = (r + 0.5) * days;
    }
    if (oracle->mixture == INSTANTS)
        check_axis(ncid, "time", coordinate, (size_t)num_records, ends, NULL);
    else
        check_axis(ncid, "time", coordinate, (size_t)num_records, centres, bounds);
    if (oracle->mixture == BOTH)
        check_axis(ncid, "time_instant", instant, (size_t)num_records, ends, NULL);
    else
        EXPECT_EQ(nc_inq_varid(ncid, "time_instant", &varid), NC_ENOTVAR);
}

static void check_values(const struct oracle *oracle, int ncid, int varid, int o, int record)
{
    const struct grid *grid = &oracle->grid;
    int levels = oracle_levels(oracle, o), is_3d = oracle->fields[oracle->outputs[o].field].is_3d, wrong = 0;
    size_t start[4] = {(size_t)record}, count[4] = {1}, n = 0;
    count[1] = (size_t)levels;
    count[1 + is_3d] = (size_t)grid->ny;
    count[2 + is_3d] = (size_t)grid->nx;
    float *got = xmalloc((size_t)levels * (size_t)grid->ny * (size_t)grid->nx * sizeof *got);
    if (EXPECT_NC(nc_get_vara_float(ncid, varid, start, count, got)))
        for (int k = 0; k < levels; k++)
            for (int j = 0; j < grid->ny; j++)
                for (int i = 0; i < grid->nx; i++)
                    wrong += got[n++] != oracle_value(o, record, k, j, i);
    EXPECT_EQ(wrong, 0);
    free(got);
}

static void check_field(const struct oracle *oracle, int ncid, int o, int num_records)
{
    static const char *const methods[] = {"time: point", "time: mean (interval: 21600 s)",
                                          "time: minimum (interval: 21600 s)",
                                          "time: maximum (interval: 21600 s)"};
    const struct iodef_output *output = &oracle->outputs[o];
    const struct iodef_field *field = &oracle->fields[output->field];
    int varid, num = 0;
    if (!EXPECT_NC(nc_inq_varid(ncid, output->name, &varid)))
        return;
    check_dims(ncid, varid, field->is_3d ? "time depth lat lon" : "time lat lon");
    check_text(ncid, varid, "standard_name", field->standard_name, &num);
    check_text(ncid, varid, "long_name", field->long_name, &num);
    check_text(ncid, varid, "units", field->unit, &num);
    check_text(ncid, varid, "cell_methods", methods[output->operation], &num);
    if (output->operation == INSTANT && oracle->mixture == BOTH)
        check_text(ncid, varid, "coordinates", "time_instant", &num);
    check_float(ncid, varid, "_FillValue", 1e20f, &num);
    check_float(ncid, varid, "missing_value", 1e20f, &num);
    check_count(ncid, varid, num);
    for (int r = 0; r < num_records; r++)
        check_values(oracle, ncid, varid, o, r);
}

static void check_axes(const struct oracle *oracle, int ncid)
{
    static const char *const lon[] = {"longitude", "longitude", "degrees_east", "X", NULL, NULL};
    static const char *const lat[] = {"latitude", "latitude", "degrees_north", "Y", NULL, NULL};
    static const char *const depth[] = {"depth", "depth of the middle of the layer", "m", "Z", "down", NULL};
    const struct grid *grid = &oracle->grid;
    int has_levels = 0, dim;
    for (int o = 0; o < oracle->file.num_outputs; o++)
        has_levels |= oracle->fields[oracle->outputs[o].field].is_3d;
    check_axis(ncid, "lon", lon, (size_t)grid->nx, grid->lon, grid->lon_bounds);
    check_axis(ncid, "lat", lat, (size_t)grid->ny, grid->lat, grid->lat_bounds);
    if (has_levels)
        check_axis(ncid, "depth", depth, (size_t)grid->nz, grid->depth, grid->depth_bounds);
    else
        EXPECT_EQ(nc_inq_dimid(ncid, "depth", &dim), NC_EBADDIM);
}

void oracle_check(const struct oracle *oracle, const char *path, int num_records, int damaged)
{
    int ncid, format = 0, dim, num = 0, num_attributes = -1;
    size_t length = 99;
    if (!EXPECT_NC(nc_open(path, NC_NOWRITE, &ncid)))
        return;
    EXPECT_NC(nc_inq_format(ncid, &format));
    EXPECT_EQ(format, oracle->file.format == NETCDF4 ? NC_FORMAT_NETCDF4 : NC_FORMAT_CDF5);
    check_text(ncid, NC_GLOBAL, "Conventions", "CF-1.8", &num);
    check_text(ncid, NC_GLOBAL, "title", "a title", &num);
    check_text(ncid, NC_GLOBAL, "source", "a model", &num);
    EXPECT_NC(nc_inq_natts(ncid, &num_attributes));
    EXPECT_EQ(num_attributes, num);
    EXPECT_NC(nc_inq_unlimdim(ncid, &dim));
    EXPECT_NC(nc_inq_dimlen(ncid, dim, &length));
    if (!damaged || length != (size_t)num_records + 1)
        EXPECT_EQ(length, num_records);
    check_axes(oracle, ncid);
    check_time(oracle, ncid, num_records);
    for (int o = 0; o < oracle->file.num_outputs; o++)
        check_field(oracle, ncid, o, num_records);
    EXPECT_NC(nc_close(ncid));
}

int oracle_length(const char *path)
{
    int ncid, dim;
    size_t length = 0;
    if (nc_open(path, NC_NOWRITE, &ncid))
        return 0;
    EXPECT_NC(nc_inq_unlimdim(ncid, &dim));
    EXPECT_NC(nc_inq_dimlen(ncid, dim, &length));
    EXPECT_NC(nc_close(ncid));
    return (int)length;
}
