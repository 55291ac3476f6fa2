/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: files are opened, written record by record, and closed, and all processes agree on how that went. */
#include "output_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int output_agree(MPI_Comm comm, int has_failed, char message[OUTPUT_MESSAGE])
{
    int rank, size, mine, first;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    mine = has_failed ? rank : size;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == size)
        return 0;
    MPI_Bcast(message, OUTPUT_MESSAGE, MPI_CHAR, first, comm);
    return -1;
}

void output_explain(const struct output *output, const char *what, const char *why,
                    char message[OUTPUT_MESSAGE])
{
    snprintf(message, OUTPUT_MESSAGE, "%s: %s: %s", output->path, what, why);
}

int output_conclude(struct output *output, int error, int number, const char *what,
                    char message[OUTPUT_MESSAGE])
{
    int has_failed = error || space_is_lost(number);
    if (has_failed)
        output_explain(output, what, space_reason(output, number, error), message);
    output->has_failed = output->is_damaged = output_agree(output->comm, has_failed, message);
    return output->has_failed;
}

static char *make_path(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + sizeof "/.nc";
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s.nc", directory, name);
    return path;
}

static void output_free(struct output *output)
{
    if (!output)
        return;
    free(output->path);
    free(output->varids);
    free(output->slabs);
    free(output);
}

/* NULL without memory, in this process. */
static struct output *make_output(const struct iodef *iodef, int file, const struct grid *grid,
                                  const char *directory, MPI_Comm comm)
{
    struct output *output = calloc(1, sizeof *output);
    if (!output)
        return NULL;
    output->iodef = iodef;
    output->file = &iodef->files[file];
    output->ops = output->file->format == NETCDF4 ? &netcdf4_ops : &cdf5_ops;
    output->comm = comm;
    MPI_Comm_rank(comm, &output->rank);
    MPI_Comm_size(comm, &output->size);
    output->nx = (size_t)grid->nx;
    output->ny = (size_t)grid->ny;
    output->nz = (size_t)grid->nz;
    output->path = make_path(directory, output->file->name);
    output->varids = malloc((size_t)output->file->num_outputs * sizeof *output->varids);
    if (output->path && output->varids)
        return output;
    output_free(output);
    return NULL;
}

int output_is_3d(const struct output *output, int o)
{
    const struct iodef *iodef = output->iodef;
    return iodef->fields[iodef->outputs[output->file->first_output + o].field].is_3d;
}

size_t output_levels(const struct output *output, int o)
{
    return output_is_3d(output, o) ? output->nz : 1;
}

/* Before the library comes: can the file be made, how large may it become? */
static int prepare(struct output *output, char message[OUTPUT_MESSAGE])
{
    unsigned long long mine = (unsigned long long)space_limit(), limit; /* none is the largest number */
    MPI_Allreduce(&mine, &limit, 1, MPI_UNSIGNED_LONG_LONG, MPI_MIN, output->comm);
    output->size_limit = (long long)limit;
    for (int o = 0; o < output->file->num_outputs; o++)
        output->record_bytes +=
            (long long)(output_levels(output, o) * output->ny * output->nx * sizeof(float));
    output->spare_bytes = space_spare(output);
    int error = output->rank == 0 ? space_try(output) : 0;
    if (error)
        output_explain(output, "creating it", strerror(error), message);
    return output_agree(output->comm, error, message);
}

/* All that is in the file before its first record. */
static int create(struct output *output, const struct grid *grid, char message[OUTPUT_MESSAGE])
{
    const struct format_ops *ops = output->ops;
    errno = 0;
    int error = ops->create(output->path, output->comm, &output->ncid);
    if (output_conclude(output, error, errno, "creating it", message))
        return -1;
    output->is_created = 1;
    error = output_define(output, grid);
    if (output_conclude(output, error, errno, "defining what is in it", message))
        return -1;
    error = output->rank == 0 ? space_reserve(output) : 0;
    if (error)
        output_explain(output, "room for its first record", strerror(error), message);
    if ((output->has_failed = output_agree(output->comm, error, message)))
        return -1;
    errno = 0;
    error = ops->end_definition(output->ncid);
    if (output_conclude(output, error, errno, "defining what is in it", message))
        return -1;
    output->is_defined = 1;
    error = output_put_axes(output, grid);
    return output_conclude(output, error, errno, "its axes", message);
}

int output_open(struct output **result, const struct iodef *iodef, int file, const struct grid *grid,
                const char *directory, MPI_Comm comm, char message[OUTPUT_MESSAGE])
{
    struct output *output = make_output(iodef, file, grid, directory, comm);
    char ignored[OUTPUT_MESSAGE];
    *result = NULL;
    if (!output)
        snprintf(message, OUTPUT_MESSAGE, "%s/%s.nc: no memory", directory, iodef->files[file].name);
    if (output_agree(comm, !output, message) || prepare(output, message)) {
        output_free(output);
        return -1;
    }
    if (create(output, grid, message)) {
        output_close(output, NULL, ignored);
        return -1;
    }
    *result = output;
    return 0;
}

int output_close(struct output *output, long long *bytes, char message[OUTPUT_MESSAGE])
{
    if (!output)
        return 0;
    int error = 0;
    if (output->is_damaged && output->is_created)
        output_rescue(output);
    errno = 0;
    if (output->is_created)
        error = output->is_defined && !output->is_damaged ? output->ops->close(output->ncid)
                                                          : output->ops->abandon(output->ncid);
    int result = output_conclude(output, error, errno, "closing it", message);
    if (output->rank == 0)
        space_give_back(output);
    if (bytes)
        *bytes = output->bytes;
    output_free(output);
    return result;
}
