/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h: one file, written by all processes that have writers (servers), each its blocks, as NetCDF-4 (netCDF-C
 * over parallel HDF5) or CDF-5 (PnetCDF). Neither library is thread-safe and both call MPI: in each process one
 * thread at a time calls these functions, all processes in the same order (ep_funnel_call sees to that). What the
 * formats do differently is a table of functions (struct format_ops); what is in the file is written once.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "iodef.h"

#include <mpi.h>

/* The grid of the model. Axes: middle of the cells, and their bounds (2 for each cell). */
struct grid {
    int nx, ny, nz;
    double *lon, *lat, *depth; /* degrees east and north, metres, rising */
    double *lon_bounds, *lat_bounds, *depth_bounds;
    float missing;              /* fill value of all fields */
    const char *title, *source; /* attributes of the file */
};

/* A part of the grid: rows and columns, with all levels. Data in memory: [level][row][column]. */
struct block {
    int first_row, num_rows, first_column, num_columns;
};

enum { OUTPUT_MESSAGE = 512 };

struct output;

/* All functions that return int return 0 or -1, the same in all processes of comm, and then message has, in each,
 * one line that says file, what was being done, and why, as the process that failed first found it, e.g.
 * "out/ocean.nc: record 3 of temp: No space left on device". After a failure only output_close may follow; it does
 * what can still be done so that earlier records stay readable, and does not hang. */

/* Create the file (an old one of that name is replaced) and define all that is in it. Collective over comm, which
 * stays the caller's and must last until output_close. */
int output_open(struct output **output, const struct iodef *iodef, int file, const struct grid *grid,
                const char *directory, MPI_Comm comm, char message[OUTPUT_MESSAGE]);

/* Write one record: for each of the file's outputs (in their order) the blocks of this process. data[o * num_blocks
 * + b] are the values of output o in block b; blocks without points are allowed, so is num_blocks = 0. Collective. */
int output_write(struct output *output, int record, int num_blocks, const struct block *blocks,
                 const float *const *data, char message[OUTPUT_MESSAGE]);

/* Collective. Frees output also when it fails. *bytes: what this process wrote of fields, may be NULL. */
int output_close(struct output *output, long long *bytes, char message[OUTPUT_MESSAGE]);

#endif
