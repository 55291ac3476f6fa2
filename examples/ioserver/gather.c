/* SPDX-License-Identifier: BSD-3-Clause */
/* gather.c: values from the clients. */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

static MPI_Datatype part_type(const struct gather *gather, int stream, int peer)
{
    int field = gather->job->streams.streams[stream].field;
    return gather->peers.peers[peer].types[gather->job->iodef->fields[field].is_3d];
}

static void listen_to_ends(struct gather *gather)
{
    ep_irecv(gather->end, (int)end_size(gather->job->streams.num_streams), MPI_BYTE, MPI_ANY_SOURCE, TAG_END,
             gather->inter, &gather->ending);
}

void gather_post(struct gather *gather, int stream, int message)
{
    struct gather_stream *receiving = &gather->streams[stream];
    if (message >= gather->job->iodef->num_steps / gather->job->streams.streams[stream].every)
        return;
    for (int i = 0; i < gather->peers.num; i++)
        ep_irecv(receiving->buffers[message % 2], 1, part_type(gather, stream, i),
                 gather->peers.peers[i].rank, stream, gather->inter, &receiving->receives[message % 2][i]);
    receiving->posted = message + 1;
}

static void open_stream(struct gather *gather, int number, size_t size)
{
    struct gather_stream *stream = &gather->streams[number];
    for (int b = 0; b < 2; b++) {
        stream->buffers[b] = allocate(size, sizeof(float));
        stream->receives[b] = allocate(gather->peers.num + 1, sizeof(ep_request));
        for (int i = 0; i < gather->peers.num; i++)
            stream->receives[b][i] = EP_REQUEST_NULL;
        gather_post(gather, number, b);
        gather->memory += size * sizeof(float);
    }
}

void gather_open(struct gather *gather, const struct job *job, int server, ep_comm inter)
{
    *gather = (struct gather){.job = job, .inter = inter, .steps = job->iodef->num_steps};
    struct block band = server_block(job, server);
    peers_of_server(&gather->peers, job, server);
    gather->end = allocate(1, end_size(job->streams.num_streams));
    gather->sent = allocate((size_t)job->num_clients * job->streams.num_streams, sizeof *gather->sent);
    gather->streams = allocate(job->streams.num_streams, sizeof *gather->streams);
    for (int i = 0; i < job->streams.num_streams; i++)
        open_stream(gather, i, block_size(band, field_levels(job, job->streams.streams[i].field)));
    listen_to_ends(gather);
}

/* A client's end has come into gather->end, which must not be listened with before it has been looked at. */
static void note_end(struct gather *gather, int client)
{
    int num_streams = gather->job->streams.num_streams;
    gather->num_ended++;
    if (gather->end->steps < gather->steps)
        gather->steps = gather->end->steps;
    if (!gather->reason[0])
        memcpy(gather->reason, gather->end->reason, sizeof gather->reason);
    for (int i = 0; i < num_streams; i++)
        gather->sent[client * num_streams + i] = gather->end->sent[i];
}

int gather_next(struct gather *gather, int stream, int message)
{
    ep_request *receives = gather->streams[stream].receives[message % 2];
    int n = gather->peers.num, index = MPI_UNDEFINED, left = 0;
    double start = ep_wtime();
    ep_status status;
    if (gather->ending == EP_REQUEST_NULL && gather->num_ended < gather->job->num_clients)
        listen_to_ends(gather);
    for (int i = 0; i < n; i++)
        left += receives[i] != EP_REQUEST_NULL;
    for (; left > 0 && index != n; left--) {
        receives[n] = gather->ending;
        ep_waitany(n + 1, receives, &index, &status);
        gather->ending = receives[n];
    }
    gather->idle += ep_wtime() - start;
    if (index != n)
        return GATHER_VALUES;
    note_end(gather, status.MPI_SOURCE);
    return GATHER_END;
}

void gather_all_ends(struct gather *gather)
{
    ep_status status;
    double start = ep_wtime();
    while (gather->num_ended < gather->job->num_clients) {
        if (gather->ending == EP_REQUEST_NULL)
            listen_to_ends(gather);
        ep_wait(&gather->ending, &status);
        note_end(gather, status.MPI_SOURCE);
    }
    gather->idle += ep_wtime() - start;
}

/* What the peer has sent of a stream beyond what was received, and the receives that nothing comes for. */
static void drop(struct gather *gather, int stream, int peer)
{
    struct gather_stream *receiving = &gather->streams[stream];
    int client = gather->peers.peers[peer].rank;
    int sent = gather->sent[client * gather->job->streams.num_streams + stream];
    int first = receiving->posted > 2 ? receiving->posted - 2 : 0;
    for (int message = first; message < receiving->posted; message++) {
        ep_request *receive = &receiving->receives[message % 2][peer];
        if (message >= sent && *receive != EP_REQUEST_NULL)
            ep_cancel(receive);
        ep_wait(receive, EP_STATUS_IGNORE);
    }
    for (int message = receiving->posted; message < sent; message++)
        ep_recv(receiving->buffers[0], 1, part_type(gather, stream, peer), client, stream, gather->inter,
                EP_STATUS_IGNORE);
}

void gather_close(struct gather *gather)
{
    for (int i = 0; i < gather->job->streams.num_streams; i++) {
        for (int peer = 0; peer < gather->peers.num; peer++)
            drop(gather, i, peer);
        for (int b = 0; b < 2; b++) {
            free(gather->streams[i].buffers[b]);
            free(gather->streams[i].receives[b]);
        }
    }
    peers_free(&gather->peers);
    free(gather->streams);
    free(gather->sent);
    free(gather->end);
}
