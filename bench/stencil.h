/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stencil.h: heat on a plate of rows and columns, one explicit step after the other. A rank has a slab of
 * consecutive rows, the same number each, and between them one row of each neighbour (a halo).
 */
#ifndef BENCH_STENCIL_H
#define BENCH_STENCIL_H

#include "peer.h"

/* A plate and how long to compute. */
struct plate {
    const char *name;
    int rows; /* of a rank */
    int cols;
    int steps;
    bool uneven; /* some rows in some steps take many times as long as others */
};

/* state[s % 2] is before step s, the other one after it. Row 0 and row of->rows + 1 are the halo. */
struct slab {
    const struct plate *of;
    int first; /* row 1 in the whole plate, counted from 1 */
    double *state[2];
};

/* A rank and its neighbours. Two messages of one boundary may be on the way at the same time: that of an
 * even and that of an odd step. */
struct rank {
    struct slab slab;
    bool has_up, has_down;
    struct peer_link up[2], down[2];
    int blocks; /* of rows, of one task each */
};

/* Compute a rank's steps. */
typedef void form_fn(struct rank *);

void slab_make(struct slab *s, const struct plate *of, int first);
void slab_free(struct slab *s);
/* To what it was before step 0. */
void slab_start(struct slab *s);

static inline double *slab_row(const struct slab *s, int state, int row)
{
    return s->state[state] + (size_t)row * (size_t)s->of->cols;
}

/* One step for rows from..to. */
void slab_update(const struct slab *s, int step, int from, int to);

/* Exchange the halo before a step. */
void rank_exchange(const struct rank *r, int step);

/* Tasks, see stencil_tasks.c. */
form_fn form_ordered, form_tasks, form_iwait;

#endif
