/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contributions and slices of a reduction between processes: what a process reduces before it sends anything
 * to another, and who then reduces which elements.
 *
 *   granularity         contributors that one contribution stands for
 *   GRANULARITY_RANK    one: reproducible scans
 *   GRANULARITY_NODE    a node of the canonical tree (reduction.h), the largest in one process: reproducible
 *   GRANULARITY_RUN     consecutive ranks of one process, as many as there are: other scans, and operators
 *                       that do not commute
 *   GRANULARITY_PROC    all of one process
 *
 * Contributions come in ascending order (of ranks, or processes) and every contributor belongs to one.
 *
 * The elements are divided into slices, each of which one process owns. Owners are the processes with
 * contributors: as many of them as leaves each enough to do, an equal slice each. reduce_scatter in an
 * intracommunicator: the block of each rank is a slice, which its process owns.
 *
 * All processes enumerate the same contributions and slices in the same order, and no memory is needed for
 * it.
 */
#ifndef EP_COLL_CONTRIBUTION_H
#define EP_COLL_CONTRIBUTION_H

#include "coll/reduce/flow.h"

enum granularity { GRANULARITY_RANK, GRANULARITY_NODE, GRANULARITY_RUN, GRANULARITY_PROC };

struct layout {
    const struct op *op;
    struct flow flow;
    enum granularity granularity;
    bool blocks;      /* slices are the blocks of ranks */
    int contributing; /* processes */
    int owners;
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

struct slice {
    int proc;          /* the owner */
    int number;        /* of slices before, those without elements included */
    size_t begin, end; /* elements */
    size_t at;         /* elements of slices before that are this process's */
};

static inline struct slice slice_none(void)
{
    return (struct slice){.proc = -1, .number = -1};
}

/* The next that has elements. False: there is none. */
bool slice_next(const struct layout *l, struct slice *s);

#endif
