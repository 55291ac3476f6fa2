/* SPDX-License-Identifier: BSD-3-Clause */
/* make_data.c: make_data DIR: small start data of the shape that examples/ioserver reads, instead of Debian's. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { NX = 36, NY = 18, NZ = 5, COADS_NX = 180, COADS_NY = 90, MONTHS = 12 };

static void check(int status, const char *what)
{
    if (status == NC_NOERR)
        return;
    fprintf(stderr, "make_data: %s: %s\n", what, nc_strerror(status));
    exit(1);
}

static int create(const char *dir, const char *name)
{
    char path[4096];
    int ncid;
    snprintf(path, sizeof path, "%s/%s.cdf", dir, name);
    check(nc_create(path, NC_CLOBBER, &ncid), path);
    return ncid;
}

/* A dimension and its variable: n values, first + i * step. */
static int add_axis(int ncid, const char *name, int n, double first, double step)
{
    int dim, id;
    double values[COADS_NX];
    for (int i = 0; i < n; i++)
        values[i] = first + i * step;
    check(nc_redef(ncid), name);
    check(nc_def_dim(ncid, name, n, &dim), name);
    check(nc_def_var(ncid, name, NC_DOUBLE, 1, &dim, &id), name);
    check(nc_enddef(ncid), name);
    check(nc_put_var_double(ncid, id, values), name);
    return dim;
}

/* Land is two continents and the bottom. */
static int is_land(double x, double y, double z)
{
    return (x > 0.1 && x < 0.25 && y > 0.3) || (x > 0.6 && x < 0.7 && y < 0.8) ||
           z > 0.7 + 0.4 * sin(9 * x + 7 * y);
}

static void add_field(int ncid, const char *name, const int dims[3], const int n[3], double mean,
                      double range)
{
    int id;
    float fill = -1e10f, *values = malloc(sizeof(float) * n[0] * n[1] * n[2]), *value = values;
    for (int k = 0; k < n[0]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[2]; i++) {
                double x = (i + 0.5) / n[2], y = (j + 0.5) / n[1], z = (double)k / n[0];
                double wave = sin(6.2831853 * x + k) * sin(3.1415926 * y) * (1 - z);
                *value++ = is_land(x, y, z) ? fill : (float)(mean + range * wave);
            }
    check(nc_redef(ncid), name);
    check(nc_def_var(ncid, name, NC_FLOAT, 3, dims, &id), name);
    check(nc_put_att_float(ncid, id, "_FillValue", NC_FLOAT, 1, &fill), name);
    check(nc_enddef(ncid), name);
    check(nc_put_var_float(ncid, id, values), name);
    free(values);
}

static void make_levitus(const char *dir)
{
    int ncid = create(dir, "levitus_climatology"), dims[3], n[3] = {NZ, NY, NX};
    check(nc_enddef(ncid), dir);
    dims[2] = add_axis(ncid, "XAXLEVITR", NX, 25, 10);
    dims[1] = add_axis(ncid, "YAXLEVITR", NY, -85, 10);
    dims[0] = add_axis(ncid, "ZAXLEVITR", NZ, 0, 100);
    add_axis(ncid, "ZAXLEVITRedges", NZ + 1, 0, 90);
    add_field(ncid, "TEMP", dims, n, 14, 12);
    add_field(ncid, "SALT", dims, n, 34.5, 1.5);
    check(nc_close(ncid), dir);
}

static void make_coads(const char *dir)
{
    int ncid = create(dir, "coads_climatology"), dims[3], n[3] = {MONTHS, COADS_NY, COADS_NX};
    check(nc_enddef(ncid), dir);
    dims[2] = add_axis(ncid, "COADSX", COADS_NX, 21, 2);
    dims[1] = add_axis(ncid, "COADSY", COADS_NY, -89, 2);
    dims[0] = add_axis(ncid, "TIME", MONTHS, 366, 730.485);
    add_field(ncid, "SST", dims, n, 15, 10);
    add_field(ncid, "UWND", dims, n, 1, 8);
    add_field(ncid, "VWND", dims, n, 0, 6);
    check(nc_close(ncid), dir);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    make_levitus(argv[1]);
    make_coads(argv[1]);
    return 0;
}
