/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two-phase: endpoint d of all moves the d-th domain. In each round it gets the places of one block from the
 * endpoints of other processes that have some there, with the bytes if they are to be written; what it has
 * read it sends back. With the endpoints of its own process it does as if merged.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "io/plan.h"

/* What goes to each endpoint, or comes from each: by rank. */
struct postbag {
    char *bytes;
    size_t used, room;
    int *counts, *displs;
};

struct two_phase {
    struct where w;
    struct file_coming *mine;
    struct file_outcome *outcome;
    int size;
    struct postbag out, in;
    struct file_source *source;  /* for a block: of the endpoints of the process, then of others */
    struct file_places **places; /* of others, by rank */
};

/* ---- bags ---- */

static bool bag_new(struct postbag *b, int size)
{
    b->counts = calloc((size_t)size, 2 * sizeof *b->counts);
    b->displs = b->counts ? b->counts + size : NULL;
    return b->counts;
}

static void bag_free(struct postbag *b)
{
    free(b->bytes);
    free(b->counts);
}

static bool bag_reserve(struct postbag *b, size_t bytes)
{
    if (b->room >= bytes)
        return true;
    char *larger = realloc(b->bytes, 2 * bytes);
    if (!larger)
        return false;
    b->bytes = larger;
    b->room = 2 * bytes;
    return true;
}

static void bag_empty(struct postbag *b, int size)
{
    b->used = 0;
    memset(b->counts, 0, (size_t)size * 2 * sizeof *b->counts);
}

/* Room for n bytes more for r, at 8 bytes. NULL without memory. */
static char *bag_add(struct postbag *b, int r, size_t n)
{
    size_t whole = (n + 7) / 8 * 8;
    if (b->used + whole > INT_MAX || !bag_reserve(b, b->used + whole))
        return NULL;
    if (b->counts[r] == 0)
        b->displs[r] = (int)b->used;
    b->counts[r] += (int)whole;
    b->used += whole;
    return b->bytes + b->used - whole;
}

static struct blocks bag_blocks(const struct postbag *b)
{
    return (struct blocks){.form = FORM_VARYING,
                           .buf = b->bytes,
                           .type = type_find(MPI_BYTE),
                           .mpi = MPI_BYTE,
                           .counts = b->counts,
                           .displs = b->displs};
}

static struct blocks bag_sizes(const struct postbag *b)
{
    return (struct blocks){
        .form = FORM_EQUAL, .buf = (char *)b->counts, .count = 1, .type = type_find(MPI_INT), .mpi = MPI_INT};
}

/* Who fails for want of memory says so, and all go without: an error class, the same everywhere. */
static int phase_agree(struct two_phase *x, bool fails)
{
    int mine = fails, any = 0;
    struct blocks send = {
        .form = FORM_WHOLE, .buf = (char *)&mine, .count = 1, .type = type_find(MPI_INT), .mpi = MPI_INT};
    struct blocks recv = send;
    recv.buf = (char *)&any;
    struct call call = {.name = x->w.call, .kind = COLL_ALLREDUCE, .send = send, .recv = recv, .op = MPI_MAX};
    int rc = coll_run(x->w, &call, NULL);
    return rc || !any ? rc
                      : raise_error(x->w, MPI_ERR_NO_MEM, "no memory for a block in one of the processes");
}

/* What all have put into `out` comes to those whom it is for, into `in`. The same. */
static int bag_exchange(struct two_phase *x, struct postbag *out, struct postbag *in)
{
    struct call sizes = {
        .name = x->w.call, .kind = COLL_ALLTOALL, .send = bag_sizes(out), .recv = bag_sizes(in)};
    int rc = coll_run(x->w, &sizes, NULL);
    in->used = 0;
    for (int r = 0; r < x->size && rc == MPI_SUCCESS; r++) {
        in->displs[r] = (int)in->used;
        in->used += ((size_t)in->counts[r] + 7) / 8 * 8;
    }
    if (rc == MPI_SUCCESS)
        rc = phase_agree(x, in->used > INT_MAX || !bag_reserve(in, in->used + 8));
    struct call data = {.name = x->w.call,
                        .kind = COLL_ALLTOALL,
                        .varying = true,
                        .send = bag_blocks(out),
                        .recv = bag_blocks(in)};
    return rc ? rc : coll_run(x->w, &data, NULL);
}

/* ---- a round ---- */

static bool phase_is_near(const struct two_phase *x, int rank)
{
    int index;
    return comm_is_near(x->mine->file->file->comm, rank, &index);
}

/* My places in the block of endpoint r: a number of rows, the rows, and the bytes if they are written. */
static bool phase_put(struct two_phase *x, int r, const struct file_source *s)
{
    size_t n;
    struct type_iov *rows = file_source_rows(s, &n);
    char *to = rows ? bag_add(&x->out, r, 8 + n * sizeof *rows + (x->mine->writes ? s->left : 0)) : NULL;
    if (to) {
        uint64_t number = n;
        struct type_iter memory = s->memory;
        memcpy(to, &number, 8);
        memcpy(to + 8, rows, n * sizeof *rows);
        if (x->mine->writes)
            type_iter_read(&memory, to + 8 + n * sizeof *rows, s->left);
    }
    free(rows);
    return to;
}

/* False without memory: then it goes without. */
static bool phase_ask(struct two_phase *x, int64_t round)
{
    int64_t from, to;
    bag_empty(&x->out, x->size);
    for (int r = 0; r < x->size; r++) {
        struct file_source s;
        if (phase_is_near(x, r) || !file_plan_block(&x->mine->plan, r, round, &from, &to))
            continue;
        if (!file_part_source(&x->mine->part, from, to, &s) || (s.left > 0 && !phase_put(x, r, &s)))
            return false;
    }
    return true;
}

/* The places that came from r, as a source; its bytes are in `in`, or have room in `out`. */
static bool phase_source(struct two_phase *x, int r, struct file_source *s)
{
    char *at = x->in.bytes + x->in.displs[r];
    uint64_t n;
    memcpy(&n, at, 8);
    const struct type_iov *rows = (const struct type_iov *)(const void *)(at + 8);
    char *bytes = at + 8 + n * sizeof *rows;
    x->places[r] = file_places_source(rows, n, bytes, s);
    if (!x->places[r] || x->mine->writes)
        return x->places[r];
    bytes = bag_add(&x->out, r, s->left);
    return bytes;
}

/* Memory of `out` has moved as it grew. */
static void phase_settle(struct two_phase *x, int first, int n)
{
    int k = first;
    for (int r = 0; r < x->size && k < n; r++)
        if (x->places[r]) {
            struct file_source *s = &x->source[k++];
            type_iter_bytes(&s->memory, x->out.bytes + x->out.displs[r], s->left);
        }
}

/* All sources of my block. Their number; -1 without memory. */
static int phase_sources(struct two_phase *x, int64_t from, int64_t to)
{
    const struct file_coming *other = x->mine;
    int n = 0;
    do
        if (!file_part_source(&other->part, from, to, &x->source[n++]))
            return -1;
    while ((other = other->next) != x->mine);
    int first = n;
    for (int r = 0; r < x->size; r++)
        if (x->in.counts[r] > 0 && !phase_source(x, r, &x->source[n++]))
            return -1;
    if (!x->mine->writes)
        phase_settle(x, first, n);
    return n;
}

/* Of what was read for others, only what there is goes to them. */
static void phase_cut(struct two_phase *x, int64_t eof)
{
    for (int r = 0; r < x->size; r++) {
        struct file_source s;
        const struct file_places *p = x->places[r];
        if (!p)
            continue;
        s.left = p->map.bytes;
        type_iter_init(&s.place, NULL, 1, &p->type, &p->map);
        x->out.counts[r] = (int)(eof == INT64_MAX ? s.left : file_source_before(&s, eof));
    }
}

static void phase_move(struct two_phase *x, int64_t round)
{
    struct file_coming *c = x->mine;
    ep_file f = c->file;
    struct file_merge m = {.file = f->file,
                           .writes = c->writes,
                           .vector = c->plan.vector,
                           .source = x->source,
                           .kept = &f->buffer,
                           .room = (size_t)c->plan.block,
                           .eof = INT64_MAX};
    int64_t from, to;
    bag_empty(&x->out, x->size);
    if (!file_plan_block(&c->plan, f->view->rank, round, &from, &to))
        return;
    m.n = phase_sources(x, from, to);
    if (m.n >= 0)
        file_merge_run(&m);
    else
        m.error = ENOMEM;
    file_outcome_add(x->outcome, &m);
    if (m.n < 0)
        bag_empty(&x->out, x->size);
    else if (!c->writes)
        phase_cut(x, m.error ? 0 : m.eof);
    for (int r = 0; r < x->size; r++) {
        free(x->places[r]);
        x->places[r] = NULL;
    }
}

/* What was read for me. */
static void phase_take(struct two_phase *x, int64_t round)
{
    int64_t from, to;
    for (int r = 0; r < x->size; r++) {
        struct file_source s;
        if (x->in.counts[r] == 0 || !file_plan_block(&x->mine->plan, r, round, &from, &to))
            continue;
        if (file_part_source(&x->mine->part, from, to, &s))
            type_iter_write(&s.memory, x->in.bytes + x->in.displs[r], (size_t)x->in.counts[r]);
        else
            x->outcome->worst.error = ENOMEM;
    }
}

static int phase_round(struct two_phase *x, int64_t round)
{
    if (!phase_ask(x, round)) {
        bag_empty(&x->out, x->size);
        x->outcome->worst.error = ENOMEM;
    }
    int rc = bag_exchange(x, &x->out, &x->in);
    if (rc != MPI_SUCCESS)
        return rc;
    phase_move(x, round);
    if (x->mine->writes)
        return MPI_SUCCESS;
    rc = bag_exchange(x, &x->out, &x->in);
    if (rc == MPI_SUCCESS)
        phase_take(x, round);
    return rc;
}

int file_exchange(struct where w, struct file_coming *c, struct file_outcome *o)
{
    const struct comm *comm = c->file->file->comm;
    struct two_phase x = {.w = w, .mine = c, .outcome = o, .size = comm->map.size};
    const struct file_plan *p = &c->plan;
    int64_t rounds = (p->domain + p->block - 1) / p->block;
    x.source = malloc((size_t)x.size * sizeof *x.source);
    x.places = calloc((size_t)x.size, sizeof(struct file_places *));
    bool ready = bag_new(&x.out, x.size) && bag_new(&x.in, x.size) && x.source && x.places;
    int rc = phase_agree(&x, !ready);
    for (int64_t k = 0; k < rounds && rc == MPI_SUCCESS; k++)
        rc = phase_round(&x, k);
    free(x.source);
    free(x.places);
    bag_free(&x.out);
    bag_free(&x.in);
    return rc;
}
