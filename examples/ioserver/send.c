/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * send.c: a client's output by way of the servers. Each stream has a ring of slots, a step's values each. The model
 * fills a slot, which goes to the servers from there by synchronous sends, without another copy in this process, and
 * is free again when all of them have taken their part. With all slots under way the client waits: that bounds the
 * memory, and a run whose servers are too slow becomes as slow as they are.
 */
#include "io.h"
#include "operate.h"
#include "peers.h"
#include "protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    float *values;
    ep_request *sends; /* one for each peer, and room for one more */
};

struct ring {
    struct operate operate; /* before it is sent, if the client does it */
    struct slot *slots;
    int next; /* slot */
    int sent; /* messages to each peer */
};

struct sender {
    struct io io;
    ep_comm inter;
    struct peers peers; /* servers that get a part of this client's block */
    struct ring *rings; /* by stream */
    float *scratch;     /* values that go into operations alone */
    struct control control;
    ep_request listening; /* to TAG_CONTROL */
};

static struct sender *of(struct io *io)
{
    return (struct sender *)io;
}

static void listen_to_servers(struct sender *sender)
{
    ep_irecv(&sender->control, sizeof sender->control, MPI_BYTE, 0, TAG_CONTROL, sender->inter,
             &sender->listening);
}

/* The servers have said something. */
static void note_control(struct sender *sender)
{
    struct io *io = &sender->io;
    int done = sender->control.what == CONTROL_DONE;
    if (!io->reason[0])
        memcpy(io->reason, sender->control.reason, sizeof io->reason);
    io->stopped = 1;
    io->failed |= sender->control.failed;
    if (!done)
        listen_to_servers(sender);
}

/* Wait until the servers have taken what is in the slot; listen to them meanwhile. -1: they want the run to end, and
 * what is in the slot may still be under way. When the client closes it waits for its sends all the same. */
static int empty_slot(struct sender *sender, struct slot *slot, int closing)
{
    int n = sender->peers.num, index, flag, left = 0;
    ep_testall(n, slot->sends, &flag, EP_STATUSES_IGNORE);
    for (int i = 0; i < n; i++)
        left += slot->sends[i] != EP_REQUEST_NULL;
    sender->io.waits += left > 0 && !closing;
    while (left > 0) {
        if (sender->io.stopped && !closing)
            return -1;
        slot->sends[n] = sender->listening;
        ep_waitany(n + 1, slot->sends, &index, EP_STATUS_IGNORE);
        sender->listening = slot->sends[n];
        if (index == n)
            note_control(sender);
        else
            left--;
    }
    return 0;
}

static void send_slot(struct sender *sender, int stream, struct slot *slot)
{
    int is_3d = sender->io.job->iodef->fields[sender->io.job->streams.streams[stream].field].is_3d;
    for (int i = 0; i < sender->peers.num; i++)
        ep_issend(slot->values, 1, sender->peers.peers[i].types[is_3d], sender->peers.peers[i].rank, stream,
                  sender->inter, &slot->sends[i]);
}

static size_t values_of_field(const struct io *io, int field)
{
    return block_size(io->block, field_levels(io->job, field));
}

/* The stream of this field that sends the values themselves after this step, or -1. */
static int plain_stream(const struct io *io, int field, int step)
{
    const struct streams *streams = &io->job->streams;
    for (int i = 0; i < streams->num_streams; i++)
        if (streams->streams[i].field == field && streams->streams[i].operation == INSTANT &&
            stream_is_due(&streams->streams[i], step))
            return i;
    return -1;
}

static int is_operated_on(const struct io *io, int field)
{
    const struct streams *streams = &io->job->streams;
    for (int i = 0; i < streams->num_streams; i++)
        if (streams->streams[i].field == field && streams->streams[i].operation != INSTANT)
            return 1;
    return 0;
}

static float *send_begin(struct io *io, int field, int step)
{
    struct sender *sender = of(io);
    int stream = plain_stream(io, field, step);
    if (stream < 0)
        return is_operated_on(io, field) ? sender->scratch : NULL;
    struct slot *slot = &sender->rings[stream].slots[sender->rings[stream].next];
    if (empty_slot(sender, slot, 0) == 0)
        return slot->values;
    io->dropped = 1;
    return NULL;
}

/* Give a slot away. values: what it is to contain, NULL if that is there. */
static void fill_and_send(struct sender *sender, int stream, const float *values)
{
    struct ring *ring = &sender->rings[stream];
    struct slot *slot = &ring->slots[ring->next];
    size_t size = values_of_field(&sender->io, sender->io.job->streams.streams[stream].field);
    if (values) {
        if (empty_slot(sender, slot, 0)) {
            sender->io.dropped = 1;
            return;
        }
        memcpy(slot->values, values, size * sizeof *values);
    }
    send_slot(sender, stream, slot);
    ring->sent++;
    ring->next = (ring->next + 1) % sender->io.job->options.buffers;
}

static void send_end(struct io *io, int field, int step)
{
    struct sender *sender = of(io);
    const struct streams *streams = &io->job->streams;
    int plain = plain_stream(io, field, step);
    const float *values =
        plain < 0 ? sender->scratch : sender->rings[plain].slots[sender->rings[plain].next].values;
    for (int i = 0; i < streams->num_streams; i++) {
        const struct stream *stream = &streams->streams[i];
        struct operate *operate = &sender->rings[i].operate;
        if (stream->field != field || i == plain)
            continue;
        if (stream->operation != INSTANT && operate_add(operate, values))
            fail("memory", "exhausted");
        if (stream_is_due(stream, step))
            fill_and_send(sender, i, stream->operation == INSTANT ? values : operate_take(operate));
    }
    if (plain >= 0)
        fill_and_send(sender, plain, NULL);
}

/* Do the servers want the run to end? A test costs little, but where there are more endpoints than cores it gives the
 * core away. */
static void send_step(struct io *io, int step)
{
    enum { SELDOM = 8 };
    int flag;
    if (io->stopped || step % SELDOM != 0)
        return;
    ep_test(&of(io)->listening, &flag, EP_STATUS_IGNORE);
    if (flag)
        note_control(of(io));
}

static void send_ends(struct sender *sender, int early)
{
    const struct job *job = sender->io.job;
    size_t size = end_size(job->streams.num_streams);
    struct end *end = allocate(1, size);
    end->steps = sender->io.steps;
    end->early = early;
    memcpy(end->reason, sender->io.reason, sizeof end->reason);
    for (int i = 0; i < job->streams.num_streams; i++)
        end->sent[i] = sender->rings[i].sent;
    for (int server = 0; server < job->num_servers; server++)
        ep_send(end, (int)size, MPI_BYTE, server, TAG_END, sender->inter);
    free(end);
}

static void free_ring(struct sender *sender, struct ring *ring)
{
    operate_free(&ring->operate);
    for (int j = 0; j < sender->io.job->options.buffers; j++) {
        empty_slot(sender, &ring->slots[j], 1);
        free(ring->slots[j].values);
        free(ring->slots[j].sends);
    }
    free(ring->slots);
}

static void send_close(struct io *io, int early)
{
    struct sender *sender = of(io);
    send_ends(sender, early);
    for (int i = 0; i < io->job->streams.num_streams; i++)
        free_ring(sender, &sender->rings[i]);
    while (sender->listening != EP_REQUEST_NULL) {
        ep_wait(&sender->listening, EP_STATUS_IGNORE);
        note_control(sender);
    }
    peers_free(&sender->peers);
    free(sender->rings);
    free(sender->scratch);
}

static const struct io_ops send_ops = {send_begin, send_end, send_step, send_close};

static void make_ring(struct sender *sender, const struct job *job, struct block block, int number)
{
    const struct stream *stream = &job->streams.streams[number];
    struct ring *ring = &sender->rings[number];
    size_t size = block_size(block, field_levels(job, stream->field));
    ring->slots = allocate(job->options.buffers, sizeof *ring->slots);
    for (int i = 0; i < job->options.buffers; i++) {
        ring->slots[i].values = allocate(size, sizeof(float));
        memset(ring->slots[i].values, 0,
               size * sizeof(float)); /* the system gives the memory now, not in a step */
        ring->slots[i].sends = allocate(sender->peers.num + 1, sizeof(ep_request));
        for (int j = 0; j < sender->peers.num; j++)
            ring->slots[i].sends[j] = EP_REQUEST_NULL;
        sender->io.memory += size * sizeof(float);
    }
    if (stream->operation != INSTANT &&
        operate_init(&ring->operate, stream->operation, size, job->grid.missing))
        fail("memory", "exhausted");
}

struct io *send_open(const struct job *job, int client, ep_comm inter)
{
    struct sender *sender = allocate(1, sizeof *sender);
    struct block block = client_block(job, client);
    sender->io.ops = &send_ops;
    sender->inter = inter;
    peers_of_client(&sender->peers, job, client);
    sender->scratch = allocate(block_size(block, job->grid.nz), sizeof(float));
    sender->rings = allocate(job->streams.num_streams, sizeof *sender->rings);
    for (int i = 0; i < job->streams.num_streams; i++)
        make_ring(sender, job, block, i);
    listen_to_servers(sender);
    return &sender->io;
}
