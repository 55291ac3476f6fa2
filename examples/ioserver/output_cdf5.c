/* SPDX-License-Identifier: BSD-3-Clause */
/* output_cdf5.c: CDF-5, the classic format with 64-bit sizes, by PnetCDF. */
#include "output_parts.h"

#include <pnetcdf.h>
#include <string.h>

static int create(const char *path, MPI_Comm comm, int *ncid)
{
    MPI_Info info;
    MPI_Info_create(&info);
    /* Values are not ours to change, not even for a while. */
    MPI_Info_set(info, "nc_in_place_swap", "disable");
    int error = ncmpi_create(comm, path, NC_CLOBBER | NC_64BIT_DATA, info, ncid);
    MPI_Info_free(&info);
    return error;
}

static int define_dimension(int ncid, const char *name, size_t length, int *dimid)
{
    return ncmpi_def_dim(ncid, name, length ? (MPI_Offset)length : NC_UNLIMITED, dimid);
}

static int define_variable(int ncid, const char *name, enum type type, int ndims, const int *dims,
                           const size_t *chunks, int *varid)
{
    (void)chunks;
    return ncmpi_def_var(ncid, name, type == FLOAT ? NC_FLOAT : NC_DOUBLE, ndims, dims, varid);
}

static int put_text(int ncid, int varid, const char *name, const char *text)
{
    return ncmpi_put_att_text(ncid, varid, name, (MPI_Offset)strlen(text), text);
}

static int put_float(int ncid, int varid, const char *name, float value)
{
    return ncmpi_put_att_float(ncid, varid, name, NC_FLOAT, 1, &value);
}

/* Without room between header and data: netCDF-C leaves none, so its copy of a file has the same bytes. */
static int end_definition(int ncid)
{
    return ncmpi__enddef(ncid, 0, 4, 0, 4);
}

static int put_slab(int ncid, const struct slab *s)
{
    MPI_Offset start[4], count[4];
    for (int d = 0; d < s->ndims; d++) {
        start[d] = (MPI_Offset)s->start[d];
        count[d] = (MPI_Offset)s->count[d];
    }
    return s->type == FLOAT ? ncmpi_put_vara_float_all(ncid, s->varid, start, count, s->values)
                            : ncmpi_put_vara_double_all(ncid, s->varid, start, count, s->values);
}

/* One by one: in most cases faster than all at once by ncmpi_wait_all, with two processes up to twice as fast. */
static int put(int ncid, int num_slabs, const struct slab *slabs)
{
    int first = 0;
    for (int i = 0; i < num_slabs; i++) {
        int error = put_slab(ncid, &slabs[i]);
        first = first ? first : error;
    }
    return first;
}

const struct format_ops cdf5_ops = {
    .create = create,
    .define_dimension = define_dimension,
    .define_variable = define_variable,
    .put_text = put_text,
    .put_float = put_float,
    .end_definition = end_definition,
    .put = put,
    .close = ncmpi_close,
    .abandon = ncmpi_abort,
    .error_text = ncmpi_strerror,
};
