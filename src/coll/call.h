/* SPDX-License-Identifier: BSD-3-Clause */
/* What one endpoint brings to a collective call: its arguments, checked. */
#ifndef EP_COLL_CALL_H
#define EP_COLL_CALL_H

#include "p2p/p2p.h"

/* The v and w forms are told by struct blocks. */
enum coll_kind {
    COLL_NOTHING, /* not a call of coll's: it is only compared (whole.c) */
    COLL_BARRIER,
    COLL_BCAST,
    COLL_GATHER,
    COLL_SCATTER,
    COLL_ALLGATHER,
    COLL_ALLTOALL,
    COLL_REDUCE,
    COLL_ALLREDUCE,
    COLL_REDUCE_SCATTER,
    COLL_SCAN,
    COLL_EXSCAN,
    COLL_KINDS
};

/*
 * A buffer and how it is divided into one block for each peer.
 *   FORM_NONE     not significant in this endpoint (or MPI_IN_PLACE)
 *   FORM_WHOLE    one block, whoever the peer is: bcast, reductions, what a gather sends
 *   FORM_EQUAL    block r at r * count elements
 *   FORM_VARYING  block r: counts[r] elements at displs[r] elements
 *   FORM_TYPED    block r: typed[r], a count, type and address of its own
 *   FORM_GIVEN    the same where there is no memory for that list: block r is looked up in the user's
 *                 arrays each time. The types have to last as long, so the call blocks
 * The arrays are the user's, who leaves them alone until the call is complete.
 */
enum form { FORM_NONE, FORM_WHOLE, FORM_EQUAL, FORM_VARYING, FORM_TYPED, FORM_GIVEN };

struct blocks {
    enum form form;
    char *buf;
    size_t count;
    struct type *type;
    MPI_Datatype mpi; /* type's handle, valid until the call is complete */
    const int *counts, *displs;
    const MPI_Aint *far_displs; /* FORM_GIVEN: in bytes, or NULL: displs are */
    const MPI_Datatype *types;  /* FORM_GIVEN */
    /* FORM_TYPED: the blocks, each with its address; buf NULL. By reserve_malloc, freed with the arguments */
    struct span *typed;
};

struct call {
    const char *name; /* of the public function */
    enum coll_kind kind;
    int root;           /* rank, MPI_ROOT or MPI_PROC_NULL; 0 if there is none */
    bool in_place;      /* the endpoint gave MPI_IN_PLACE (or the same buffer twice to a reduction) */
    bool varying;       /* gather, scatter, allgather, alltoall: blocks are not FORM_EQUAL; the same in all: the function says it */
    struct blocks send; /* what it brings: bcast: the buffer of the root */
    struct blocks recv; /* what it gets: bcast: the buffer of the others */
    const int *counts;  /* reduce_scatter: elements for each rank of the own group; NULL: recv.count each */
    MPI_Op op;
    int rc; /* an error that the endpoint brings: there are no data in send, but as many bytes */
};
/*
 * In place: what a reduction gets is also what it brings, so send is a copy of recv. Gather and allgather:
 * send is the own block of recv (nothing is to be copied), scatter: recv is the own block of send. Alltoall:
 * send is a packed copy that the api layer made (packed_copy in struct coll_args).
 * reduce_scatter: send is FORM_WHOLE with all elements (the sum of the counts), recv FORM_WHOLE with the own
 * ones; on an intercommunicator counts are those of the own group, too (MPI 5.10.1).
 */

/* Block r of FORM_GIVEN. A type is looked at only where there are elements of it. */
static inline struct span block_given(const struct blocks *b, int r)
{
    if (b->counts[r] <= 0)
        return span_packed(NULL, 0);
    ptrdiff_t displ = b->far_displs ? b->far_displs[r] : b->displs[r];
    return (struct span){.buf = (char *)((uintptr_t)b->buf + (uintptr_t)displ),
                         .count = (size_t)b->counts[r],
                         .type = type_find(b->types[r]),
                         .mpi = b->types[r]};
}

/* Block r. */
static inline struct span block_at(const struct blocks *b, int r)
{
    struct span s = {b->buf, b->count, b->type, b->mpi};
    if (likely(b->form <= FORM_WHOLE))
        return s;
    if (b->form == FORM_EQUAL) {
        s.buf += (ptrdiff_t)(b->count * (size_t)r) * b->type->extent;
        return s;
    }
    if (b->form == FORM_TYPED)
        return b->typed[r];
    if (unlikely(b->form == FORM_GIVEN))
        return block_given(b, r);
    s.buf += b->displs[r] * b->type->extent;
    s.count = (size_t)b->counts[r];
    return s;
}

/* Bytes of block r. */
static inline size_t block_bytes(const struct blocks *b, int r)
{
    if (b->form == FORM_NONE)
        return 0;
    struct span s = block_at(b, r);
    return span_bytes(&s);
}

/* May the call return before the operation is over? */
static inline bool call_lasts(const struct call *c)
{
    return c->send.form != FORM_GIVEN && c->recv.form != FORM_GIVEN;
}

/* Free the lists that are the call's. */
static inline void call_free(struct call *c)
{
    if (c->send.typed != c->recv.typed)
        reserve_free(c->send.typed);
    reserve_free(c->recv.typed);
    c->send.typed = c->recv.typed = NULL;
}

#endif
