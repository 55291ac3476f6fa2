/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the bindings of all collective functions share: the way from arguments to a struct call. The
 * functions that return int raise the error and return its class, or MPI_SUCCESS.
 */
#ifndef EP_API_COLL_H
#define EP_API_COLL_H

#include "api/check.h"
#include "api/disjoint.h"
#include "coll/coll.h"

/* Of what blocking calls go through from the binding to coll_run. A struct that is given by value to a function proper goes through
 * memory, where gcc copies it by vector loads, which wait until its parts have been stored. */
#define SETUP_INLINE static inline __attribute__((always_inline))

/* A buffer as the user describes it: those of these that its form has. */
struct given {
    enum form form;
    const void *buf;
    int count;
    MPI_Datatype type;
    const int *counts, *displs;
    const MPI_Aint *far_displs; /* instead of displs in FORM_TYPED */
    const MPI_Datatype *types;
};

static inline struct given given_whole(const void *buf, int count, MPI_Datatype type)
{
    return (struct given){.form = FORM_WHOLE, .buf = buf, .count = count, .type = type};
}

static inline struct given given_equal(const void *buf, int count, MPI_Datatype type)
{
    return (struct given){.form = FORM_EQUAL, .buf = buf, .count = count, .type = type};
}

static inline struct given given_varying(const void *buf, const int counts[], const int displs[],
                                         MPI_Datatype type)
{
    return (struct given){.form = FORM_VARYING, .buf = buf, .counts = counts, .displs = displs, .type = type};
}

static inline struct given given_typed(const void *buf, const int counts[], const int displs[],
                                       const MPI_Aint far_displs[], const MPI_Datatype types[])
{
    return (struct given){.form = FORM_TYPED,
                          .buf = buf,
                          .counts = counts,
                          .displs = displs,
                          .far_displs = far_displs,
                          .types = types};
}

/* What its arguments are called; the arrays of counts and types have an s more. */
struct names {
    const char *buf, *count, *type, *displs;
};
extern const struct names names_send, names_recv;         /* sendbuf, ..., displs */
extern const struct names names_send_all, names_recv_all; /* with sdispls and rdispls */

/* A call that is being made ready. */
struct setup {
    struct where w;
    struct call call;
    void *packed_copy;
    ep_request *request; /* NULL: block */
};

/* w: of the call, whose communicator is checked already. In parts: compilers clear a large struct by a loop, which takes a tenth of a
 * short call. */
SETUP_INLINE void setup_begin(struct setup *s, struct where w, enum coll_kind kind, ep_request *request)
{
    struct call *c = &s->call;
    s->w.view = w.view;
    s->w.call = w.call;
    c->name = w.call;
    c->kind = kind;
    c->root = 0;
    c->in_place = c->varying = false;
    c->send = (struct blocks){.form = FORM_NONE};
    c->recv = (struct blocks){.form = FORM_NONE};
    c->counts = NULL;
    c->op = (MPI_Op)0;
    c->rc = MPI_SUCCESS;
    s->packed_copy = NULL;
    s->request = request;
}

/* Out of line part of setup_root. */
int setup_root_slow(const struct setup *s);

/* The call's root (MPI 5.4). */
SETUP_INLINE int setup_root(struct setup *s, int root)
{
    s->call.root = root;
    return likely((unsigned)root < (unsigned)s->w.view->peers) ? MPI_SUCCESS : setup_root_slow(s);
}

/* Is the caller the root? And is it one of those whom the root gets data from, or sends them to? */
static inline bool setup_is_root(const struct setup *s)
{
    return s->w.view->comm->inter ? s->call.root == MPI_ROOT : s->call.root == s->w.view->rank;
}

static inline bool setup_is_leaf(const struct setup *s)
{
    return !s->w.view->comm->inter || s->call.root >= 0;
}

/* Has the caller given MPI_IN_PLACE where it may? (Elsewhere setup_take refuses it.) */
static inline bool setup_in_place(const struct setup *s, const void *buf)
{
    return unlikely(buf == MPI_IN_PLACE) && !s->w.view->comm->inter;
}

/* May one buffer be given as sendbuf and recvbuf of a reduction, to mean MPI_IN_PLACE? Not in a program that knows
 * nothing of endpoints: what the MPI libraries refuse, it gets refused. (Where data are moved, nowhere.) */
static inline bool setup_tolerates_aliases(const struct setup *s)
{
    return !s->w.view->comm->inter && !load_relaxed(&process.runs_ranks);
}

/* Are sendbuf and recvbuf the same though they must not be (MPI 5.1)? used: there are data in them. Only what cannot
 * be meant otherwise is noticed: with displacements, or types with gaps, one array may hold both. */
int setup_check_same(const struct setup *s, const void *buf, bool used); /* out of line part */
SETUP_INLINE int setup_check_aliases(const struct setup *s, const void *sendbuf, const void *recvbuf,
                                     bool used)
{
    return likely(sendbuf != recvbuf) ? MPI_SUCCESS : setup_check_same(s, sendbuf, used);
}

/* The same for buffers with displacements, of n_send and n_recv blocks: an error if what is sent and what is received
 * overlap in one array. */
int setup_check_overlap(const struct setup *s, const void *sendbuf, const void *recvbuf, int n_send,
                        int n_recv);

/* An error if they overlap anywhere. */
int setup_check_sides(const struct setup *s, const void *sendbuf, const void *recvbuf,
                      const struct side *send, const struct side *recv);

/* Out of line parts of setup_take: b is filled in, but something may be wrong; blocks of different lengths; of different types. */
int setup_take_alike(struct setup *s, const struct blocks *b, int count, const struct names *names);
int setup_take_varying(struct setup *s, const struct blocks *b, int n, const struct names *names);
int setup_take_typed(struct setup *s, struct blocks *b, int n, const struct given *g,
                     const struct names *names);
/* That of setup_take_whole. */
int setup_check_whole(const struct setup *s, const struct blocks *b, const char *name,
                      const char *count_name);

/* Check a buffer for n peers and fill in b. */
SETUP_INLINE int setup_take(struct setup *s, struct blocks *b, int n, const struct given *g,
                            const struct names *names)
{
    if (g->form == FORM_TYPED) {
        const struct given typed = *g; /* a copy, so that others can be in registers */
        return setup_take_typed(s, b, n, &typed, names);
    }
    b->form = g->form;
    b->buf = (char *)(uintptr_t)g->buf;
    b->type = type_find(g->type);
    b->mpi = g->type;
    if (g->form == FORM_VARYING) {
        b->counts = g->counts;
        b->displs = g->displs;
        return setup_take_varying(s, b, n, names);
    }
    b->count = (size_t)g->count;
    if (likely(b->type != NULL) && likely(g->count >= 0) && likely(g->buf != NULL) &&
        likely(g->buf != MPI_IN_PLACE))
        return MPI_SUCCESS;
    return setup_take_alike(s, b, g->count, names);
}

/* A single block of count elements, whose type is checked already. */
SETUP_INLINE int setup_take_whole(struct setup *s, struct blocks *b, const void *buf, size_t count,
                                  const char *name, const char *count_name)
{
    b->form = FORM_WHOLE;
    b->buf = (char *)(uintptr_t)buf;
    b->count = count;
    if (likely(buf != NULL) && likely(buf != MPI_IN_PLACE))
        return MPI_SUCCESS;
    return setup_check_whole(s, b, name, count_name);
}

/* A gather or scatter in place: b is the caller's block of all. */
void setup_own_block(struct setup *s, struct blocks *b, const struct blocks *all);
/* An alltoall of n blocks in place: what is sent is a copy of what is in the receive buffer. */
int setup_copy(struct setup *s, int n);

/* Give up what setup_take and setup_copy have allocated. Returns rc. */
int setup_fail(struct setup *s, int rc);

/* Take part. */
SETUP_INLINE int setup_run(struct setup *s)
{
    if (s->request)
        return coll_start(s->w, &s->call, s->packed_copy, s->request);
    return coll_run(s->w, &s->call, s->packed_copy);
}

#endif
