/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions between processes by exchange of slices: reproducible ones, those whose ranks lie so that MPI
 * cannot keep their order, reduce_scatter, and intercommunicators.
 *
 *   round  tasks                                    far step
 *   0      each process folds its items (grain.h)
 *   1                                               of each item every owner gets its slice
 *   2      owners fold the slices of all items
 *   3                                               processes with receivers get the slices of the result
 *   4      from there to all local receivers
 *
 * A scan has one item for each rank, and an owner makes of slice i the fold of slices 0 to i. It has room for
 * the slices of all ranks. In reduce_scatter on an intracommunicator the owners are those who get the result,
 * so there is no round 3. (On an intercommunicator nobody knows the other group's blocks: the whole result
 * goes to each receiving process.) Both flows of an intercommunicator go through the rounds together.
 *
 * Why the messages match: all processes enumerate the same items and owners in the same order (grain.h), so
 * for each pair of processes both sides come to the same sequence, first of items, then of results, of flow 0
 * before flow 1. Empty ranges are no messages. A process without memory sends and receives empty ones in
 * their place, which is an error on the other side.
 *
 * In place: inputs are read in rounds 0 to 2 (by round 1's messages, too), outputs written in rounds 3 and 4.
 */
#ifndef EP_COLL_REDUCE_EXCHANGE_H
#define EP_COLL_REDUCE_EXCHANGE_H

#include "coll/fold.h"
#include "coll/grain.h"

/* One flow. Elements of slices stand packed: the ranges of an owner one after the other. */
struct trade {
    struct layout layout;
    struct shape shape;
    bool owns, gets; /* this process; owns: and not nothing */
    struct owner self;
    size_t owned; /* elements of this process's slice */
    int nitems, nours;
    struct item *ours;     /* items of this process ... */
    char **input;          /* ... and where all their elements are */
    struct operand *items; /* owner: all, the others' packed */
    int *at;               /* owner: operands.at; NULL unless GRAIN_NODE */
    char *slots;           /* owner: a slice of each item (scan), or of each that is not ours */
    char *result;          /* owner: element 0 of the slice of the result */
    char *whole; /* element 0 of the whole result, in the first receiver's buffer or memory of our own */
    bool poor;   /* no memory */
};

struct exchange {
    int flows;
    struct trade trade[2];
    struct memory *memory; /* all that was taken */
};

/* What needs no memory. */
void exchange_describe(const struct op *o, struct exchange *x);

/* reduce_messages.c */
void items_exchange(struct op *o, const struct trade *t);
void results_exchange(struct op *o, const struct trade *t);

/* reduce_tasks.c: how many, and one of them. */
int items_tasks(const struct trade *t);
int items_task(const struct op *o, const struct trade *t, int i);
int slices_tasks(const struct trade *t);
int slices_task(const struct op *o, const struct trade *t, int i);
int results_tasks(const struct trade *t);
int results_task(const struct op *o, const struct trade *t, int i);

/* Slice of the result that a receiver (in the whole communicator) gets in a scan; NULL: none. */
static inline char *scan_slot(const struct trade *t, int rank, bool exclusive)
{
    int i = exclusive ? rank - 1 : rank;
    return i < 0 ? NULL : t->items[i].buf;
}

#endif
