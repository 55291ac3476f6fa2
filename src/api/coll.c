/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/coll.h"

#include <stdlib.h>

#include "coll/coll.h"

const struct names names_send = {"sendbuf", "sendcount", "sendtype", "displs"};
const struct names names_recv = {"recvbuf", "recvcount", "recvtype", "displs"};
const struct names names_send_all = {"sendbuf", "sendcount", "sendtype", "sdispls"};
const struct names names_recv_all = {"recvbuf", "recvcount", "recvtype", "rdispls"};

int setup_root_slow(const struct setup *s)
{
    const struct ep_comm_s *view = s->w.view;
    int root = s->call.root;
    if (view->comm->inter && (root == MPI_ROOT || root == MPI_PROC_NULL))
        return MPI_SUCCESS;
    return raise_error(s->w, MPI_ERR_ROOT, "argument root is %d: it must be in 0..%d%s", root,
                       view->peers - 1, view->comm->inter ? ", MPI_ROOT or MPI_PROC_NULL" : "");
}

/* ---- buffers ---- */

/* Would `count` elements be at address null? Those of a derived type may be: MPI_BOTTOM. */
static bool is_missing(const void *buf, size_t count, const struct type *t)
{
    return unlikely(!buf) && count > 0 && t->named && t->size > 0;
}

/* One buffer is both, or what is in it overlaps what is in the other. */
static int refuse_aliases(const struct setup *s, const void *sendbuf, const void *recvbuf)
{
    if (s->call.kind >= COLL_REDUCE && setup_tolerates_aliases(s))
        return MPI_SUCCESS;
    return raise_error(s->w, MPI_ERR_BUFFER, "arguments sendbuf and recvbuf %s, which they must not",
                       sendbuf && sendbuf == recvbuf ? "are the same" : "overlap");
}

int setup_check_same(const struct setup *s, const void *buf, bool used)
{
    if (!used || !buf || buf == MPI_IN_PLACE || !type_coincides(s->call.send.type, s->call.recv.type))
        return MPI_SUCCESS;
    return refuse_aliases(s, buf, buf);
}

int setup_check_sides(const struct setup *s, const void *sendbuf, const void *recvbuf,
                      const struct side *send, const struct side *recv)
{
    return unlikely(sides_overlap(send, recv)) ? refuse_aliases(s, sendbuf, recvbuf) : MPI_SUCCESS;
}

int setup_check_overlap(const struct setup *s, const void *sendbuf, const void *recvbuf, int n_send,
                        int n_recv)
{
    const struct side send = {&s->call.send, n_send, NULL, NULL}, recv = {&s->call.recv, n_recv, NULL, NULL};
    if (likely(sendbuf != recvbuf) || send.blocks->form == FORM_NONE || recv.blocks->form == FORM_NONE)
        return MPI_SUCCESS;
    return setup_check_sides(s, sendbuf, recvbuf, &send, &recv);
}

static int refuse_in_place(const struct setup *s, const char *name)
{
    return raise_error(s->w, MPI_ERR_BUFFER, "argument %s is MPI_IN_PLACE, which it must not be %s", name,
                       s->w.view->comm->inter ? "on an intercommunicator" : "here");
}

int setup_check_whole(const struct setup *s, const struct blocks *b, const char *name, const char *count_name)
{
    if (unlikely(b->buf == MPI_IN_PLACE))
        return refuse_in_place(s, name);
    if (is_missing(b->buf, b->count, b->type))
        return raise_error(s->w, MPI_ERR_BUFFER, "argument %s is null, but %s is %zu", name, count_name,
                           b->count);
    return MPI_SUCCESS;
}

int setup_take_alike(struct setup *s, const struct blocks *b, int count, const struct names *names)
{
    int rc = check_count(s->w, count, names->count);
    if (unlikely(rc))
        return rc;
    return b->type ? setup_check_whole(s, b, names->buf, names->count)
                   : raise_type(s->w, b->mpi, names->type);
}

/* The arrays of the v and w forms. */
static int check_arrays(const struct setup *s, int n, const struct given *g, const struct names *names)
{
    const void *displs = g->far_displs ? (const void *)g->far_displs : g->displs;
    if (n == 0 || (g->counts && displs && (g->form == FORM_VARYING || g->types)))
        return MPI_SUCCESS;
    if (g->counts && displs)
        return raise_error(s->w, MPI_ERR_ARG, "argument %ss is a null pointer", names->type);
    return raise_error(s->w, MPI_ERR_ARG, "argument %s%s is a null pointer",
                       g->counts ? names->displs : names->count, g->counts ? "" : "s");
}

/* Block r of a v or w form. */
static int check_block(const struct setup *s, int r, struct span block, int count, const struct names *names)
{
    if (unlikely(count < 0))
        return raise_error(s->w, MPI_ERR_COUNT, "%ss[%d] is %d: it must be 0 or more", names->count, r,
                           count);
    if (is_missing(block.buf, (size_t)count, block.type))
        return raise_error(s->w, MPI_ERR_BUFFER, "argument %s is null, but %ss[%d] is %d", names->buf,
                           names->count, r, count);
    return MPI_SUCCESS;
}

/* A negative count, or elements at address null. */
static bool may_be_wrong(const struct blocks *b, int n)
{
    int sign = 0;
    for (int r = 0; r < n; r++)
        sign |= b->counts[r];
    return sign < 0 || !b->buf;
}

int setup_take_varying(struct setup *s, const struct blocks *b, int n, const struct names *names)
{
    const struct given g = given_varying(b->buf, b->counts, b->displs, b->mpi);
    if (unlikely(b->buf == MPI_IN_PLACE))
        return refuse_in_place(s, names->buf);
    int rc = check_arrays(s, n, &g, names);
    if (unlikely(rc))
        return rc;
    if (unlikely(!b->type))
        return raise_type(s->w, b->mpi, names->type);
    bool wrong = may_be_wrong(b, n);
    for (int r = 0; r < n && unlikely(wrong) && rc == MPI_SUCCESS; r++)
        rc = check_block(s, r, (struct span){.buf = b->buf, .type = b->type}, b->counts[r], names);
    return rc;
}

static int check_typed_block(struct setup *s, const struct span *block, int r, const struct given *g,
                             const struct names *names)
{
    if (unlikely(!block->type))
        return raise_error(s->w, MPI_ERR_TYPE, "%ss[%d] is %s", names->type, r,
                           g->types[r] == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL"
                                                            : "not a committed datatype");
    return check_block(s, r, *block, g->counts[r], names);
}

static int take_typed(struct setup *s, struct blocks *b, int n, const struct given *g,
                      const struct names *names)
{
    int rc = MPI_SUCCESS;
    b->counts = g->counts;
    b->displs = g->displs;
    b->far_displs = g->far_displs;
    b->types = g->types;
    b->typed = reserve_malloc((size_t)(n + 1) * sizeof *b->typed);
    b->form = b->typed ? FORM_TYPED : FORM_GIVEN;
    for (int r = 0; r < n && rc == MPI_SUCCESS; r++) {
        struct span block = block_given(b, r);
        if (b->typed)
            b->typed[r] = block;
        rc = check_typed_block(s, &block, r, g, names);
    }
    return rc;
}

int setup_take_typed(struct setup *s, struct blocks *b, int n, const struct given *g,
                     const struct names *names)
{
    b->form = FORM_TYPED;
    b->buf = (char *)(uintptr_t)g->buf;
    b->mpi = g->type;
    if (unlikely(g->buf == MPI_IN_PLACE))
        return refuse_in_place(s, names->buf);
    int rc = check_arrays(s, n, g, names);
    return unlikely(rc) ? rc : take_typed(s, b, n, g, names);
}

/* ---- in place ---- */

void setup_own_block(struct setup *s, struct blocks *b, const struct blocks *all)
{
    struct span own = block_at(all, s->w.view->rank);
    *b = (struct blocks){
        .form = FORM_WHOLE, .buf = own.buf, .count = own.count, .type = own.type, .mpi = own.mpi};
    s->call.in_place = true;
}

/* One list entry for each packed block; equal ones need no list. */
static int pack_blocks(struct setup *s, int n, char *to)
{
    const struct blocks *from = &s->call.recv;
    int rc = MPI_SUCCESS;
    for (int r = 0; r < n && rc == MPI_SUCCESS; r++) {
        struct span block = block_at(from, r), packed = span_packed(to, span_bytes(&block));
        rc = packed.count ? copy_pack(&block, to) : MPI_SUCCESS;
        to += packed.count;
        if (s->call.send.typed)
            s->call.send.typed[r] = packed;
    }
    return rc;
}

int setup_copy(struct setup *s, int n)
{
    const struct blocks *recv = &s->call.recv;
    struct blocks *send = &s->call.send;
    size_t bytes = 0;
    bool equal = recv->form == FORM_EQUAL;
    for (int r = 0; r < n; r++)
        bytes += block_bytes(recv, r);
    s->call.in_place = true;
    s->packed_copy = reserve_malloc(bytes + 1);
    *send = (struct blocks){.form = equal ? FORM_EQUAL : FORM_TYPED, .type = type_packed, .mpi = MPI_PACKED};
    if (equal) {
        send->buf = s->packed_copy;
        send->count = bytes / (size_t)n;
    } else {
        send->typed = reserve_malloc((size_t)n * sizeof *send->typed);
    }
    if (!s->packed_copy || (!equal && !send->typed)) {
        reserve_free(send->typed);
        *send = *recv; /* of the same sizes: the others wait for this endpoint, and get the error with it */
        s->call.rc = MPI_ERR_NO_MEM;
        return MPI_SUCCESS;
    }
    int rc = pack_blocks(s, n, s->packed_copy);
    return rc ? raise_error(s->w, rc, "%zu bytes in recvbuf could not be copied", bytes) : MPI_SUCCESS;
}

/* ---- errors ---- */

int setup_fail(struct setup *s, int rc)
{
    call_free(&s->call);
    reserve_free(s->packed_copy);
    return rc;
}
