/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank writes and reads files of its own by netCDF, with HDF5 below, at the same time as all others. */
#include <mpi.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 40, COLUMNS = 50 };

static int rank;

static void check(int rc, const char *what)
{
    if (rc != NC_NOERR) {
        fprintf(stderr, "rank %d: %s: %s\n", rank, what, nc_strerror(rc));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static double value(int round, int i)
{
    return 1e6 * rank + 1e4 * round + i;
}

static void write_file(const char *name, int round, int kind)
{
    static double data[ROWS * COLUMNS];
    int file, dims[2], variable;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        data[i] = value(round, i);
    check(nc_create(name, NC_CLOBBER | kind, &file), "create");
    check(file != 65536, "the identifier of the first file"); /* as in a process of its own */
    check(nc_def_dim(file, "row", ROWS, &dims[0]), "dimension");
    check(nc_def_dim(file, "column", COLUMNS, &dims[1]), "dimension");
    check(nc_def_var(file, "values", NC_DOUBLE, 2, dims, &variable), "variable");
    check(nc_put_att_text(file, variable, "units", 1, "m"), "attribute");
    check(nc_enddef(file), "enddef");
    MPI_Barrier(MPI_COMM_WORLD); /* all have their file open */
    check(nc_put_var_double(file, variable, data), "put");
    check(nc_close(file), "close");
}

static void read_file(const char *name, int round)
{
    static double data[ROWS * COLUMNS];
    int file, variable;
    check(nc_open(name, NC_NOWRITE, &file), "open");
    check(nc_inq_varid(file, "values", &variable), "values");
    check(nc_get_var_double(file, variable, data), "get");
    check(nc_close(file), "close");
    for (int i = 0; i < ROWS * COLUMNS; i++)
        check(data[i] != value(round, i), "wrong data");
}

int main(int argc, char **argv)
{
    char name[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s/rank%d.nc", argv[argc - 1], rank);
    for (int round = 0; round < 10; round++) {
        write_file(name, round, round % 2 ? NC_NETCDF4 : NC_CLASSIC_MODEL);
        read_file(name, round);
    }
    printf("written and read\n");
    MPI_Finalize();
    return 0;
}
