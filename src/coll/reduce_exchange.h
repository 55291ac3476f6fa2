/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions between processes by exchange of slices: reproducible ones, those whose ranks or datatypes lie so
 * that MPI's would do it wrong, reduce_scatter, and intercommunicators.
 *
 *   stage  tasks                                    far step
 *   0      each process reduces its contributions (granularity.h)
 *   1                                               of each contribution every owner gets its slice
 *   2      owners reduce the slices of all contributions
 *   3                                               processes with receivers get the slices of the result
 *   4      from there to all local receivers
 *
 * The elements go in segments, each through all stages: round r has stage k of segment r - k, for all k.
 *
 * A scan has one contribution for each rank, and an owner makes of slice i the reduction of slices 0 to i. It
 * has room for the slices of all ranks. A reduce_scatter has one segment. On an intracommunicator its owners
 * are those who get the result, so there is no stage 3; on an intercommunicator nobody knows the other
 * group's blocks, and the whole result goes to each receiving process.
 *
 * Why the messages match: all processes enumerate the same segments, contributions and owners in the same
 * order (granularity.h), so for each pair of processes both sides come to the same sequence: in each round
 * those of flow 0 before flow 1, and of each contributions before results. Empty ranges are no messages. A
 * process without memory sends and receives empty ones in their place, which is an error on the other side.
 *
 * In place: a segment's inputs are read in stages 0 to 2 (by the messages, too), its outputs written in stages 3
 * and 4.
 */
#ifndef EP_COLL_REDUCE_EXCHANGE_H
#define EP_COLL_REDUCE_EXCHANGE_H

#include "coll/reduction.h"
#include "coll/granularity.h"

/* A segment of a flow; layout is that of the segment alone. Elements of slices stand packed: the ranges of an
 * owner one after the other. */
struct slice_transfer {
    struct layout layout;
    struct shape shape;
    size_t begin;    /* the segment's first element */
    bool owns, gets; /* this process; owns: and not nothing */
    struct owner self;
    size_t owned; /* elements of this process's slice */
    int nitems, nours;
    struct contribution *ours;     /* contributions of this process ... */
    char **input;                  /* ... and where their elements are */
    struct operand *contributions; /* owner: all, the others' packed */
    int *at;                       /* owner: operands.at; NULL unless GRANULARITY_NODE */
    char *result;                  /* owner: element 0 of the slice of the result */
    char *whole; /* element 0 of the whole result, in the first receiver's buffer or in memory of ours */
    bool poor;   /* no memory */
};

enum { STAGE_REDUCTION, STAGE_CONTRIBUTIONS, STAGE_OWN, STAGE_RESULTS, STAGE_HAND, STAGES };

struct pipeline {
    struct flow flow;
    int segments;
    size_t each;                            /* elements of a segment */
    struct slice_transfer transfer[STAGES]; /* of segment s: s % STAGES */
};

struct exchange {
    int flows;
    struct pipeline pipeline[2];
    struct reduce_exchange_memory *memory; /* all that was taken */
};

/* reduce_messages.c */
void contributions_exchange(struct op *o, const struct slice_transfer *t);
void results_exchange(struct op *o, const struct slice_transfer *t);

/* reduce_tasks.c: how many, and one of them. */
int contributions_tasks(const struct slice_transfer *t);
int contributions_task(const struct op *o, const struct slice_transfer *t, int i);
int slices_tasks(const struct slice_transfer *t);
int slices_task(const struct op *o, const struct slice_transfer *t, int i);
int results_tasks(const struct slice_transfer *t);
int results_task(const struct op *o, const struct slice_transfer *t, int i);

/* Slice of the result that a receiver (in the whole communicator) gets in a scan; NULL: none. */
static inline char *scan_slot(const struct slice_transfer *t, int rank, bool exclusive)
{
    int i = exclusive ? rank - 1 : rank;
    return i < 0 ? NULL : t->contributions[i].buf;
}

#endif
