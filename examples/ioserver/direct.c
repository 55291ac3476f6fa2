/* SPDX-License-Identifier: BSD-3-Clause */
/* direct.c: without servers the clients write their blocks themselves, all together, and lose the time that it takes. */
#include "io.h"
#include "record.h"

#include <stdlib.h>
#include <string.h>

struct direct {
    struct io io;
    struct recorder recorder;
    float *scratch;
};

static struct direct *of(struct io *io)
{
    return (struct direct *)io;
}

static void note_failure(struct io *io, const struct recorder *recorder)
{
    memcpy(io->reason, recorder->message, sizeof io->reason);
    io->failed = io->stopped = 1;
}

static float *direct_begin(struct io *io, int field, int step)
{
    const struct iodef *iodef = io->job->iodef;
    for (int i = 0; i < iodef->num_outputs; i++)
        if (iodef->outputs[i].field == field && recorder_wants(&of(io)->recorder, i, step))
            return of(io)->scratch;
    return NULL;
}

static void direct_end(struct io *io, int field, int step)
{
    const struct iodef *iodef = io->job->iodef;
    for (int i = 0; i < iodef->num_outputs; i++)
        if (iodef->outputs[i].field == field && recorder_wants(&of(io)->recorder, i, step))
            recorder_add(&of(io)->recorder, i, of(io)->scratch);
}

static void direct_step(struct io *io, int step)
{
    struct recorder *recorder = &of(io)->recorder;
    for (int i = 0; i < io->job->iodef->num_files && !io->stopped; i++)
        if (file_is_due(&io->job->iodef->files[i], step) && recorder_write(recorder, i, step))
            note_failure(io, recorder);
}

static void direct_close(struct io *io, int early)
{
    struct recorder *recorder = &of(io)->recorder;
    (void)early;
    if (recorder_close(recorder))
        note_failure(io, recorder);
    io->writing = recorder->seconds;
    io->written = recorder->bytes;
    free(of(io)->scratch);
}

static const struct io_ops direct_ops = {direct_begin, direct_end, direct_step, direct_close};

struct io *direct_open(const struct job *job, int client, ep_comm clients)
{
    struct direct *direct = allocate(1, sizeof *direct);
    struct block block = client_block(job, client);
    direct->io.ops = &direct_ops;
    direct->scratch = allocate(block_size(block, job->grid.nz), sizeof(float));
    if (recorder_open(&direct->recorder, job, block, clients))
        note_failure(&direct->io, &direct->recorder);
    direct->io.memory = direct->recorder.memory;
    return &direct->io;
}
