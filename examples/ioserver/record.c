/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c: from the values of steps to records, and the writers' meeting. */
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions that end in _all are run by the first writer of each process, for all writers of it. */

static struct recorder *writer(void *const args[], int i)
{
    return args[i];
}

static int tell_all(int status, int num_writers, void *const args[], const char *message)
{
    for (int i = 0; i < num_writers && status; i++)
        snprintf(writer(args, i)->message, OUTPUT_MESSAGE, "%s", message);
    return status;
}

static int open_all(ep_mpi_comm comm, int num_writers, void *const args[])
{
    struct recorder *first = args[0];
    const struct job *job = first->job;
    char message[OUTPUT_MESSAGE];
    int status = 0;
    first->files = allocate(job->iodef->num_files, sizeof *first->files);
    for (int i = 0; i < job->iodef->num_files && !status; i++)
        status = output_open(&first->files[i], job->iodef, i, &job->grid, job->options.output, comm, message);
    return tell_all(status, num_writers, args, message);
}

static int write_all(ep_mpi_comm comm, int num_writers, void *const args[])
{
    struct recorder *first = args[0];
    const struct iodef_file *file = &first->job->iodef->files[first->file];
    struct block *blocks = allocate(num_writers, sizeof *blocks);
    const float **data = allocate((size_t)num_writers * file->num_outputs, sizeof *data);
    char message[OUTPUT_MESSAGE];
    double start = ep_wtime();
    (void)comm;
    for (int i = 0; i < num_writers; i++) {
        blocks[i] = writer(args, i)->block;
        for (int o = 0; o < file->num_outputs; o++)
            data[o * num_writers + i] = operate_take(&writer(args, i)->operates[file->first_output + o]);
    }
    int status = output_write(first->files[first->file], first->record, num_writers, blocks, data, message);
    sleep_milliseconds(first->job->options.slow_server);
    first->seconds += ep_wtime() - start;
    free(data);
    free(blocks);
    return tell_all(status, num_writers, args, message);
}

static int close_all(ep_mpi_comm comm, int num_writers, void *const args[])
{
    struct recorder *first = args[0];
    char message[OUTPUT_MESSAGE];
    double start = ep_wtime();
    int status = 0;
    (void)comm;
    for (int i = 0; i < first->job->iodef->num_files; i++) {
        long long bytes = 0;
        if (first->files[i] && output_close(first->files[i], &bytes, message) && !status)
            status = tell_all(-1, num_writers, args, message);
        first->bytes += bytes;
    }
    first->seconds += ep_wtime() - start;
    free(first->files);
    return status;
}

static int call(struct recorder *recorder, int (*fn)(ep_mpi_comm, int, void *const[]))
{
    int result;
    ep_funnel_call(recorder->funnel, fn, recorder, &result);
    return result;
}

int recorder_open(struct recorder *recorder, const struct job *job, struct block block, ep_comm writers)
{
    const struct iodef *iodef = job->iodef;
    *recorder = (struct recorder){.job = job, .block = block};
    recorder->operates = allocate(iodef->num_outputs, sizeof *recorder->operates);
    for (int i = 0; i < iodef->num_outputs; i++) {
        enum operation operation =
            job->num_servers ? operation_behind(&job->streams, iodef, i) : iodef->outputs[i].operation;
        size_t size = block_size(block, field_levels(job, iodef->outputs[i].field));
        if (operate_init(&recorder->operates[i], operation, size, job->grid.missing))
            fail("memory", "exhausted");
        recorder->memory += size * (operation == AVERAGE ? sizeof(double) + sizeof(float) : sizeof(float));
    }
    ep_funnel_create(writers, &recorder->funnel);
    return call(recorder, open_all);
}

int recorder_wants(const struct recorder *recorder, int output, int step)
{
    const struct iodef *iodef = recorder->job->iodef;
    return recorder->operates[output].operation != INSTANT ||
           file_is_due(&iodef->files[iodef->outputs[output].file], step);
}

void recorder_add(struct recorder *recorder, int output, const float *values)
{
    if (operate_add(&recorder->operates[output], values))
        fail("memory", "exhausted");
}

int recorder_write(struct recorder *recorder, int file, int step)
{
    recorder->file = file;
    recorder->record = step / recorder->job->iodef->files[file].every - 1;
    return call(recorder, write_all);
}

int recorder_close(struct recorder *recorder)
{
    char message[OUTPUT_MESSAGE];
    memcpy(message, recorder->message, sizeof message);
    int status = call(recorder, close_all);
    if (message[0])
        memcpy(recorder->message, message, sizeof message);
    ep_funnel_free(&recorder->funnel);
    for (int i = 0; i < recorder->job->iodef->num_outputs; i++)
        operate_free(&recorder->operates[i]);
    free(recorder->operates);
    return status;
}
