/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks that several members of other processes read (pieces.h): in each round a part of every block. */
#include <string.h>

#include "coll/small/pieces.h"

void streams_begin(struct streams *s, struct small_call *t)
{
    s->part = pieces_half(t);
    s->out = (struct stream){.bytes = 0};
    s->ins = 0;
    pieces_begin(&s->p, t);
}

/* Bytes of the part that is next. */
static size_t stream_part(const struct streams *s, const struct stream *x)
{
    size_t left = x->bytes - x->done;
    return left < s->part ? left : s->part;
}

/* False: there is no more. */
static bool stream_put(struct streams *s)
{
    struct stream *x = &s->out;
    size_t n = stream_part(s, x);
    if (n == 0)
        return false;
    memcpy(piece_room(&s->p), x->at + x->done, n);
    x->done += n;
    piece_put(&s->p);
    return true;
}

void stream_send(struct streams *s, char *from, size_t bytes)
{
    s->out = (struct stream){.bytes = bytes, .at = from};
    if (stream_put(s))
        stream_put(s);
}

void stream_take(struct streams *s, int place, const struct span *to, size_t bytes)
{
    struct small_call *t = s->p.t;
    struct stream in = {.place = place, .bytes = bytes};
    if (bytes == 0 || t->rc)
        return;
    if (to->type->contiguous) {
        in.at = span_start(to);
    } else {
        in.walk = reserve_malloc(sizeof *in.walk);
        t->rc = in.walk ? type_iter_span(in.walk, to, TYPE_DATA) : MPI_ERR_NO_MEM;
    }
    s->in[s->ins++] = in;
}

static void stream_next(struct streams *s, struct stream *x, uint64_t q)
{
    size_t n = stream_part(s, x);
    const char *piece = n > 0 ? piece_await(&s->p, x->place, q) : NULL;
    if (piece && x->walk)
        type_iter_write(x->walk, piece, n);
    else if (piece)
        memcpy(x->at + x->done, piece, n);
    x->done += n;
}

/* False: there was nothing to take. */
static bool streams_take(struct streams *s, uint64_t q)
{
    bool any = false;
    for (int i = 0; i < s->ins; i++) {
        any |= s->in[i].done < s->in[i].bytes;
        stream_next(s, &s->in[i], q);
    }
    pieces_read(&s->p, any ? q + 1 : PIECES_ALL);
    return any;
}

void streams_run(struct streams *s)
{
    bool goes_on = true;
    for (uint64_t q = 0; goes_on; q++) {
        goes_on = streams_take(s, q);
        goes_on |= stream_put(s);
    }
    for (int i = 0; i < s->ins; i++)
        reserve_free(s->in[i].walk);
}
