/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Composite tags: an MPI message between processes carries the user's tag and the local indices of
 * source and destination in its MPI tag:
 *
 *     [ user tag | source index : width | destination index : width ]
 *
 * width = ceil(log2(most endpoints in one process)). The user's part keeps at least 15 bits (tags to
 * 32767, what MPI promises). If the two indices then do not fit into the rest, their highest bits select
 * one of several process communicators (lanes) instead. A pair of endpoints always uses one lane, so
 * MPI's ordering per communicator gives the order per pair.
 */
#ifndef EP_COMM_TAG_H
#define EP_COMM_TAG_H

struct tag_layout {
    int width; /* bits of one index */
    int low;   /* bits of the pair of indices that are in the tag; the others are the lane */
    int lanes;
    int ub; /* highest user tag */
};

struct tag_parts {
    int user, source, dest;
};

/* mpi_tag_ub: of the MPI underneath; widest: most endpoints in one process. */
void tag_layout_init(struct tag_layout *l, int mpi_tag_ub, int widest);

static inline int tag_pack(const struct tag_layout *l, struct tag_parts t, int *lane)
{
    unsigned pair = (unsigned)t.source << l->width | (unsigned)t.dest;
    *lane = (int)(pair >> l->low);
    return (int)((unsigned)t.user << l->low | (pair & ((1u << l->low) - 1)));
}

static inline struct tag_parts tag_unpack(const struct tag_layout *l, int tag, int lane)
{
    unsigned pair = (unsigned)lane << l->low | ((unsigned)tag & ((1u << l->low) - 1));
    return (struct tag_parts){.user = (int)((unsigned)tag >> l->low),
                              .source = (int)(pair >> l->width),
                              .dest = (int)(pair & ((1u << l->width) - 1))};
}

#endif
