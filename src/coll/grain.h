/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Grains: what a process may fold before it sends anything to another, and who then folds what.
 *
 *   grain         contributors that one item stands for
 *   GRAIN_RANK    one: scans
 *   GRAIN_NODE    a node of the canonical tree (fold.h), the largest inside one process: reproducible
 *   GRAIN_RUN     consecutive ranks of one process, as many as there are: the operator does not commute
 *   GRAIN_PROC    all of one process
 *
 * Items come in ascending order (of ranks, or processes) and every contributor belongs to one. All processes
 * enumerate the same items, and no memory is needed for it.
 *
 * The result is divided between owners, who are the processes with contributors: as many of them as leaves
 * each enough to do, an equal slice of elements each. reduce_scatter in an intracommunicator: every process
 * owns the blocks of its endpoints.
 */
#ifndef EP_COLL_GRAIN_H
#define EP_COLL_GRAIN_H

#include "coll/flow.h"

enum grain { GRAIN_RANK, GRAIN_NODE, GRAIN_RUN, GRAIN_PROC };

struct layout {
    const struct op *op;
    struct flow flow;
    enum grain grain;
    bool blocks;      /* owners own the blocks of their endpoints */
    int contributing; /* processes */
    int owners;
    const size_t *block; /* where the block of each rank begins; NULL: not known, and added up each time */
};

void layout_init(struct layout *l, const struct op *o, const struct flow *f);
/* From now on it is about so many elements, as if the flow had no others. */
void layout_set(struct layout *l, size_t count);

struct item {
    int low, high; /* contributors [low, high), from 0 on; GRAIN_PROC: low is any of them */
    int proc;
    int part, nparts; /* in process proc: local indices */
    int number;       /* of items before */
};

/* What item_next makes the first item of. */
static inline struct item item_none(void)
{
    return (struct item){.proc = -1, .number = -1};
}

/* False: there is none after it. */
bool item_next(const struct layout *l, struct item *it);

/* Does the process contribute? */
bool proc_contributes(const struct layout *l, int proc);

struct owner {
    int proc, number; /* number: of owners before */
    int ranges;
};

/* For the first: w->proc = -1. False: there is none after it. */
bool owner_next(const struct layout *l, struct owner *w);

/* Elements [*begin, *end) are range i of the owner. */
void owner_range(const struct layout *l, const struct owner *w, int i, size_t *begin, size_t *end);

/* Elements of all its ranges. */
size_t owner_elements(const struct layout *l, const struct owner *w);

#endif
