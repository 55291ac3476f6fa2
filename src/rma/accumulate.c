/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accumulates (MPI 11.3.3): the target's memory is changed by atom_apply, by the caller itself where it
 * reaches the memory, else in the target's process. An origin's accumulates to one target all take the same way, and
 * messages keep their order, so MPI's default ordering (11.7.2) is kept.
 */
#include <string.h>

#include "rma/transfer.h"

/* What the elements are, the same at origin, target and for the result. */
static int accumulate_learn(const struct access_call *a, struct atom *atom)
{
    MPI_Datatype basic = a->remote.mpi;
    if (unlikely(!a->remote.type->named)) {
        const struct type_map *m = type_map_of(a->remote.type, a->remote.mpi, TYPE_ITEMS);
        if (!m)
            return no_memory(a);
        basic = m->basic;
    }
    int rc = atom_find(basic, a->op, atom);
    if (rc == MPI_ERR_TYPE)
        return raise_error(a->w, rc, "target_datatype is not made of one predefined datatype of accumulates");
    if (rc != MPI_SUCCESS)
        return raise_error(a->w, rc,
                           "op is not predefined, or not defined for the elements of target_datatype");
    return MPI_SUCCESS;
}

/* Elements of s are items of that atom, too. */
static int check_items(const struct access_call *a, const struct span *s, const struct atom *atom,
                       const char *name, size_t *bytes)
{
    size_t here = span_bytes(s);
    MPI_Datatype basic = s->mpi;
    struct atom other;
    if (!s->type->contiguous || !s->type->named) {
        const struct type_map *m = type_map_of(s->type, s->mpi, TYPE_ITEMS);
        if (!m)
            return no_memory(a);
        here = m->bytes * s->count;
        basic = s->type->named ? s->mpi : m->basic;
    }
    *bytes = here;
    if (here > 0 && basic != atom->mpi && (atom_find(basic, a->op, &other) || other.type != atom->type))
        return raise_error(a->w, MPI_ERR_TYPE, "%s is made of other elements than target_datatype", name);
    return MPI_SUCCESS;
}

/* origin and result may be absent. */
struct walks {
    struct type_iter target, origin, result;
    bool has_origin, has_result;
};

static int set_out(struct walks *k, const struct access_call *a, const struct reach *r, bool fetches)
{
    struct span remote = a->remote;
    remote.buf = r->to->direct ? r->to->base + r->offset : (char *)r->offset;
    k->has_origin = a->op != MPI_NO_OP;
    k->has_result = fetches && r->to->direct; /* else the answers walk it */
    if (type_iter_span(&k->target, &remote, TYPE_ITEMS) ||
        (k->has_origin && type_iter_span(&k->origin, &a->origin, TYPE_DATA)) ||
        (k->has_result && type_iter_span(&k->result, &a->result, TYPE_DATA)))
        return no_memory(a);
    return MPI_SUCCESS;
}

static size_t accumulate_least(size_t n, const struct type_iter *c, char **at)
{
    size_t more = type_iter_peek(c, at);
    return more < n ? more : n;
}

enum { APART = 512 };

/* So many bytes that lie together at the target, at most APART, however they lie at the origin. */
static void apply_apart(struct walks *k, const struct access_call *a, const struct atom *atom, size_t bytes)
{
    char from[APART], old[APART], *at;
    type_iter_peek(&k->target, &at);
    if (k->has_origin)
        atom_read(atom->of, &k->origin, from, bytes);
    atom_apply(atom, &a->win->window->arena, at, k->has_origin ? from : NULL, k->has_result ? old : NULL,
               bytes / atom->size);
    if (k->has_result)
        atom_write(atom->of, &k->result, old, bytes);
    type_iter_skip(&k->target, bytes);
}

static bool is_whole(const struct walks *k, size_t bytes)
{
    char *at;
    return bytes <= ATOM_WHOLE && type_iter_peek(&k->target, &at) >= bytes;
}

static void apply_direct(struct walks *k, const struct access_call *a, const struct atom *atom, size_t left)
{
    char *at, *from = NULL, *old = NULL;
    bool gaps = atom->of->gaps;
    bool scattered = gaps || (k->has_origin && type_iter_peek(&k->origin, &from) < left) ||
                     (k->has_result && type_iter_peek(&k->result, &old) < left);
    if (unlikely(scattered) && is_whole(k, left)) {
        apply_apart(k, a, atom, left); /* few are one run */
        return;
    }
    for (size_t n; gaps && left > 0; left -= n) {
        n = accumulate_least(APART / atom->size * atom->size, &k->target, &at);
        n = n < left ? n : left;
        apply_apart(k, a, atom, n);
    }
    for (size_t n; left > 0; type_iter_skip(&k->target, n), left -= n) {
        n = accumulate_least(left, &k->target, &at);
        if (k->has_origin)
            n = accumulate_least(n, &k->origin, &from);
        if (k->has_result)
            n = accumulate_least(n, &k->result, &old);
        atom_apply(atom, &a->win->window->arena, at, from, old, n / atom->size);
        if (k->has_origin)
            type_iter_skip(&k->origin, n);
        if (k->has_result)
            type_iter_skip(&k->result, n);
    }
}

static int apply_messages(struct walks *k, const struct access_call *a, const struct atom *atom, size_t bytes,
                          struct pending_get *pending)
{
    for (size_t left = bytes, n; left > 0; left -= n) {
        struct net_packet *p =
            channel_begin_surely(a->win, a->target, pending ? AM_GET_ACCUMULATE : AM_ACCUMULATE, pending);
        n = take_target(&k->target, a->remote.type->contiguous, atom->size, left, p);
        size_t head = p->head.pair[AM_IOV] * sizeof(struct type_iov);
        p->head.pair[AM_TYPE] = (uint8_t)atom->type;
        p->head.op = atom->op;
        if (k->has_origin)
            atom_read(atom->of, &k->origin, (char *)am_data(p) + head, n);
        channel_send(a->win, a->target, p, head + (k->has_origin ? n : 0));
    }
    return MPI_SUCCESS;
}

/* Little enough for one line or two. */
static bool is_short(const struct access_call *a, size_t bytes)
{
    return bytes <= AM_SHORT_MAX && a->remote.type->contiguous &&
           (a->op == MPI_NO_OP || a->origin.type->contiguous);
}

static int apply_short(const struct access_call *a, const struct reach *r, const struct atom *atom,
                       size_t bytes, bool fetches, ep_request *request)
{
    struct pending_get *pending = NULL;
    struct am_short m = {.am = {.head = {.id = fetches ? AM_GET_ACCUMULATE : AM_ACCUMULATE,
                                         .op = atom->op,
                                         .pair = {[AM_TYPE] = (uint8_t)atom->type}},
                                .offset = r->offset + a->remote.type->lb,
                                .bytes = (uint32_t)bytes}};
    size_t sent = a->op == MPI_NO_OP ? 0 : bytes;
    if (fetches && !(pending = pending_get_into(a, &a->result, atom->of, bytes, request)))
        return no_memory(a);
    if (sent > 0)
        move_bytes(m.data, span_start(&a->origin), sent);
    channel_send_short_surely(a->win, a->target, &m, sent, pending);
    return fetches ? MPI_SUCCESS : request_of_done(a->win, request);
}

/* Do the buffers fit? *bytes: how much is changed. */
static int accumulate_fit(const struct access_call *a, const struct atom *atom, const struct reach *r,
                          bool fetches, size_t *bytes)
{
    size_t origin = r->bytes, result = r->bytes;
    int rc = MPI_SUCCESS;
    if (a->op != MPI_NO_OP)
        rc = check_items(a, &a->origin, atom, "origin_datatype", &origin);
    if (rc == MPI_SUCCESS && fetches)
        rc = check_items(a, &a->result, atom, "result_datatype", &result);
    if (rc != MPI_SUCCESS)
        return rc;
    if (origin > r->bytes)
        return too_long(a, "origin", origin, "target", r->bytes);
    if (fetches && origin < r->bytes) /* all that is fetched is changed */
        return too_long(a, "target", r->bytes, "origin", origin);
    if (result < r->bytes)
        return too_long(a, "target", r->bytes, "result", result);
    *bytes = a->op == MPI_NO_OP && !fetches ? 0 : origin;
    return MPI_SUCCESS;
}

static int accumulate_apply(const struct access_call *a, bool fetches, ep_request *request)
{
    struct atom atom;
    struct reach r;
    struct walks k;
    struct pending_get *pending = NULL;
    size_t bytes = 0;
    int rc = reach(a, TYPE_ITEMS, &r);
    if (rc || (r.bytes > 0 && (rc = accumulate_learn(a, &atom))))
        return rc;
    if (r.bytes == 0)
        return a->op != MPI_NO_OP && span_bytes(&a->origin) > 0
                   ? too_long(a, "origin", span_bytes(&a->origin), "target", 0)
                   : request_of_done(a->win, request);
    if ((rc = accumulate_fit(a, &atom, &r, fetches, &bytes)) || bytes == 0)
        return rc ? rc : request_of_done(a->win, request);
    if (!r.to->direct && is_short(a, bytes))
        return apply_short(a, &r, &atom, bytes, fetches, request);
    if ((rc = set_out(&k, a, &r, fetches)))
        return rc;
    if (r.to->direct) {
        apply_direct(&k, a, &atom, bytes);
        return request_of_done(a->win, request);
    }
    if (fetches && !(pending = pending_get_into(a, &a->result, atom.of, bytes, request)))
        return no_memory(a);
    rc = apply_messages(&k, a, &atom, bytes, pending);
    return rc || fetches ? rc : request_of_done(a->win, request);
}

int rma_accumulate(const struct access_call *a, ep_request *request)
{
    return accumulate_apply(a, false, request);
}

int rma_get_accumulate(const struct access_call *a, ep_request *request)
{
    return accumulate_apply(a, true, request);
}

/* One element of one predefined type: no walks. */
int rma_fetch_and_op(const struct access_call *a)
{
    struct atom atom;
    struct reach r;
    bool direct = a->win->window->exposed[a->target].direct;
    if (unlikely(!direct && !a->remote.type->contiguous))
        return accumulate_apply(a, true, NULL);
    int rc = accumulate_learn(a, &atom);
    if (rc || (rc = reach(a, TYPE_ITEMS, &r)))
        return rc;
    if (unlikely(!direct))
        return apply_short(a, &r, &atom, r.bytes, true, NULL);
    atom_apply(&atom, &a->win->window->arena, r.to->base + r.offset, a->origin.buf, a->result.buf, 1);
    return MPI_SUCCESS;
}

/* ---- compare and swap (MPI 11.3.4) ---- */

static int swap_message(const struct access_call *a, const struct reach *r, const struct atom *atom,
                        const void *compare)
{
    struct pending_get *w = pending_get_into(a, &a->result, NULL, atom->size, NULL);
    if (!w)
        return no_memory(a);
    struct am_short m = {
        .am = {.head = {.id = AM_SWAP, .op = atom->op, .pair = {[AM_TYPE] = (uint8_t)atom->type}},
               .offset = r->offset}};
    size_t apart = am_swap_apart(atom->size);
    memcpy(apart ? (char *)m.data : m.am.compare, compare, atom->size);
    memcpy(m.data + apart, a->origin.buf, atom->size);
    channel_send_short_surely(a->win, a->target, &m, apart + atom->size, w);
    return MPI_SUCCESS;
}

int rma_compare_and_swap(const struct access_call *a, const void *compare)
{
    struct atom atom;
    struct reach r;
    if (!atom_can_swap(a->remote.mpi) || atom_find(a->remote.mpi, MPI_REPLACE, &atom))
        return raise_error(a->w, MPI_ERR_TYPE,
                           "datatype must be a predefined integer, logical, multi-language or byte type");
    int rc = reach(a, TYPE_ITEMS, &r);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!r.to->direct)
        return swap_message(a, &r, &atom, compare);
    atom_swap(&atom, &a->win->window->arena, r.to->base + r.offset, compare, a->origin.buf, a->result.buf);
    return MPI_SUCCESS;
}
