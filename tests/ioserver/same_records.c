/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * same_records.c: same_records A B: prints how many records file A has, if all its variables are in B, and have the
 * same bits there in these records; else says what differs, status 1.
 */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int status, const char *what)
{
    if (status == NC_NOERR)
        return;
    printf("%s: %s\n", what, nc_strerror(status));
    exit(1);
}

static int open_file(const char *path, size_t *records)
{
    int ncid, time;
    check(nc_open(path, NC_NOWRITE, &ncid), path);
    check(nc_inq_dimid(ncid, "time", &time), path);
    check(nc_inq_dimlen(ncid, time, records), path);
    return ncid;
}

/* All values of a variable, of that many records if it has any. */
static size_t read_variable(int ncid, const char *name, size_t records, double **values)
{
    int id, ndims, dims[NC_MAX_VAR_DIMS], time;
    size_t start[4] = {0}, count[4], size = 1;
    check(nc_inq_varid(ncid, name, &id), name);
    check(nc_inq_var(ncid, id, NULL, NULL, &ndims, dims, NULL), name);
    check(nc_inq_dimid(ncid, "time", &time), name);
    for (int i = 0; i < ndims; i++) {
        check(nc_inq_dimlen(ncid, dims[i], &count[i]), name);
        if (dims[i] == time)
            count[i] = records;
        size *= count[i];
    }
    *values = malloc(sizeof **values * (size + 1));
    if (size > 0)
        check(nc_get_vara_double(ncid, id, start, count, *values), name);
    return size;
}

static void compare_variable(int a, int b, int id, size_t records)
{
    char name[NC_MAX_NAME + 1];
    double *in_a, *in_b;
    check(nc_inq_varname(a, id, name), "variable");
    size_t size_a = read_variable(a, name, records, &in_a), size_b = read_variable(b, name, records, &in_b);
    if (size_a != size_b || memcmp(in_a, in_b, size_a * sizeof *in_a)) {
        printf("%s differs\n", name);
        exit(1);
    }
    free(in_a);
    free(in_b);
}

int main(int argc, char **argv)
{
    size_t records, records_b;
    int num_variables;
    if (argc != 3)
        return 2;
    int a = open_file(argv[1], &records), b = open_file(argv[2], &records_b);
    if (records > records_b) {
        printf("%zu records, more than %zu\n", records, records_b);
        return 1;
    }
    check(nc_inq_nvars(a, &num_variables), argv[1]);
    for (int id = 0; id < num_variables; id++)
        compare_variable(a, b, id, records);
    printf("%zu\n", records);
    return 0;
}
