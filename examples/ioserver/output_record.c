/* SPDX-License-Identifier: BSD-3-Clause */
/* output_record.c: one record: the blocks of all processes become calls of the library, equally many in each. */
#include "output_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values that go to the library at once have at most that many bytes in each process: MPI counts with int. */
#ifndef OUTPUT_PUT_BYTES
#define OUTPUT_PUT_BYTES ((size_t)1 << 30)
#endif

/* A part of the grid and of an output that no process has more of than one call takes. */
struct window {
    int o;
    size_t level, num_levels, row, num_rows;
};

/* The first window, or the one after w; then 1, or 0 at the end of the outputs. Levels in one piece have all rows. */
static int next_window(const struct output *output, struct window *w)
{
    size_t row_bytes = output->nx * sizeof(float), rows = OUTPUT_PUT_BYTES / row_bytes;
    size_t levels = rows / output->ny;
    w->row += w->num_rows;
    if (w->row >= output->ny) {
        w->row = 0;
        w->level += w->num_levels;
    }
    if (w->o < output->file->num_outputs && w->level >= output_levels(output, w->o)) {
        w->level = 0;
        w->o++;
    }
    if (w->o >= output->file->num_outputs)
        return 0;
    w->num_rows = output->ny - w->row;
    w->num_levels = output_levels(output, w->o) - w->level;
    if (levels < w->num_levels)
        w->num_levels = levels ? levels : 1;
    if (!levels && rows < w->num_rows)
        w->num_rows = rows ? rows : 1;
    return 1;
}

/* The part of a block that is in the window: none has counts of 0. */
static struct slab make_slab(const struct output *output, const struct window *w, int record,
                             const struct block *block, const float *values)
{
    int has_levels = output_is_3d(output, w->o), d = 1 + has_levels;
    struct slab slab = {output->varids[w->o], d + 2, FLOAT, {(size_t)record}, {0}, values};
    if (!block || block->num_rows <= 0 || block->num_columns <= 0)
        return slab;
    size_t first = (size_t)block->first_row, end = first + (size_t)block->num_rows;
    size_t from = first > w->row ? first : w->row, to = end;
    if (to > w->row + w->num_rows)
        to = w->row + w->num_rows;
    if (from >= to)
        return slab;
    slab.count[0] = 1;
    slab.start[1] = w->level;
    slab.count[1] = w->num_levels;
    slab.start[d] = from;
    slab.count[d] = to - from;
    slab.start[d + 1] = (size_t)block->first_column;
    slab.count[d + 1] = (size_t)block->num_columns;
    slab.values = values + (w->level * (end - first) + (from - first)) * slab.count[d + 1];
    return slab;
}

/* What this process has of a record; max_blocks: of any process. */
struct part {
    int num_blocks, max_blocks;
    const struct block *blocks;
    const float *const *data;
};

/* What one call takes. Each process has a slab for each block that some process has. */
struct batch {
    struct slab *slabs;
    int num_slabs;
    size_t window_bytes;
};

static void put_batch(struct output *output, struct batch *batch, int *error, int *number)
{
    errno = 0;
    int failure = output->ops->put(output->ncid, batch->num_slabs, batch->slabs);
    if (!*error && !space_is_lost(*number)) {
        *error = failure;
        *number = errno;
    }
    batch->num_slabs = 0;
    batch->window_bytes = 0;
}

static size_t slab_bytes(const struct slab *slab)
{
    size_t bytes = sizeof(float);
    for (int d = 0; d < slab->ndims; d++)
        bytes *= slab->count[d];
    return bytes;
}

/* Goes on after an error: the others of comm wait in the calls that follow. */
static int put_record(struct output *output, int record, const struct part *part, struct batch *batch,
                      int *number)
{
    struct window w = {0};
    double times[4];
    int error = 0;
    batch->num_slabs = output_time_slabs(output, record, times, batch->slabs);
    while (next_window(output, &w)) {
        size_t bytes = w.num_levels * w.num_rows * output->nx * sizeof(float);
        if (batch->window_bytes + bytes > OUTPUT_PUT_BYTES)
            put_batch(output, batch, &error, number);
        for (int b = 0; b < part->max_blocks; b++) {
            int is_mine = b < part->num_blocks;
            struct slab *slab = &batch->slabs[batch->num_slabs++];
            *slab = make_slab(output, &w, record, is_mine ? &part->blocks[b] : NULL,
                              is_mine ? part->data[w.o * part->num_blocks + b] : NULL);
            output->bytes += (long long)slab_bytes(slab);
        }
        batch->window_bytes += bytes;
    }
    put_batch(output, batch, &error, number);
    return error;
}

/* Memory for the slabs of a record. 0 or -1. */
static int make_slabs(struct output *output, int max_blocks)
{
    struct window w = {0};
    size_t num_slabs = 3; /* of its time */
    while (next_window(output, &w))
        num_slabs += (size_t)max_blocks;
    if (num_slabs <= output->num_slabs)
        return 0;
    free(output->slabs);
    output->slabs = malloc(num_slabs * sizeof *output->slabs);
    output->num_slabs = output->slabs ? num_slabs : 0;
    return output->slabs ? 0 : -1;
}

/* Before the library comes: order, memory, room on the disk. */
static int prepare(struct output *output, int record, const char *what, int max_blocks,
                   char message[OUTPUT_MESSAGE])
{
    const char *why = NULL;
    if (output->has_failed)
        why = "an earlier record could not be written";
    else if (record != output->num_records)
        why = "records are not in order";
    else if (make_slabs(output, max_blocks))
        why = "no memory";
    else if (output->rank == 0) {
        int error = space_reserve(output);
        why = error ? strerror(error) : NULL;
    }
    if (why)
        output_explain(output, what, why, message);
    MPI_Bcast(&output->good_size, 1, MPI_LONG_LONG, 0, output->comm);
    return output->has_failed = output_agree(output->comm, why != NULL, message);
}

int output_write(struct output *output, int record, int num_blocks, const struct block *blocks,
                 const float *const *data, char message[OUTPUT_MESSAGE])
{
    struct part part = {.num_blocks = num_blocks, .blocks = blocks, .data = data};
    char what[32];
    int number = 0;
    snprintf(what, sizeof what, "record %d", record);
    MPI_Allreduce(&num_blocks, &part.max_blocks, 1, MPI_INT, MPI_MAX, output->comm);
    if (prepare(output, record, what, part.max_blocks, message))
        return -1;
    struct batch batch = {.slabs = output->slabs};
    int error = put_record(output, record, &part, &batch, &number);
    output->num_records++;
    if (!error && output->rank == 0 && space_is_short(output))
        number = ENOSPC;
    return output_conclude(output, error, number, what, message);
}
