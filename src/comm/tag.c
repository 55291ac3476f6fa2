/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/tag.h"

#include <assert.h>

enum { USER_BITS_MIN = 15, KIND_BITS = 2, LANE_BITS_MAX = 15, PAIR_BITS_MAX = 30 };

/* Bits to number n things. */
static int bits_for(unsigned n)
{
    int bits = 0;
    while ((1u << bits) < n)
        bits++;
    return bits;
}

/* Bits of a tag for all but its kind. MPI_TAG_UB need not be 2^k - 1: only whole bits below it are used. */
static int bits_of_tag(int mpi_tag_ub)
{
    int total = 0;
    while (total < 31 && (1u << (total + 1)) - 1 <= (unsigned)mpi_tag_ub)
        total++;
    return total - KIND_BITS;
}

int tag_most_indices(int mpi_tag_ub)
{
    int low = bits_of_tag(mpi_tag_ub) - USER_BITS_MIN;
    int pair = (low > 0 ? low : 0) + LANE_BITS_MAX;
    return 1 << (pair < PAIR_BITS_MAX ? pair : PAIR_BITS_MAX) / 2;
}

void tag_layout_init(struct tag_layout *l, int mpi_tag_ub, int widest)
{
    assert(widest > 0);
    int total = bits_of_tag(mpi_tag_ub);
    l->width = bits_for((unsigned)widest);
    l->low = 2 * l->width;
    if (l->low > total - USER_BITS_MIN)
        l->low = total - USER_BITS_MIN;
    if (l->low < 0)
        l->low = 0;
    l->user = total - l->low;
    unsigned highest = (unsigned)(widest - 1) << l->width | (unsigned)(widest - 1);
    l->lanes = (int)(highest >> l->low) + 1;
    l->ub = (int)((1u << l->user) - 1);
}
