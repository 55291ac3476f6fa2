/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Composite tags: an MPI message between processes carries the user's tag and the local indices of
 * source and destination in its MPI tag:
 *
 *     [ kind : 2 | user tag | source index : width | destination index : width ]
 *
 * kind 0 are the user's messages, the others ep's own, which no receive of a user matches. Inside ep a tag
 * is an int whose bits from TAG_KIND on are the kind.
 *
 * width = ceil(log2(most endpoints in one process)). The user's part keeps at least 15 bits (tags to
 * 32767, what MPI promises). If the two indices then do not fit into the rest, their highest bits select
 * one of several process communicators (lanes) instead. A pair of endpoints always uses one lane, so
 * MPI's ordering per communicator gives the order per pair.
 */
#ifndef EP_COMM_TAG_H
#define EP_COMM_TAG_H

#include <assert.h>
#include <stdbool.h>

enum { TAG_KIND = 29, TAG_USER_MASK = (1 << TAG_KIND) - 1 };
enum tag_kind {
    KIND_USER,
    KIND_WHOLE, /* collective over a communicator: number of the call */
    KIND_GROUP, /* collective over a group: the tag given by the user */
    KIND_BRIDGE /* between the leaders of an intercommunicator to be: the same */
};

struct tag_layout {
    int width; /* bits of one index */
    int low;   /* bits of the pair of indices that are in the tag; the others are the lane */
    int user;  /* bits of the user's tag */
    int lanes;
    int ub; /* highest user tag */
};

static inline int tag_of_kind(enum tag_kind kind, int tag)
{
    assert((tag & ~TAG_USER_MASK) == 0);
    return (int)kind << TAG_KIND | tag;
}

static inline bool tag_is_user(int tag)
{
    return tag >> TAG_KIND == KIND_USER;
}

/* Do source and destination mean union ranks (comm.h)? */
static inline bool tag_is_union(int tag)
{
    return tag >> TAG_KIND == KIND_WHOLE;
}

struct tag_parts {
    int user; /* with its kind */
    int source, dest;
};

/* So many endpoints a process may have that talks to others: more would take more lanes than MPIs have communicators. */
int tag_most_indices(int mpi_tag_ub);

/* mpi_tag_ub: of the MPI underneath; widest: most endpoints in one process. */
void tag_layout_init(struct tag_layout *l, int mpi_tag_ub, int widest);

static inline int tag_pack(const struct tag_layout *l, struct tag_parts t, int *lane)
{
    assert((unsigned)t.source < 1u << l->width && (unsigned)t.dest < 1u << l->width);
    assert((t.user & TAG_USER_MASK) <= l->ub);
    unsigned pair = (unsigned)t.source << l->width | (unsigned)t.dest;
    unsigned user = (unsigned)(t.user & TAG_USER_MASK) | (unsigned)(t.user >> TAG_KIND) << l->user;
    *lane = (int)(pair >> l->low);
    return (int)(user << l->low | (pair & ((1u << l->low) - 1)));
}

static inline struct tag_parts tag_unpack(const struct tag_layout *l, int tag, int lane)
{
    assert((unsigned)lane < (unsigned)l->lanes);
    unsigned pair = (unsigned)lane << l->low | ((unsigned)tag & ((1u << l->low) - 1));
    unsigned user = (unsigned)tag >> l->low;
    return (struct tag_parts){.user = (int)((user & (unsigned)l->ub) | user >> l->user << TAG_KIND),
                              .source = (int)(pair >> l->width),
                              .dest = (int)(pair & ((1u << l->width) - 1))};
}

#endif
