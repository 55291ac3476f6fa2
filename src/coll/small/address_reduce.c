/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of what is at addresses (small.h), with predefined operators, of elements that lie together. From the last member to
 * the first: the new operand is the left one.
 *
 * Shares, between processes: member i reduces elements of a range of its own, out of all members' memory, and writes the result into
 * that of all who get it. Ranges do not overlap, and nobody but member i reads the range i of anybody's data, so that
 * may be where the result goes (MPI_IN_PLACE). All others' data and places are known when their addresses are, and everyone waits
 * at the end until all have reduced; so nobody returns before its data have been read and its result is complete, or an error is
 * everyone's: the kernel does not copy some kinds of memory, of devices above all. What is
 * fetched from other processes goes to memory that this member alone uses, as much at a time as keeps the calls of the kernel few (each
 * costs 1.5 us) and what is fetched in a cache. Of two members, what is fetched goes where the result belongs, if that is not where the own
 * data are: operators that are predefined commute, but for which NaN comes of two.
 *
 * Results that several get go there in pieces (pieces.h): in a round each member reduces its share of a part of the data into its next
 * piece, and takes those of all. What it takes goes over data that have been reduced, in place, too.
 */
#include <assert.h>
#include <string.h>

#include "coll/operator.h"
#include "coll/small/pieces.h"

/* ---- in one process: who gets the result does it alone ---- */

static void alone_fold(struct small_call *t, const struct call *call, char *sum, size_t bytes)
{
    int n = t->flag_slots->n;
    arith_kernel *kernel = arith_find(call->send.mpi, call->op);
    for (int i = n - 1; i >= 0 && t->rc == MPI_SUCCESS; i--) {
        struct address a;
        if (!address_of(t, i, bytes, &a))
            return;
        const char *data = (const char *)(uintptr_t)a.send;
        if (i == n - 1)
            memcpy(sum, data, bytes);
        else
            t->rc = operator_apply(kernel, data, sum, call->send.count, call->send.mpi, call->op);
    }
}

void address_reduce_alone(struct small_call *t, const struct call *call)
{
    bool gets = call->kind == COLL_ALLREDUCE || call->root == t->view->rank;
    size_t bytes = block_bytes(&call->send, 0);
    _Alignas(16) char room[SMALL_REDUCTION_MAX];
    struct span in = block_at(&call->send, 0), out = {.buf = room};
    char *sum = room;
    if (gets) {
        out = block_at(&call->recv, 0);
        sum = call->in_place ? room : span_start(&out);
    }
    address_post(t, &(struct address){.send = (uintptr_t)span_start(&in), .bytes = bytes});
    if (gets)
        alone_fold(t, call, sum, bytes);
    address_finish(t, call->kind == COLL_ALLREDUCE ? ADDRESS_ALL : gets ? ADDRESS_NOBODY : call->root);
    if (gets && sum == room && t->rc == MPI_SUCCESS)
        memcpy(span_start(&out), room, bytes);
}

/* ---- between processes: shares ---- */

struct shares {
    struct small_call *t;
    const struct call *call;
    arith_kernel *kernel;
    size_t each;  /* bytes of an element */
    size_t piece; /* bytes that are reduced at a time: elements */
    size_t each_share; /* bytes of a share, if it is a piece */
    char *room;   /* FETCH_BYTES of this one alone: a piece of each member of another process, one behind the other, and one more */
    struct address address[STAGES_MAX];
};

/* Where member i's piece of what is sent is here, from the byte `at` on; to be fetched first if it is another process's. */
static char *share_place(const struct shares *s, int i, size_t at, int *fetched)
{
    if (!address_peer(s->t, i))
        return (char *)(uintptr_t)s->address[i].send + at;
    return s->room + (size_t)(*fetched)++ * s->piece;
}

static void share_fetch(const struct shares *s, size_t at, size_t bytes, char *data[])
{
    struct address_copies copies = {.way = NET_READ};
    int fetched = 0;
    for (int i = 0; i < s->t->flag_slots->n; i++) {
        data[i] = share_place(s, i, at, &fetched);
        if (address_peer(s->t, i))
            address_copy(s->t, &copies, i, data[i], s->address[i].send + at, bytes);
    }
    address_flush(s->t, &copies);
}

/* Of two members, into `sum`, which is not the own data. */
static void share_fold_two(const struct shares *s, size_t at, size_t bytes, char *sum)
{
    struct small_call *t = s->t;
    struct address_copies copies = {.way = NET_READ};
    int other = 1 - t->me;
    address_copy(t, &copies, other, sum, s->address[other].send + at, bytes);
    address_flush(t, &copies);
    if (t->rc == MPI_SUCCESS)
        t->rc = operator_apply(s->kernel, (const char *)(uintptr_t)s->address[t->me].send + at, sum, bytes / s->each,
                               s->call->send.mpi, s->call->op);
}

/* Into `sum`, which may be the own data. */
static void share_fold(const struct shares *s, size_t at, size_t bytes, char *sum)
{
    char *data[STAGES_MAX];
    struct small_call *t = s->t;
    int n = t->flag_slots->n;
    if (n == 2 && sum != (char *)(uintptr_t)s->address[t->me].send + at) {
        share_fold_two(s, at, bytes, sum);
        return;
    }
    share_fetch(s, at, bytes, data);
    char *room = sum == data[t->me] && n > 1 ? s->room + FETCH_BYTES - s->piece : sum;
    for (int i = n - 1; i >= 0 && t->rc == MPI_SUCCESS; i--) {
        if (i == n - 1)
            memcpy(room, data[i], bytes);
        else
            t->rc = operator_apply(s->kernel, data[i], room, bytes / s->each, s->call->send.mpi, s->call->op);
    }
    if (room != sum && t->rc == MPI_SUCCESS)
        memcpy(sum, room, bytes);
}

/* The result of a piece to those who get it. */
static void share_push(const struct shares *s, size_t at, size_t bytes, char *sum)
{
    struct address_copies copies = {.way = NET_WRITE};
    for (int i = 0; i < s->t->flag_slots->n; i++)
        if (i != s->t->me && s->t->rc == MPI_SUCCESS && s->address[i].recv)
            address_copy(s->t, &copies, i, sum, s->address[i].recv + at, bytes);
    address_flush(s->t, &copies);
}

/* Bytes [a, b) of what is sent; the result goes to `own`, and to those who have said where they want it. own NULL: only there. */
static void share_reduce(const struct shares *s, size_t a, size_t b, char *own)
{
    char *room = s->room + FETCH_BYTES - s->piece;
    for (size_t at = a, n; at < b && s->t->rc == MPI_SUCCESS; at += n) {
        n = b - at < s->piece ? b - at : s->piece;
        char *sum = own ? own + (at - a) : room;
        share_fold(s, at, n, sum);
        share_push(s, at, n, sum);
    }
}

/*
 * The byte where share i begins: shares are whole cache lines of the data, and so whole elements. All are equal, but in a reduce of
 * two: the root need not write its share to another process, so it has 5 of 8 parts; of less data 6, as a call of the kernel that it
 * need not make counts more.
 */
static size_t share_begin(const struct shares *s, size_t bytes, int i)
{
    size_t n = (size_t)s->t->flag_slots->n, unit = s->each < CACHE_LINE ? s->each * CACHE_LINE : s->each;
    size_t units = bytes / unit, begin = (units + n - 1) / n * unit * (size_t)i;
    size_t parts = bytes < FETCH_BYTES ? 6 : 5;
    if (n == 2 && s->call->kind == COLL_REDUCE && i == 1)
        begin = units * (s->call->root == 0 ? parts : 8 - parts) / 8 * unit;
    return i == s->t->flag_slots->n || begin > bytes ? bytes : begin;
}

static void share_begin_call(struct shares *s, struct small_call *t, const struct call *call)
{
    int far = 0;
    for (int i = 0; i < t->flag_slots->n; i++)
        far += address_peer(t, i) != NULL;
    *s = (struct shares){.t = t, .call = call, .kernel = arith_find(call->send.mpi, call->op), .each = call->send.type->size};
    size_t room = FETCH_BYTES / (size_t)(far + 1), lines = s->each * CACHE_LINE;
    s->piece = room - room % (room < lines ? s->each : lines);
    assert(t->flag_slots->pieces);
    s->room = small_fetch_room(t);
}

/* All addresses, even after an error: everyone has to be heard from. */
static void share_learn(struct shares *s, size_t bytes)
{
    for (int i = 0; i < s->t->flag_slots->n; i++)
        address_of(s->t, i, bytes, &s->address[i]);
}

static void share_all(const struct shares *s, size_t bytes, char *result)
{
    size_t a = share_begin(s, bytes, s->t->me), b = share_begin(s, bytes, s->t->me + 1);
    share_reduce(s, a, b, result ? result + a : NULL);
}

/* Bytes of a share that is a piece, `skip` in front of it, of a part of so many. */
static size_t share_bytes(const struct shares *s, size_t part, size_t skip)
{
    size_t left = part - (skip < part ? skip : part);
    return left < s->each_share ? left : s->each_share;
}

/* Piece q of all, of a part of the result. */
static void share_take(struct shares *s, struct pieces *p, uint64_t q, char *result, size_t part)
{
    for (int i = 0; i < s->t->flag_slots->n; i++) {
        size_t skip = s->each_share * (size_t)i, bytes = share_bytes(s, part, skip);
        const char *piece = bytes > 0 ? piece_await(p, i, q) : NULL;
        if (piece)
            memcpy(result + skip, piece, bytes);
    }
}

static void share_in_pieces(struct shares *s, struct pieces *p, size_t bytes, char *result)
{
    size_t n = (size_t)s->t->flag_slots->n, unit = s->each * CACHE_LINE, most = pieces_half(s->t) / unit * unit;
    size_t even = (bytes + n * unit - 1) / (n * unit) * unit;
    s->each_share = even < most ? even : most;
    assert(s->each_share > 0 && s->each_share % s->each == 0);
    size_t skip = s->each_share * (size_t)s->t->me, round = s->each_share * n, part;
    uint64_t q = 0;
    for (size_t at = 0; at < bytes; at += part, q++) {
        part = bytes - at < round ? bytes - at : round;
        char *room = piece_room(p);
        share_reduce(s, at + skip, at + skip + share_bytes(s, part, skip), room);
        piece_put(p);
        share_take(s, p, q, result + at, part);
    }
    address_finish(s->t, ADDRESS_ALL);
}

/* The own block is the share. In place the result goes over that at first: others read what is where it belongs. */
static void share_scatter(const struct shares *s, char *block, char *result, size_t bytes)
{
    size_t a = reduction_skip(s->t, s->call) * s->each;
    share_reduce(s, a, a + bytes, s->call->in_place ? block : result);
}

void address_reduce_shares(struct small_call *t, const struct call *call)
{
    struct shares s;
    bool scatters = call->kind == COLL_REDUCE_SCATTER;
    bool gets = call->kind != COLL_REDUCE || call->root == t->view->rank;
    size_t bytes = block_bytes(&call->send, 0);
    struct span in = block_at(&call->send, 0), out = {0};
    if (gets)
        out = block_at(&call->recv, 0);
    char *result = gets ? span_start(&out) : NULL;
    char *block = span_start(&in) + (scatters ? reduction_skip(t, call) * call->send.type->size : 0);
    bool shared = call->kind == COLL_ALLREDUCE && pieces_are_for(t);
    struct pieces pieces;
    share_begin_call(&s, t, call);
    if (shared)
        pieces_begin(&pieces, t);
    address_post(t, &(struct address){.send = (uintptr_t)span_start(&in),
                                      .recv = scatters || shared ? 0 : (uintptr_t)result,
                                      .bytes = bytes});
    share_learn(&s, bytes);
    if (shared) {
        share_in_pieces(&s, &pieces, bytes, result);
        return;
    }
    if (scatters)
        share_scatter(&s, block, result, span_bytes(&out));
    else
        share_all(&s, bytes, result);
    address_finish_together(t);
    if (scatters && call->in_place && t->rc == MPI_SUCCESS)
        memmove(result, block, span_bytes(&out));
}
