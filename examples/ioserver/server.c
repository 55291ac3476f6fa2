/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * server.c: a server's steps. For each stream it has two buffers of its band, into which it receives straight from the
 * clients' blocks: while one is worked on, the next step comes into the other. All servers do the same steps in the
 * same order, so that their collective writes meet. protocol.h says how a run ends before its time.
 */
#include "server.h"

#include "gather.h"
#include "protocol.h"
#include "record.h"

#include <stdlib.h>
#include <string.h>

struct server {
    const struct job *job;
    int rank;
    ep_comm servers, inter;
    struct recorder recorder;
    struct gather gather;
    int written;  /* the last step that records are written of, if writing failed */
    int stopping; /* clients that go on must be told, or have been */
    struct server_result result;
};

static void tell_clients(struct server *server, int what)
{
    struct control control = {.what = what, .failed = server->result.failed};
    if (server->rank != 0)
        return;
    memcpy(control.reason, server->result.reason, sizeof control.reason);
    for (int client = 0; client < server->job->num_clients; client++)
        ep_send(&control, sizeof control, MPI_BYTE, client, TAG_CONTROL, server->inter);
}

static void stop(struct server *server, const char *reason)
{
    if (server->stopping)
        return;
    server->stopping = 1;
    memcpy(server->result.reason, reason, sizeof server->result.reason);
    tell_clients(server, CONTROL_STOP);
}

static void stop_failed(struct server *server)
{
    server->result.failed = 1;
    stop(server, server->recorder.message);
}

/* Wait for a step's values of a stream. -1: some client will not send them. */
static int await_values(struct server *server, int stream, int message, int step)
{
    struct gather *gather = &server->gather;
    while (step <= gather->steps) {
        if (gather_next(gather, stream, message) == GATHER_VALUES)
            return 0;
        if (gather->end->early)
            stop(server, gather->reason);
    }
    return -1;
}

/* Bring a stream's values of this step to the outputs that are made from it. */
static int take_stream(struct server *server, int number, int step)
{
    const struct job *job = server->job;
    const struct stream *stream = &job->streams.streams[number];
    int message = step / stream->every - 1;
    if (await_values(server, number, message, step))
        return -1;
    for (int i = 0; i < job->iodef->num_outputs; i++)
        if (job->streams.of_output[i] == number && recorder_wants(&server->recorder, i, step))
            recorder_add(&server->recorder, i, gather_values(&server->gather, number, message));
    gather_post(&server->gather, number, message + 2);
    return 0;
}

static int take_step(struct server *server, int step)
{
    for (int i = 0; i < server->job->streams.num_streams; i++)
        if (stream_is_due(&server->job->streams.streams[i], step) && take_stream(server, i, step))
            return -1;
    return 0;
}

static int is_record_due(const struct server *server, int step)
{
    for (int i = 0; i < server->job->iodef->num_files; i++)
        if (file_is_due(&server->job->iodef->files[i], step))
            return 1;
    return 0;
}

/* Does any server lack values? One whose clients are far from the one that ended has those of later steps, and one
 * without rows needs none; to write is collective, so all do it or none. */
static int any_lacks(struct server *server, int lacks)
{
    int any;
    double start = ep_wtime();
    ep_allreduce(&lacks, &any, 1, MPI_INT, MPI_MAX, server->servers);
    server->gather.idle += ep_wtime() - start;
    return any;
}

static int write_step(struct server *server, int step)
{
    for (int i = 0; i < server->job->iodef->num_files; i++)
        if (file_is_due(&server->job->iodef->files[i], step) && recorder_write(&server->recorder, i, step))
            return -1;
    return 0;
}

static void run_steps(struct server *server)
{
    int lacks = 0;
    for (int step = 1; step <= server->job->iodef->num_steps; step++) {
        lacks = lacks || take_step(server, step);
        if (!is_record_due(server, step))
            continue;
        if (any_lacks(server, lacks)) {
            stop(server, server->gather.reason);
            return;
        }
        if (write_step(server, step)) {
            stop_failed(server);
            return;
        }
        server->written = step;
    }
}

struct server_result server_run(const struct job *job, ep_comm servers, ep_comm inter)
{
    struct server server = {.job = job, .servers = servers, .inter = inter};
    ep_comm_rank(servers, &server.rank);
    struct block band = server_block(job, server.rank);
    int opened = recorder_open(&server.recorder, job, band, servers) == 0;
    gather_open(&server.gather, job, server.rank, inter);
    if (opened)
        run_steps(&server);
    else
        stop_failed(&server);
    gather_all_ends(&server.gather);
    server.result.steps = server.result.failed ? server.written : server.gather.steps;
    if (!server.result.reason[0])
        memcpy(server.result.reason, server.gather.reason, sizeof server.result.reason);
    gather_close(&server.gather); /* all that is still under way is received */
    if (recorder_close(&server.recorder) && !server.result.failed) {
        server.result.failed = 1;
        memcpy(server.result.reason, server.recorder.message, sizeof server.result.reason);
    }
    tell_clients(&server, CONTROL_DONE);
    server.result.idle = server.gather.idle;
    server.result.writing = server.recorder.seconds;
    server.result.bytes = server.recorder.bytes;
    server.result.memory = server.recorder.memory + server.gather.memory;
    return server.result;
}
