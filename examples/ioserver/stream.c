/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c: the streams that a file of definitions asks for. */
#include "job.h"

static struct stream wanted_stream(const struct iodef *iodef, const struct iodef_output *output)
{
    const struct iodef_file *file = &iodef->files[output->file];
    struct stream stream = {output->field, file->every, INSTANT};
    if (output->operation == INSTANT)
        return stream;
    if (file->operate_at == AT_CLIENT)
        stream.operation = output->operation;
    else
        stream.every = 1;
    return stream;
}

/* Values that go more often serve also who wants them less often. */
static int find_stream(const struct streams *streams, const struct stream *wanted)
{
    for (int i = 0; i < streams->num_streams; i++) {
        const struct stream *stream = &streams->streams[i];
        int serves = wanted->operation == INSTANT ? wanted->every % stream->every == 0
                                                  : wanted->every == stream->every;
        if (stream->field == wanted->field && stream->operation == wanted->operation && serves)
            return i;
    }
    return -1;
}

static void find_or_add(struct streams *streams, const struct iodef *iodef, int output)
{
    struct stream wanted = wanted_stream(iodef, &iodef->outputs[output]);
    int found = find_stream(streams, &wanted);
    if (found < 0) {
        found = streams->num_streams++;
        streams->streams[found] = wanted;
    }
    streams->of_output[output] = found;
}

/* The frequency that comes after this one, of those that are wanted; 0: none. */
static int next_frequency(const struct iodef *iodef, int every)
{
    int next = 0;
    for (int i = 0; i < iodef->num_outputs; i++) {
        int wanted = wanted_stream(iodef, &iodef->outputs[i]).every;
        if (wanted > every && (next == 0 || wanted < next))
            next = wanted;
    }
    return next;
}

void streams_make(struct streams *streams, const struct iodef *iodef)
{
    streams->streams = allocate(iodef->num_outputs, sizeof *streams->streams);
    streams->of_output = allocate(iodef->num_outputs, sizeof *streams->of_output);
    /* The more frequent ones first, so that the others find them. */
    for (int every = next_frequency(iodef, 0); every > 0; every = next_frequency(iodef, every))
        for (int i = 0; i < iodef->num_outputs; i++)
            if (wanted_stream(iodef, &iodef->outputs[i]).every == every)
                find_or_add(streams, iodef, i);
}
