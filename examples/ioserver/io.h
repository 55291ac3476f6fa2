/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io.h: how a client gives away its output. To the servers (send.c), or, without any, by writing itself together with
 * the other clients (direct.c). One struct io for each client, used by its thread alone.
 *
 *     float *values = io_begin(io, field, step);
 *     if (values)                          NULL: nobody wants the field after this step
 *         ... fill it with the block ...
 *         io_end(io, field, step);
 */
#ifndef IO_H
#define IO_H

#include "job.h"
#include "ranks.h"

struct io;

/* What one kind does; io.c calls it and takes the time. */
struct io_ops {
    float *(*begin)(struct io *io, int field, int step);
    void (*end)(struct io *io, int field, int step);
    void (*step)(struct io *io, int step);   /* all fields of the step were given */
    void (*close)(struct io *io, int early); /* no more steps; returns when all is written */
};

struct io {
    const struct io_ops *ops;
    const struct job *job;
    int client;
    struct block block;
    int steps;                   /* of which all fields were given */
    int dropped;                 /* a field could not be given any more: the step does not count */
    int stopped;                 /* the run ends: give no further step */
    int failed;                  /* not all is written; reason says why */
    char reason[OUTPUT_MESSAGE]; /* of either */
    double seconds;              /* in the functions below: what the model loses */
    size_t memory;               /* of buffers */
    double writing; /* seconds in the libraries and bytes, where this client writes for its process */
    long long written;
    int waits; /* for the servers, with all buffers of a stream under way */
};

/* clients: all clients. inter: clients and servers, EP_COMM_NULL without servers. Collective over all endpoints. */
struct io *io_open(const struct job *job, ep_comm clients, ep_comm inter);

float *io_begin(struct io *io, int field, int step);
void io_end(struct io *io, int field, int step);
/* After all fields of a step. Sets stopped if the servers want the run to end. */
void io_step(struct io *io, int step);
/* early: the client ends before the run does, reason says why. Collective over all clients and servers. */
void io_close(struct io *io, int early);
void io_free(struct io *io);

/* send.c, direct.c */
struct io *send_open(const struct job *job, int client, ep_comm inter);
struct io *direct_open(const struct job *job, int client, ep_comm clients);

#endif
