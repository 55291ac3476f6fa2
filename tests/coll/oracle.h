/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle.h: a collective call as all its callers know it, and what each of them must get.
 *
 * Every datum is a function of a seed, who brings it, whom it is for, and its index; so each endpoint knows alone, in
 * plain C, what it has to receive. A test makes a plan, alike in all members of a communicator, and gives it to
 * collective(); or to call_prepare, call_start, a wait, call_check and call_free.
 *
 * The buffers are compared as a whole with an image of what they must be: bytes between, before and behind the
 * blocks, too, and what is sent must not have changed.
 */
#ifndef EP_TEST_COLL_ORACLE_H
#define EP_TEST_COLL_ORACLE_H

#include "area.h"
#include "operand.h"

typedef enum {
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE, /* from here on with an operator */
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN, /* from here on on intracommunicators alone */
    EXSCAN,
    KINDS
} coll_kind;

extern const char *const coll_names[KINDS];

/* The place of an endpoint on a communicator. */
typedef struct {
    ep_comm comm;
    int rank, inter;
    int side; /* of an intercommunicator: known alike to all, 0 or 1; else 0 */
    int n[2]; /* sizes of both sides; of an intracommunicator twice the same */
} seat;

/* Of an intracommunicator, and of an intercommunicator's side. */
seat seat_on(ep_comm comm);
seat seat_across(ep_comm inter, int side);

typedef enum { PLACE_PLAIN, PLACE_IN_PLACE, PLACE_EQUAL } placing;

typedef struct {
    coll_kind kind;
    uint64_t seed;
    int root, root_side;
    int units;     /* of a block (8 bytes each), of v and w forms the most; with an operator: elements */
    placing place; /* EQUAL: a reduction gets the same buffer twice */
    int mixed;     /* endpoints use different datatypes */
    const operand *op;
} coll_plan;

int has_root(coll_kind kind);
int has_operator(coll_kind kind);
/* A form in place or with equal buffers that the standard, or the header of ep, has. */
int can_be_placed(coll_kind kind, placing place, int inter);

typedef struct {
    coll_plan plan;
    seat seat;
    area send, recv; /* bcast: recv alone */
    int total;       /* elements of all endpoints' blocks: reduce_scatter */
} coll_call;

void call_prepare(coll_call *c, const coll_plan *p, const seat *s);
/* The blocking call, and the non-blocking one. They return what ep does. */
int call_run(coll_call *c);
int call_start(coll_call *c, ep_request *request);
/* 1 if the buffers are what they must be. */
int call_check(coll_call *c);
void call_free(coll_call *c);

/* All of it. */
int collective(const seat *s, const coll_plan *p);

/* Types and operators of the process. By the main thread outside of a parallel region. */
void oracle_open(void);
void oracle_close(void);

#endif
