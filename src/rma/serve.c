/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same code carries out what near endpoints do themselves (move.h, atomic.h). What needs an answer gets its parcel first:
 * without memory the message stays as it is and comes again, so that nothing is done twice.
 */
#include "rma/serve.h"

#include <string.h>

#include "rma/move.h"
#include "rma/rma.h"

/* What a message wants of a target. */
struct job {
    const struct am *am;
    ep_win win; /* the target */
    char *base;
    const struct patch *patches;
    unsigned n;
    struct patch block; /* if the message has none */
    struct atom atom;
    const unsigned char *in; /* data that came */
    unsigned char *out;      /* data of the answer */
    bool outside;            /* of what is attached */
    char *where;
};

static bool is_answer(int kind)
{
    return kind >= AM_ACK;
}

static void each(struct job *j, void (*piece)(void *arg, char *at, size_t bytes))
{
    patches_each(j->patches, j->n, j->base, piece, j);
}

static void check_piece(void *arg, char *at, size_t bytes)
{
    struct job *j = arg;
    if (!j->outside && !regions_have(&j->win->regions, at, bytes)) {
        j->outside = true;
        j->where = at;
    }
}

static void put_piece(void *arg, char *at, size_t bytes)
{
    struct job *j = arg;
    move_bytes(at, j->in, bytes);
    j->in += bytes;
}

static void get_piece(void *arg, char *at, size_t bytes)
{
    struct job *j = arg;
    move_bytes(j->out, at, bytes);
    j->out += bytes;
}

static void apply_piece(void *arg, char *at, size_t bytes)
{
    struct job *j = arg;
    atom_apply(&j->atom, &j->win->window->arena, at, (const char *)j->in, (char *)j->out,
               bytes / j->atom.size);
    if (j->in)
        j->in += bytes;
    if (j->out)
        j->out += bytes;
}

static void swap(struct job *j)
{
    const char *compare = (const char *)j->in;
    atom_swap(&j->atom, &j->win->window->arena, j->base + j->am->offset, compare, compare + j->atom.size,
              (char *)j->out);
}

static void answer(struct mail *m, int to, struct parcel *p, const struct am *am, enum am_kind kind,
                   size_t bytes)
{
    p->am = (struct am){.kind = (uint8_t)kind,
                        .bytes = (uint32_t)bytes,
                        .number = am->number,
                        .flow = am->flow,
                        .reply = kind == AM_ACK ? NULL : am->reply};
    mail_send(m, p, to, bytes);
}

/* It stands for the answer, too. */
static void refuse(struct mail *m, int to, struct parcel *p, const struct job *j)
{
    p->am = (struct am){.kind = AM_FAULT,
                        .op = FAULT_ATTACH,
                        .bytes = j->am->bytes,
                        .target = j->win->view->rank,
                        .offset = (int64_t)(uintptr_t)j->where,
                        .number = j->am->number,
                        .tag = j->am->tag,
                        .flow = j->am->flow,
                        .reply = j->am->reply};
    mail_send(m, p, to, 0);
}

/* ---- memory ---- */

static struct job job_of(ep_win win, const struct am *am, const unsigned char *data)
{
    struct job j = {.am = am, .win = win, .n = am->patches};
    j.base = win->window->flavor == MPI_WIN_FLAVOR_DYNAMIC ? NULL : win->base;
    j.patches = (const struct patch *)(const void *)data;
    j.in = data + am->patches * sizeof(struct patch);
    if (am->kind == AM_ACCUMULATE || am->kind == AM_GET_ACCUMULATE || am->kind == AM_SWAP)
        atom_of_codes(am->type, am->op, &j.atom);
    if (am->patches == 0) {
        uint64_t bytes = am->kind == AM_SWAP ? j.atom.size : am->length ? am->length : am->bytes;
        j.block = (struct patch){.offset = am->offset, .bytes = (uint32_t)bytes, .times = 1};
    }
    return j;
}

static void carry_out(struct job *j)
{
    switch (j->am->kind) {
    case AM_PUT:
        each(j, put_piece);
        break;
    case AM_GET:
        each(j, get_piece);
        break;
    case AM_SWAP:
        swap(j);
        break;
    default:
        each(j, apply_piece);
    }
}

/* Bytes of data in the answer. */
static size_t answer_bytes(const struct job *j)
{
    return j->am->kind == AM_SWAP ? j->atom.size : j->am->bytes;
}

/* An acknowledgement that the message wants anyway goes with the answer. */
static bool serve_memory(struct mail *m, int source, ep_win win, const struct am *am,
                         const unsigned char *data)
{
    struct job j = job_of(win, am, data);
    bool fetches = am_fetches(am->kind), dynamic = win->window->flavor == MPI_WIN_FLAVOR_DYNAMIC;
    struct parcel *p = NULL;
    if (am->patches == 0) {
        j.patches = &j.block;
        j.n = 1;
    }
    if (am->kind == AM_GET_ACCUMULATE && j.atom.mpi_op == MPI_NO_OP)
        j.in = NULL;
    if (unlikely(dynamic))
        each(&j, check_piece);
    if ((fetches || (am->flags & AM_WANTS_ACK) || j.outside) && !(p = mail_parcel(m)))
        return false;
    if (unlikely(j.outside)) {
        refuse(m, source, p, &j);
        return true;
    }
    if (fetches)
        j.out = p->data;
    carry_out(&j);
    if (p)
        answer(m, source, p, am, fetches ? AM_DATA : AM_ACK, fetches ? answer_bytes(&j) : 0);
    return true;
}

/* ---- bulk ---- */

/* The data are in the window, or have left it. */
static void bulk_over(struct bulk *b, int rc)
{
    struct parcel *p = b->arg;
    if (p) {
        p->am = (struct am){.kind = rc == MPI_SUCCESS ? AM_BULK_DONE : AM_FAULT,
                            .op = FAULT_MPI,
                            .target = b->am.target,
                            .number = b->am.number,
                            .tag = b->am.tag,
                            .flow = b->am.flow,
                            .reply = b->am.reply};
        mail_send(b->mail, p, b->peer, 0);
    }
    reserve_free(b);
}

/* Not for dynamic windows: what is attached has to be checked before data are on their way. */
static bool serve_bulk(struct mail *m, int source, ep_win win, const struct am *am)
{
    bool put = am->kind == AM_BULK_PUT, acks = am->flags & AM_WANTS_ACK;
    struct bulk *b = reserve_malloc(sizeof *b);
    struct parcel *p = b ? mail_parcel(m) : NULL;
    if (!p) {
        reserve_free(b);
        return false;
    }
    *b = (struct bulk){.sends = !put,
                       .peer = source,
                       .tag = am->tag,
                       .data = (char *)win->base + am->offset,
                       .bytes = am->length,
                       .done = bulk_over,
                       .am = *am,
                       .arg = put ? p : NULL};
    b->am.target = win->view->rank;
    if (!put && acks)
        answer(m, source, p, am, AM_ACK, 0);
    else if (!put)
        mail_return(m, p);
    bulk_add(m, b);
    return true;
}

/* ---- all ---- */

/* Messages of synchronisation. */
static bool serve_synchronisation(struct mail *m, int source, ep_win win, const struct am *am)
{
    struct parcel *p = NULL;
    if (am->kind == AM_LOCK)
        return epoch_serve_lock(win, source, am);
    if ((am->flags & AM_WANTS_ACK) && !(p = mail_parcel(m)))
        return false;
    if (am->kind == AM_UNLOCK)
        epoch_serve_unlock(win, am);
    else if (am->kind == AM_POST)
        epoch_serve_post(win, am->origin);
    else if (am->kind == AM_COMPLETE)
        epoch_serve_complete(win);
    if (p)
        answer(m, source, p, am, AM_ACK, 0);
    return true;
}

bool serve_am(struct mail *m, int source, const struct am *am, const unsigned char *data)
{
    if (is_answer(am->kind)) {
        serve_answer(am, data);
        return true;
    }
    const struct window *x = am->window;
    ep_win win = x->local[am->target];
    switch (am->kind) {
    case AM_PUT:
    case AM_ACCUMULATE:
    case AM_GET:
    case AM_GET_ACCUMULATE:
    case AM_SWAP:
        return serve_memory(m, source, win, am, data);
    case AM_BULK_PUT:
    case AM_BULK_GET:
        return serve_bulk(m, source, win, am);
    default:
        return serve_synchronisation(m, source, win, am);
    }
}
