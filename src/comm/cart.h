/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grids: coordinates, neighbours, and how a grid is laid on processes. Pure computing: no messages, no
 * errors raised. Ranks are row-major, as MPI says (7.5): the last coordinate varies fastest.
 */
#ifndef EP_COMM_CART_H
#define EP_COMM_CART_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/rankmap.h"

struct cart {
    int ndims, size; /* size: product of dims, 1 if there are none */
    int *dims, *periods;
};

/* Product of dims, each 1 or more; -1 if it is more than limit. */
int cart_size(int ndims, const int dims[], int limit);
/* -1: outside of the grid in a direction that is not periodic. */
int cart_rank(const struct cart *g, const int coords[]);
void cart_coords(const struct cart *g, int rank, int coords[]);
/* The rank that is disp steps away, MPI_PROC_NULL beyond an end. */
int cart_neighbour(const struct cart *g, int rank, int direction, int64_t disp);
/* Cut along the dimensions that do not remain: which piece a rank is in, and its rank there. */
void cart_cut(const struct cart *g, const int remain[], int rank, int *piece, int *rank_in_piece);

/*
 * The rank in g of the endpoint at `rank` of m, so that neighbours share processes as far as this can be
 * had: a rank beyond the grid if it is to have none, -1 without memory. Depends on g and m alone, so that
 * all agree without a message.
 */
int cart_place(const struct cart *g, const struct rankmap *m, int rank);

/* Replace the zeros in dims so that their product is nnodes: in falling order, with the smallest possible
 * largest one, then the smallest possible second one ... False: nnodes is no multiple of what is given. */
bool cart_balance(int nnodes, int ndims, int dims[]);

#endif
