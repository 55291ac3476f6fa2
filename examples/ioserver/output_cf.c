/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output_cf.c: what is in a file, after the CF conventions. No date, no version of a library, nothing of who wrote
 * which part: same data, same bytes.
 */
#include "output_parts.h"

#include <stdio.h>
#include <string.h>

enum { TIME, DEPTH, LAT, LON, NUM_AXES };

struct axis {
    const char *name, *standard_name, *long_name, *units, *axis, *positive;
};

static const struct axis axes[NUM_AXES] = {
    [TIME] = {"time", "time", "time", NULL, "T", NULL},
    [DEPTH] = {"depth", "depth", "depth of the middle of the layer", "m", "Z", "down"},
    [LAT] = {"lat", "latitude", "latitude", "degrees_north", "Y", NULL},
    [LON] = {"lon", "longitude", "longitude", "degrees_east", "X", NULL},
};

/* A file in the making. Once something fails, what follows does nothing. */
struct definition {
    struct output *output;
    int error;
    int dims[NUM_AXES], bnds; /* dims[DEPTH] -1: no variable has levels */
    char time_units[64];
};

static int define_dimension(struct definition *def, const char *name, size_t length)
{
    int dim = -1;
    if (!def->error)
        def->error = def->output->ops->define_dimension(def->output->ncid, name, length, &dim);
    return dim;
}

static int define_variable(struct definition *def, const char *name, enum type type, int ndims,
                           const int *dims, const size_t *chunks)
{
    int varid = -1;
    if (!def->error)
        def->error =
            def->output->ops->define_variable(def->output->ncid, name, type, ndims, dims, chunks, &varid);
    return varid;
}

static void put_text(struct definition *def, int varid, const char *name, const char *text)
{
    if (!def->error && text && *text)
        def->error = def->output->ops->put_text(def->output->ncid, varid, name, text);
}

static void put_float(struct definition *def, int varid, const char *name, float value)
{
    if (!def->error)
        def->error = def->output->ops->put_float(def->output->ncid, varid, name, value);
}

static int define_axis(struct definition *def, const struct axis *axis, int dim, const char *name,
                       const char *bounds)
{
    int is_time = axis == &axes[TIME];
    int varid = define_variable(def, name, DOUBLE, 1, &dim, is_time ? (size_t[]){512} : NULL);
    put_text(def, varid, "standard_name", axis->standard_name);
    put_text(def, varid, "long_name", axis->long_name);
    put_text(def, varid, "units", is_time ? def->time_units : axis->units);
    if (is_time)
        put_text(def, varid, "calendar", "360_day");
    put_text(def, varid, "bounds", bounds);
    return varid;
}

/* A coordinate; its bounds are the variable after it. */
static int define_coordinate(struct definition *def, int a, int with_bounds)
{
    char bounds[16];
    snprintf(bounds, sizeof bounds, "%s_bnds", axes[a].name);
    int varid = define_axis(def, &axes[a], def->dims[a], axes[a].name, with_bounds ? bounds : NULL);
    put_text(def, varid, "axis", axes[a].axis);
    put_text(def, varid, "positive", axes[a].positive);
    if (with_bounds)
        define_variable(def, bounds, DOUBLE, 2, (int[]){def->dims[a], def->bnds},
                        a == TIME ? (size_t[]){512, 2} : NULL);
    return varid;
}

/* Of the file's outputs those whose operation is INSTANT, and those with levels. */
static void count_outputs(const struct output *output, int *num_instant, int *num_3d)
{
    *num_instant = *num_3d = 0;
    for (int o = 0; o < output->file->num_outputs; o++) {
        *num_instant += output->iodef->outputs[output->file->first_output + o].operation == INSTANT;
        *num_3d += output_is_3d(output, o);
    }
}

static void define_dimensions(struct definition *def, int has_levels)
{
    const struct output *output = def->output;
    def->dims[TIME] = define_dimension(def, "time", 0);
    def->dims[DEPTH] = has_levels ? define_dimension(def, "depth", output->nz) : -1;
    def->dims[LAT] = define_dimension(def, "lat", output->ny);
    def->dims[LON] = define_dimension(def, "lon", output->nx);
    def->bnds = define_dimension(def, "bnds", 2);
}

/* Where some outputs are of the whole interval and some of its end, the latter have a time of their own. */
static void define_times(struct definition *def, int num_instant)
{
    struct output *output = def->output;
    int has_bounds = num_instant < output->file->num_outputs;
    output->time = define_coordinate(def, TIME, has_bounds);
    output->time_bounds = has_bounds ? output->time + 1 : -1;
    output->time_instant = -1;
    if (has_bounds && num_instant)
        output->time_instant = define_axis(def, &axes[TIME], def->dims[TIME], "time_instant", NULL);
}

static int define_field(struct definition *def, int o, float missing)
{
    const struct output *output = def->output;
    const struct iodef_output *out = &output->iodef->outputs[output->file->first_output + o];
    const struct iodef_field *field = &output->iodef->fields[out->field];
    int dims[4] = {def->dims[TIME]}, ndims = 1;
    size_t rows = ((size_t)1 << 30) / (output->nx * sizeof(float)); /* HDF5's chunks have less than 4 GiB */
    /* One level each, as readers want it. Of all levels they are written as fast with OMPI_MCA_fcoll=individual. */
    size_t chunks[4] = {1, 1, 1, output->nx};
    char methods[64];
    if (field->is_3d)
        dims[ndims++] = def->dims[DEPTH];
    chunks[ndims] = rows < output->ny ? (rows ? rows : 1) : output->ny;
    dims[ndims++] = def->dims[LAT];
    chunks[ndims] = output->nx;
    dims[ndims++] = def->dims[LON];
    int varid = define_variable(def, out->name, FLOAT, ndims, dims, chunks);
    put_text(def, varid, "standard_name", field->standard_name);
    put_text(def, varid, "long_name", field->long_name);
    put_text(def, varid, "units", field->unit);
    snprintf(methods, sizeof methods, "time: %s", operation_cell_method(out->operation));
    if (out->operation != INSTANT) /* how often the model had a value */
        snprintf(methods + strlen(methods), sizeof methods - strlen(methods), " (interval: %.15g s)",
                 output->iodef->timestep);
    put_text(def, varid, "cell_methods", methods);
    if (out->operation == INSTANT && output->time_instant >= 0)
        put_text(def, varid, "coordinates", "time_instant");
    put_float(def, varid, "_FillValue", missing);
    put_float(def, varid, "missing_value", missing);
    return varid;
}

int output_define(struct output *output, const struct grid *grid)
{
    const struct iodef *iodef = output->iodef;
    struct definition def = {.output = output};
    int num_instant, num_3d;
    snprintf(def.time_units, sizeof def.time_units, "days since %04d-%02d-%02d 00:00:00", iodef->start_year,
             iodef->start_month, iodef->start_day);
    count_outputs(output, &num_instant, &num_3d);
    define_dimensions(&def, num_3d);
    define_times(&def, num_instant);
    for (int a = DEPTH; a <= LON; a++)
        output->axes[a - DEPTH] = def.dims[a] >= 0 ? define_coordinate(&def, a, 1) : -1;
    for (int o = 0; o < output->file->num_outputs; o++)
        output->varids[o] = define_field(&def, o, grid->missing);
    put_text(&def, -1, "Conventions", "CF-1.8");
    put_text(&def, -1, "title", grid->title);
    put_text(&def, -1, "source", grid->source);
    return def.error;
}

int output_put_axes(struct output *output, const struct grid *grid)
{
    const double *const points[] = {grid->depth, grid->lat, grid->lon};
    const double *const bounds[] = {grid->depth_bounds, grid->lat_bounds, grid->lon_bounds};
    const size_t sizes[] = {output->nz, output->ny, output->nx};
    struct slab slabs[6];
    int n = 0;
    for (int a = 0; a < 3; a++) {
        size_t size = output->rank == 0 ? sizes[a] : 0;
        if (output->axes[a] < 0)
            continue;
        slabs[n++] = (struct slab){output->axes[a], 1, DOUBLE, {0}, {size}, points[a]};
        slabs[n++] = (struct slab){output->axes[a] + 1, 2, DOUBLE, {0}, {size, size ? 2 : 0}, bounds[a]};
    }
    return output->ops->put(output->ncid, n, slabs);
}

int output_time_slabs(const struct output *output, int record, double values[4], struct slab slabs[3])
{
    int n = 0;
    size_t r = (size_t)record, one = output->rank == 0;
    iodef_record_bounds(output->iodef, output->file, record, values);
    values[2] = values[1];
    values[3] = output->time_bounds >= 0 ? (values[0] + values[1]) / 2 : values[1];
    slabs[n++] = (struct slab){output->time, 1, DOUBLE, {r}, {one}, &values[3]};
    if (output->time_bounds >= 0)
        slabs[n++] = (struct slab){output->time_bounds, 2, DOUBLE, {r}, {one, 2 * one}, values};
    if (output->time_instant >= 0)
        slabs[n++] = (struct slab){output->time_instant, 1, DOUBLE, {r}, {one}, &values[2]};
    return n;
}
