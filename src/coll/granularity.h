/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Granularities: what a process may reduce before it sends anything to another, and who then reduces what.
 *
 *   granularity         contributors that one contribution stands for
 *   GRANULARITY_RANK    one: scans
 *   GRANULARITY_NODE    a node of the canonical tree (reduction.h), the largest in one process: reproducible
 *   GRANULARITY_RUN     consecutive ranks of one process, as many as there are: the operator does not commute
 *   GRANULARITY_PROC    all of one process
 *
 * Contributions come in ascending order (of ranks, or processes) and every contributor belongs to one. All
 * processes enumerate the same contributions, and no memory is needed for it.
 *
 * The result is divided between owners, who are the processes with contributors: as many of them as leaves
 * each enough to do, an equal slice of elements each. reduce_scatter in an intracommunicator: every process
 * owns the blocks of its endpoints.
 */
#ifndef EP_COLL_GRANULARITY_H
#define EP_COLL_GRANULARITY_H

#include "coll/flow.h"

enum granularity { GRANULARITY_RANK, GRANULARITY_NODE, GRANULARITY_RUN, GRANULARITY_PROC };

struct layout {
    const struct op *op;
    struct flow flow;
    enum granularity granularity;
    bool blocks;      /* owners own the blocks of their endpoints */
    int contributing; /* processes */
    int owners;
    const size_t *block; /* where the block of each rank begins; NULL: not known, and added up each time */
};

void layout_init(struct layout *l, const struct op *o, const struct flow *f);
/* From now on it is about so many elements, as if the flow had no others. */
void layout_set(struct layout *l, size_t count);

struct contribution {
    int low, high; /* contributors [low, high), from 0 on; GRANULARITY_PROC: low is any of them */
    int proc;
    int args, nparts; /* in process proc: local indices */
    int number;       /* of contributions before */
};

/* What contribution_next makes the first contribution of. */
static inline struct contribution contribution_none(void)
{
    return (struct contribution){.proc = -1, .number = -1};
}

/* False: there is none after it. */
bool contribution_next(const struct layout *l, struct contribution *it);

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
