/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.h: one run as all its endpoints see it: what is to be done, and who is who. Made once per process before the
 * endpoints start, the same in all processes, and only read from then on.
 *
 * Clients have a block of the grid each and compute. Servers have a band of whole rows each, in which they gather
 * what the clients send, and write it. Without servers (layout 4+0) the clients write their blocks themselves.
 */
#ifndef JOB_H
#define JOB_H

#include "iodef.h"
#include "output.h"
#include "stream.h"

struct options {
    const char *iodef, *data, *output; /* files of definitions and start data, folder of the results */
    const char *layout;                /* layout.c */
    const char *format;                /* NULL: as the definitions say */
    int steps;                         /* 0: as the definitions say */
    int coarsen;                       /* every n-th point of the start data's grid in each direction */
    int buffers;              /* steps of a field that a client keeps before it waits for the servers */
    int slow_server;          /* milliseconds that each record takes longer: a slow disk */
    int slow_client;          /* milliseconds that each time step takes longer */
    int end_client, end_step; /* this client ends after this step; -1: none */
    int progress;             /* show how far it is */
};

/* Endpoints of one process: clients first, then servers. */
struct share {
    int clients, servers;
};

struct job {
    struct options options;
    int process, num_processes;
    struct share *shares; /* by process */
    int num_clients, num_servers;
    int num_columns, num_rows; /* of blocks: the clients stand in a rectangle */
    struct iodef *iodef;
    struct streams streams;
    struct grid grid;
};

/* Ends the whole run, from a call that cannot go on. */
_Noreturn void fail(const char *what, const char *why);
/* Zeroed, never NULL. */
void *allocate(size_t count, size_t size);
void sleep_milliseconds(int milliseconds);

/* layout.c. The text is a comma's list of CLIENTS+SERVERS, one for each process, where NxCLIENTS+SERVERS stands for
 * N alike: "2x3+1" are two processes of three clients and a server each. 0, or -1 if it is not one. */
int layout_parse(struct job *job, const char *text);
/* The part of the grid that a client computes, and that a server gathers. */
struct block client_block(const struct job *job, int client);
struct block server_block(const struct job *job, int server);
/* What two blocks have in common, and a block's number of points, of fields that have these levels. */
struct block block_common(struct block a, struct block b);
size_t block_size(struct block block, int levels);

static inline int field_levels(const struct job *job, int field)
{
    return job->iodef->fields[field].is_3d ? job->grid.nz : 1;
}

#endif
