/* SPDX-License-Identifier: BSD-3-Clause */
/* client.c: a client's run: step, give the output away, step. */
#include "client.h"

#include "io.h"
#include "model.h"

#include <stdio.h>
#include <string.h>

static void give_output(const struct job *job, const struct model *model, struct io *io, int step)
{
    for (int field = 0; field < job->iodef->num_fields; field++) {
        float *values = io_begin(io, field, step);
        if (values) {
            double start = ep_wtime();
            model_export(model, model_find_field(job->iodef->fields[field].id), values);
            io->seconds += ep_wtime() - start;
            io_end(io, field, step);
        }
    }
    io_step(io, step);
}

/* 1: the client ends before the run does. */
static int run_steps(const struct job *job, struct model *model, struct io *io)
{
    const struct options *options = &job->options;
    double start = ep_wtime();
    for (int step = 1; step <= job->iodef->num_steps && !io->stopped; step++) {
        if (model_exchange(model, 0))
            return 1; /* its neighbour says why */
        model_step(model, step);
        sleep_milliseconds(options->slow_client);
        give_output(job, model, io, step);
        if (options->progress && io->client == 0)
            report_progress(job, step, ep_wtime() - start, io->seconds);
        if (io->client == options->end_client && step == options->end_step) {
            snprintf(io->reason, sizeof io->reason, "client %d ended after step %d: told to by --end-client",
                     io->client, step);
            return 1;
        }
    }
    return io->stopped;
}

void client_run(const struct job *job, ep_comm clients, ep_comm inter, struct result *result)
{
    struct model *model = model_create(job, clients);
    struct io *io = io_open(job, clients, inter);
    double start = ep_wtime();
    int early = run_steps(job, model, io);
    model_exchange(model, 1); /* all end so, and those who are not through yet see it */
    result->seconds = ep_wtime() - start;
    result->lost = io->seconds;
    io_close(io, early);
    result->steps = io->steps;
    result->early = early;
    result->failed = io->failed;
    result->bytes = io->written;
    result->writing = io->writing;
    result->memory = (long long)io->memory;
    result->waits = io->waits;
    memcpy(result->reason, io->reason, sizeof result->reason);
    io_free(io);
    model_free(model);
}
