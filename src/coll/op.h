/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An operation: one collective call, once per process.
 *
 * Every endpoint brings its arguments. The last to come opens the operation, which then goes through rounds.
 * A round is a number of tasks inside the process, which anybody does who waits for the operation or makes
 * progress for it, and beside them a far step between the processes, which goes on in the endpoint of the
 * leader (the endpoint with local index 0). When both are over, whoever did the last thing sets up the next
 * round (algorithm->advance), or ends the operation and completes the arguments of all.
 *
 *   word       who                                           order
 *   claim[]    generation of the round and number of tasks   release by who sets up a round; acquire by who
 *              not begun, for each lane of tasks              takes a task, by compare-and-swap
 *   left       tasks and far steps not over                  sub acq_rel: who brings it to 0 has the next say
 *   far_state  FAR_WANTED by who sets up a round (release)   the leader's endpoint lock (acquire)
 *              FAR_SHORT of memory
 *   refs       of arguments, the work, who opens it and who  sub acq_rel: the last lets the communicator go
 *              begins a round                                and recycles
 *   all else   constant during a round; written by the one who sets up rounds
 *
 * Tasks are in lanes, ranges of equal length; each endpoint begins with its own share of lanes, and then
 * helps in the others. So in the next call of the kind the same core works on the same memory.
 *
 * Operations are never freed, and the generation never repeats, so a helper may look at one that is over and
 * serves another call meanwhile: it loads claim, then sees that its own call is not done (so the word was of
 * its operation), and takes a task only if the word is still the same.
 */
#ifndef EP_COLL_OP_H
#define EP_COLL_OP_H

#include <string.h>

#include "coll/call.h"

struct op;
struct flag_slots;

/* What collective calls keep of a communicator, once per process. */
struct coll_comm {
    /* under comm->lock */
    struct op *ops;         /* that not all have come to */
    struct op *last_issued; /* last of issue order */
    struct op *kept;        /* for when there is no memory for another: from its beginning to its end */
    _Atomic bool kept_used; /* release op_recycle, acquire room_may_be */
    /* far.c: who may make MPI's collective calls; read without the lock; release arrive_complete and
     * issue_order_leave, acquire far_begin */
    _Atomic(struct op *) issue_order;
    /* of small calls: made on first use, set under lock (release), read without (acquire) */
    _Atomic(struct flag_slots *)
        flag_slots; /* release flag_slots_make and flag_slots_settle, acquire flag_slots_exist */
    struct flag_slots *flag_slots_prepared; /* not agreed upon yet; under lock */
    _Atomic bool no_flag_slots;             /* there was no memory for them: then never; relaxed */
    _Atomic signed char reach;              /* enum flag_reach, 0: not asked for yet; the same whoever asks; relaxed */
};

/* How a call is done; one for each algorithm. All functions but task are called by one thread at a time. */
struct coll_algorithm {
    const char *name;
    /* Set up round o->round (0, 1, ...): o->ntasks, o->wants_far. False: the operation is over, there is no
     * such round. With o->rc set the result does not matter any more, but the far steps have to be made that
     * other processes wait for. */
    bool (*advance)(struct op *o);
    /* o->round is the round in all of them. */
    /* Do task i of the round (any thread, in parallel with other tasks and the far step). Errors: op_fail. */
    void (*task)(struct op *o, int i);
    /* Begin the far step of the round: far_expect, exchange_send, exchange_recv. The lock of leader's
     * endpoint is held. */
    void (*far)(struct op *o);
    /* The operation is over: give back o->state. NULL: op_state_free. */
    void (*end)(struct op *o);
    bool ordered; /* makes MPI's collective calls, which must come in the same order in all processes */
};

struct coll_args {
    struct call call;
    ep_comm view;
    struct op *op;
    unsigned number;   /* of the call */
    bool reproducible; /* the view's, when the endpoint came: it may be changed by the next call */
    void *packed_copy; /* free()d with the arguments */
    bool holds_operator;
    ep_request request;                /* NULL: the caller blocks, and the arguments are on its stack; or, */
    void (*over)(struct coll_args *p); /* of one that needs no request: it is complete, and may be freed */
    _Atomic bool done; /* then rc is valid: release coll_args_complete, acquire args_is_done */
    _Atomic int rc;    /* error of this endpoint alone; if 0 the operation's counts; relaxed: before done */
    char *why;         /* text for the error, or NULL; malloc'd */
};

enum { LANES = 8, FEW = 8, OP_STATE = 256 };

struct op {
    struct pool_item item;                              /* the pool's while free */
    _Alignas(CACHE_LINE) _Atomic uint64_t claim[LANES]; /* release begin_round, acquire help_in */
    _Atomic int left;                                   /* acq_rel op_over */
    _Atomic int far_state;                              /* release begin_round, acquire far_step */
    _Atomic int refs;                                   /* acq_rel op_drop */
    _Atomic int
        rc; /* first error of the operation: everybody's; acq_rel op_fail; read when the round is over */
    struct work work;
    /* arrivals: under comm->lock */
    struct op *next; /* not all have come */
    unsigned number; /* of the call; tag has its lower bits */
    int tag, arrived;
    struct op *behind; /* in the queue of issue order (struct coll_comm) */
    /* constant once open */
    struct comm *comm;
    int n;                   /* endpoints of this process */
    struct coll_args **args; /* by local index: few or many */
    struct coll_args *few[FEW];
    struct coll_args **many;
    int room; /* of many */
    ep_comm leader;
    const struct coll_algorithm *algorithm;
    /* the round */
    int round, ntasks;
    bool wants_far;
    bool last_far;     /* set by algorithm->advance or far: no ordered call follows the one of this round */
    bool queued;       /* in that queue; under comm->lock */
    bool has_work;     /* constant once open */
    _Atomic bool over; /* release op_finish, acquire op_is_over */
    void *state;       /* the algorithm's */
    struct stand_in *stand_ins;        /* convert.c */
    _Alignas(16) char small[OP_STATE]; /* room for it */
    /* far step: under the lock of leader's endpoint */
    MPI_Request mpi[2];
    int nmpi;
    ep_request pending; /* exchange.c */
    struct messages {
        int seen, made; /* in this call of far, and before */
        bool later;     /* one could not be made */
    } sends, receives;
};

/* ---- for algorithms ---- */

/* An error of the operation as a whole, in any thread. */
void op_fail(struct op *o, int rc);

/* In algorithm->advance: the operation is done by another algorithm from now on, which has its first round.
 * The old one is ordered, and its state is gone or is the operation's own. */
bool op_go_on(struct op *o, const struct coll_algorithm *algorithm);

/* The algorithm's state in the operation itself, zeroed: at most OP_STATE bytes, for which no memory is
 * needed. */
static inline void *op_state(struct op *o)
{
    return o->state = memset(o->small, 0, sizeof o->small);
}
void op_state_free(struct op *o);

/* In algorithm->advance: all processes have agreed upon its result so far, whatever has failed here. */
static inline void op_agree(struct op *o, int rc)
{
    store_relaxed(&o->rc, rc);
}

static inline bool op_failed(const struct op *o)
{
    return load_relaxed(&o->rc) != MPI_SUCCESS;
}

/* In algorithm->far: request (of an MPI collective on o->comm->lanes[0], called between mpi_enter and
 * mpi_leave with rc) has to be complete before the far step is over. At most two in a step. */
void far_expect(struct op *o, int rc, MPI_Request request);

/* In algorithm->far: a message to or from the process `proc` of o->comm. Those of one pair of processes in
 * one operation are matched in the order of the calls; both sides must agree on their number and sizes. data
 * is used until the step is over. A message of another size than that of data: MPI_ERR_TRUNCATE. An operation
 * that has failed here sends nothing in its messages, and so fails there with MPI_ERR_NO_MEM: whoever waits
 * for data gets the error in their place.
 *
 * An operation that finds no memory for a message fails, and then needs none: what it sends is empty and
 * takes no request, and a receive that finds none, not even those that the endpoint keeps, is left for later.
 * far is called again until all have been made; those that have been are passed over then. So far must make
 * the same calls each time. Nobody waits for ever: sends do not wait for receives here, so all messages come,
 * each receive ends, and makes room for the next. */
void exchange_send(struct op *o, int proc, struct span data);
void exchange_recv(struct op *o, int proc, struct span data);
/* The same for what decides whether the operation has failed, NOTICE_MAX bytes at most: whatever has failed
 * here the data go, as soon as they can. */
void exchange_tell(struct op *o, int proc, struct span data);
/* The same for a receive: that there is no memory for it now does not make the operation fail. */
void exchange_hear(struct op *o, int proc, struct span data);

/* ---- the life of an operation (op.c, arrive.c) ---- */

/* All have come: the caller, the last, with a local index, goes on with it. */
void op_open(struct op *o, int index);
/* Do a task if there is one and over(arg) is not true, which says that the caller's call is done; first of
 * the share of the endpoint with a local index, of n. False: none. */
bool op_help(struct op *o, int index, int n, bool (*over)(const void *arg), const void *arg);
/* A task or the far step of the round is over. */
void op_over(struct op *o);
/* Nobody needs it any more. */
void op_recycle(struct op *o);
/* Bring arguments to the operation of call number `number`, and open that if all have come. No lock is
 * held. */
void coll_args_join(struct coll_args *p, unsigned number);
/* The same, and wait until it is complete. Its error. (run.c) */
int args_run(struct coll_args *p, unsigned number);
/* For the watchdog, while the endpoint of these arguments waits: the rank of an endpoint of this process that
 * has not come, or MPI_UNDEFINED. */
int coll_args_awaits(const struct coll_args *p);
/* Hold the datatypes of its buffers as long as the operation lasts; or no longer. */
void coll_args_types(struct coll_args *p, bool hold);
/* Free what hangs on it. */
void coll_args_free(struct coll_args *p);
/* Complete an endpoint's call; the arguments may be gone then. */
void coll_args_complete(struct coll_args *p, int rc);

/* far.c: go on with the far step; the lock of leader's endpoint is held. */
void far_step(struct op *o);
enum { FAR_IDLE, FAR_WANTED, FAR_SHORT, FAR_RUNNING };
/* The operation makes no ordered call any more: the next may. */
void issue_order_leave(struct op *o);

/* exchange.c: far is about to be called, for the first time in this round or again. */
void exchange_begin_far(struct op *o, bool again);
/* Is it to be called again? */
bool exchange_is_short(const struct op *o);
/* Are all messages that were made through? The lock of leader's endpoint is held. */
bool exchange_done(struct op *o);

/* The algorithm for a call, chosen from what all processes know alike: kind, communicator, sizes of what is
 * uniform. (algorithm.c) All arguments are there. */
const struct coll_algorithm *algorithm_for(struct op *o);

#endif
