/* SPDX-License-Identifier: BSD-3-Clause */
/* io.c: the way that a client's output takes, and the time that it takes. */
#include "io.h"

#include <stdlib.h>

struct io *io_open(const struct job *job, ep_comm clients, ep_comm inter)
{
    int client;
    ep_comm_rank(clients, &client);
    struct io *io = job->num_servers ? send_open(job, client, inter) : direct_open(job, client, clients);
    io->job = job;
    io->client = client;
    io->block = client_block(job, client);
    return io;
}

float *io_begin(struct io *io, int field, int step)
{
    double start = ep_wtime();
    float *values = io->ops->begin(io, field, step);
    io->seconds += ep_wtime() - start;
    return values;
}

void io_end(struct io *io, int field, int step)
{
    double start = ep_wtime();
    io->ops->end(io, field, step);
    io->seconds += ep_wtime() - start;
}

void io_step(struct io *io, int step)
{
    double start = ep_wtime();
    io->ops->step(io, step);
    if (!io->dropped)
        io->steps = step;
    io->seconds += ep_wtime() - start;
}

void io_close(struct io *io, int early)
{
    io->ops->close(io, early);
}

void io_free(struct io *io)
{
    free(io);
}
