/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.h: what goes from the clients to the servers. A stream is a field's values every so many steps. Where an
 * output's operation is applied by the clients, its stream carries records. Where the servers apply it, the stream
 * carries the values themselves, and serves all outputs that need them at the same steps; for an average that is
 * each step, for an instant value only those of the records.
 */
#ifndef STREAM_H
#define STREAM_H

#include "iodef.h"

struct stream {
    int field;
    int every;                /* steps from one message to the next */
    enum operation operation; /* that the client applies first: INSTANT, none */
};

struct streams {
    struct stream *streams;
    int num_streams;
    int *of_output; /* the stream that each output is made from */
};

void streams_make(struct streams *streams, const struct iodef *iodef);

/* The operation that makes an output out of its stream. */
static inline enum operation operation_behind(const struct streams *streams, const struct iodef *iodef,
                                              int output)
{
    int client_does =
        streams->streams[streams->of_output[output]].operation == iodef->outputs[output].operation;
    return client_does ? INSTANT : iodef->outputs[output].operation;
}

/* Does the stream have a message after this step (from 1), and the file a record? */
static inline int stream_is_due(const struct stream *stream, int step)
{
    return step % stream->every == 0;
}

static inline int file_is_due(const struct iodef_file *file, int step)
{
    return step % file->every == 0;
}

#endif
