/* SPDX-License-Identifier: BSD-3-Clause */
/* output_netcdf4.c: NetCDF-4 by netCDF-C over parallel HDF5. */
#include "output_parts.h"

#include <netcdf.h>
#include <netcdf_par.h>
#include <string.h>

static int create(const char *path, MPI_Comm comm, int *ncid)
{
    int old, error = nc_create_par(path, NC_NETCDF4 | NC_CLOBBER, comm, MPI_INFO_NULL, ncid);
    if (error)
        return error;
    return nc_set_fill(*ncid, NC_NOFILL, &old); /* all is written, and once */
}

static int define_dimension(int ncid, const char *name, size_t length, int *dimid)
{
    return nc_def_dim(ncid, name, length ? length : NC_UNLIMITED, dimid);
}

static int define_variable(int ncid, const char *name, enum type type, int ndims, const int *dims,
                           const size_t *chunks, int *varid)
{
    int error = nc_def_var(ncid, name, type == FLOAT ? NC_FLOAT : NC_DOUBLE, ndims, dims, varid);
    if (!error && chunks)
        error = nc_def_var_chunking(ncid, *varid, NC_CHUNKED, chunks);
    return error;
}

static int put_text(int ncid, int varid, const char *name, const char *text)
{
    return nc_put_att_text(ncid, varid, name, strlen(text), text);
}

static int put_float(int ncid, int varid, const char *name, float value)
{
    return nc_put_att_float(ncid, varid, name, NC_FLOAT, 1, &value);
}

/* Access is collective from here on: only so can variables grow. */
static int end_definition(int ncid)
{
    int num_vars, error = nc_enddef(ncid);
    if (!error)
        error = nc_inq_nvars(ncid, &num_vars);
    for (int v = 0; !error && v < num_vars; v++)
        error = nc_var_par_access(ncid, v, NC_COLLECTIVE);
    return error;
}

static int put(int ncid, int num_slabs, const struct slab *slabs)
{
    int first = 0;
    for (const struct slab *s = slabs; s < slabs + num_slabs; s++) {
        int error = s->type == FLOAT ? nc_put_vara_float(ncid, s->varid, s->start, s->count, s->values)
                                     : nc_put_vara_double(ncid, s->varid, s->start, s->count, s->values);
        first = first ? first : error;
    }
    return first;
}

const struct format_ops netcdf4_ops = {
    .create = create,
    .define_dimension = define_dimension,
    .define_variable = define_variable,
    .put_text = put_text,
    .put_float = put_float,
    .end_definition = end_definition,
    .put = put,
    .close = nc_close,
    .abandon = nc_abort,
    .error_text = nc_strerror,
};
