/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same code carries out what near endpoints do themselves (base/word.h, atomic.h). What needs an answer gets its place in the ring or
 * its packet first: without memory the message stays as it is and comes again, so that nothing is done twice.
 */
#include "rma/am.h"

#include <string.h>

#include "rma/rma.h"

/* What a message wants of a target. */
struct serve_job {
    const struct am *am;
    ep_win win; /* the target */
    char *base;
    const struct type_iov *iov;
    unsigned n;
    struct type_iov block; /* if the message has none */
    uint32_t bytes;        /* at the target */
    struct atom atom;
    const unsigned char *in; /* data that came */
    unsigned char *out;      /* data of the answer */
    bool outside;            /* of what is attached */
    char *where;
};

static void serve_each(struct serve_job *j, void (*piece)(void *arg, char *at, size_t bytes))
{
    type_iov_each(j->iov, j->n, j->base, piece, j);
}

static void check_piece(void *arg, char *at, size_t bytes)
{
    struct serve_job *j = arg;
    if (!j->outside && !regions_have(&j->win->regions, at, bytes)) {
        j->outside = true;
        j->where = at;
    }
}

static void put_piece(void *arg, char *at, size_t bytes)
{
    struct serve_job *j = arg;
    move_bytes(at, j->in, bytes);
    j->in += bytes;
}

static void get_piece(void *arg, char *at, size_t bytes)
{
    struct serve_job *j = arg;
    move_bytes(j->out, at, bytes);
    j->out += bytes;
}

static void apply_piece(void *arg, char *at, size_t bytes)
{
    struct serve_job *j = arg;
    atom_apply(&j->atom, &j->win->window->arena, at, (const char *)j->in, (char *)j->out,
               bytes / j->atom.size);
    if (j->in)
        j->in += bytes;
    if (j->out)
        j->out += bytes;
}

static void serve_swap(struct serve_job *j)
{
    size_t apart = am_swap_apart(j->atom.size);
    const char *in = (const char *)j->in;
    atom_swap(&j->atom, &j->win->window->arena, j->base + j->am->offset, apart ? in : j->am->compare,
              in + apart, (char *)j->out);
}

/* An answer to be. */
struct reply {
    struct am *am;
    struct net_am_domain *domain;
    int to;
    size_t bytes;
    struct net_packet *packet; /* NULL: it is short */
    struct net_place at;
    struct am_short brief;
};

/* To the sender of am, with so many bytes of data. False without memory. */
static bool reply_begin(struct reply *r, ep_win win, int to, const struct am *am, enum am_kind kind,
                        size_t bytes)
{
    r->domain = win->window->domain;
    r->to = to;
    r->bytes = sizeof(struct am) + bytes;
    r->packet = NULL;
    r->am = &r->brief.am;
    if (bytes > AM_SHORT_MAX || !net_am_claim(r->domain, to, r->bytes, &r->at)) {
        r->packet = bytes > AM_SHORT_MAX ? net_packet_get(r->domain) : net_packet_get_brief(r->domain);
        if (!r->packet)
            return false;
        r->am = am_of(r->packet);
    }
    *r->am = (struct am){
        .head = {.id = kind, .number = am->head.number}, .bytes = (uint32_t)bytes, .asker = am->asker};
    return true;
}

static void reply_send(struct reply *r)
{
    if (unlikely(r->packet != NULL))
        net_am_send(r->packet, r->to, r->bytes);
    else
        net_am_fill(r->domain, &r->at, &r->am->head, r->bytes);
}

/* It stands for the answer, too. */
static void serve_refuse(struct am *am, const struct serve_job *j)
{
    am->head.op = FAULT_ATTACH;
    am->head.fails = true;
    am->bytes = j->bytes;
    am->target = j->win->view->rank;
    am->offset = (int64_t)(uintptr_t)j->where;
}

ep_win serve_target(const struct am *am)
{
    ep_win *at = am->head.object;
    net_shm_comes_in(at); /* its sender has voted after the window was built (window_build) */
    return *at;
}

/* ---- memory ---- */

static struct serve_job job_of(ep_win win, const struct am *am, const unsigned char *data)
{
    struct serve_job j = {.am = am, .win = win, .n = am->head.pair[AM_IOV], .bytes = am->bytes};
    j.base = win->window->flavor == MPI_WIN_FLAVOR_DYNAMIC ? NULL : win->base;
    j.iov = (const struct type_iov *)(const void *)data;
    j.in = data + j.n * sizeof(struct type_iov);
    if (am->head.id != AM_PUT && am->head.id != AM_GET)
        atom_of_codes(am->head.pair[AM_TYPE], am->head.op, &j.atom);
    if (am->head.id == AM_SWAP)
        j.bytes = j.atom.size;
    if (j.n == 0)
        j.block = (struct type_iov){.offset = am->offset, .bytes = j.bytes, .times = 1};
    return j;
}

static void carry_out(struct serve_job *j)
{
    switch (j->am->head.id) {
    case AM_PUT:
        serve_each(j, put_piece);
        break;
    case AM_GET:
        serve_each(j, get_piece);
        break;
    case AM_SWAP:
        serve_swap(j);
        break;
    default:
        serve_each(j, apply_piece);
    }
}

/* An acknowledgement that the message wants anyway goes with the answer. */
static enum net_result serve_memory(const struct net_am *head, int source)
{
    const struct am *am = (const void *)head;
    ep_win win = serve_target(am);
    struct serve_job j = job_of(win, am, (const unsigned char *)(am + 1));
    bool fetches = am_fetches(head->id), dynamic = win->window->flavor == MPI_WIN_FLAVOR_DYNAMIC;
    struct reply r;
    if (j.n == 0) {
        j.iov = &j.block;
        j.n = 1;
    }
    if (head->id == AM_GET_ACCUMULATE && j.atom.mpi_op == MPI_NO_OP)
        j.in = NULL;
    if (unlikely(dynamic))
        serve_each(&j, check_piece);
    bool replies = fetches || head->wants_ack || j.outside;
    if (replies &&
        !reply_begin(&r, win, source, am, fetches ? AM_DATA : AM_ACK, fetches && !j.outside ? j.bytes : 0))
        return NET_AGAIN;
    if (fetches)
        j.out = (unsigned char *)(r.am + 1);
    net_shm_comes_in(&win->window->exposed[win->view->rank]); /* from who gave the lock back before */
    if (unlikely(j.outside))
        serve_refuse(r.am, &j);
    else
        carry_out(&j);
    net_shm_goes_out(
        &win->window->exposed[win->view->rank]); /* to who gets the lock after it: lock_request_take */
    net_shm_answers();
    if (replies)
        reply_send(&r);
    return NET_DONE;
}

/* ---- bulk ---- */

/* A transfer at the target. */
struct served {
    struct net_bulk bulk;
    struct am am;            /* the request; target: rank */
    struct net_packet *done; /* the answer of a put */
};

/* The data are in the window, or have left it. */
static void serve_bulk_over(struct net_bulk *b, int rc)
{
    struct served *v = container_of(b, struct served, bulk);
    struct net_packet *p = v->done;
    if (p) {
        *am_of(p) = (struct am){.head = {.id = AM_BULK_DONE,
                                         .fails = rc != MPI_SUCCESS,
                                         .op = FAULT_MPI,
                                         .number = v->am.head.number,
                                         .word = v->am.head.word},
                                .target = v->am.target,
                                .asker = v->am.asker};
        net_am_send(p, b->peer, sizeof(struct am));
    }
    reserve_free(v);
}

/* Not for dynamic windows: what is attached has to be checked before data are on their way. */
static enum net_result serve_bulk(const struct net_am *head, int source)
{
    const struct am *am = (const void *)head;
    ep_win win = serve_target(am);
    bool put = head->id == AM_BULK_PUT;
    struct served *v = reserve_malloc(sizeof *v);
    struct net_packet *p = v && put ? net_packet_get_brief(win->window->domain) : NULL;
    struct reply ack;
    if (!v || (put && !p) || (!put && head->wants_ack && !reply_begin(&ack, win, source, am, AM_ACK, 0))) {
        reserve_free(v);
        return NET_AGAIN;
    }
    *v = (struct served){.bulk = {.sends = !put,
                                  .peer = source,
                                  .tag = head->word,
                                  .data = (char *)win->base + am->offset,
                                  .bytes = am->bytes,
                                  .done = serve_bulk_over},
                         .am = *am,
                         .done = p};
    v->am.target = win->view->rank;
    if (!put && head->wants_ack)
        reply_send(&ack);
    net_bulk_add(win->window->domain, &v->bulk);
    return NET_DONE;
}

/* ---- synchronisation ---- */

static enum net_result serve_synchronisation(const struct net_am *head, int source)
{
    const struct am *am = (const void *)head;
    ep_win win = serve_target(am);
    struct reply r;
    if (head->wants_ack && !reply_begin(&r, win, source, am, AM_ACK, 0))
        return NET_AGAIN;
    if (head->id == AM_UNLOCK)
        epoch_serve_unlock(win, head->op);
    else if (head->id == AM_POST)
        epoch_serve_post(win, am->origin);
    else if (head->id == AM_COMPLETE)
        epoch_serve_complete(win);
    if (head->wants_ack)
        reply_send(&r);
    return NET_DONE;
}

void serve_begin(void)
{
    static net_am_handler *const handlers[AM_KINDS] = {[AM_NOTHING] = serve_synchronisation,
                                                       [AM_PUT] = serve_memory,
                                                       [AM_ACCUMULATE] = serve_memory,
                                                       [AM_POST] = serve_synchronisation,
                                                       [AM_COMPLETE] = serve_synchronisation,
                                                       [AM_UNLOCK] = serve_synchronisation,
                                                       [AM_BULK_GET] = serve_bulk,
                                                       [AM_GET] = serve_memory,
                                                       [AM_GET_ACCUMULATE] = serve_memory,
                                                       [AM_SWAP] = serve_memory,
                                                       [AM_LOCK] = serve_lock,
                                                       [AM_BULK_PUT] = serve_bulk,
                                                       [AM_ACK] = answer_ack,
                                                       [AM_DATA] = answer_data,
                                                       [AM_GRANT] = answer_grant,
                                                       [AM_BULK_DONE] = answer_bulk_done};
    for (int i = 0; i < AM_KINDS; i++)
        net_am_handle(i, handlers[i]);
}
