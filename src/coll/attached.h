/* SPDX-License-Identifier: BSD-3-Clause */
/* What collective calls keep of a communicator, once per process. */
#ifndef EP_COLL_ATTACHED_H
#define EP_COLL_ATTACHED_H

#include "comm/comm.h"

struct op;
struct cells;

struct coll_comm {
    /* under comm->lock */
    struct op *ops;         /* that not all have come to */
    struct op *last_turn;   /* last of turns */
    struct op *kept;        /* for when there is no memory for another: from its beginning to its end */
    _Atomic bool kept_used; /* release op_recycle, acquire room_may_be */
    _Atomic(struct op *)
        turns; /* far.c: who may make MPI's collective calls; read without the lock; release complete and turn_leave, acquire begin */
    /* of tiny calls: made on first use, set under lock (release), read without (acquire) */
    _Atomic(struct cells *) cells; /* release cells_make and cells_settle, acquire cells_exist */
    struct cells *cells_draft;     /* not agreed upon yet; under lock */
    _Atomic bool no_cells;         /* there was no memory for them: then never; relaxed */
};

#endif
