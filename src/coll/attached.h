/* SPDX-License-Identifier: BSD-3-Clause */
/* What collective calls keep of a communicator, once per process. */
#ifndef EP_COLL_ATTACHED_H
#define EP_COLL_ATTACHED_H

#include "comm/comm.h"

struct op;
struct flag_slots;

struct coll_comm {
    /* under comm->lock */
    struct op *ops;         /* that not all have come to */
    struct op *last_issued; /* last of issue order */
    struct op *kept;        /* for when there is no memory for another: from its beginning to its end */
    _Atomic bool kept_used; /* release op_recycle, acquire room_may_be */
    _Atomic(struct op *)
        issue_order; /* far.c: who may make MPI's collective calls; read without the lock; release complete and issue_order_leave, acquire far_begin */
    /* of small calls: made on first use, set under lock (release), read without (acquire) */
    _Atomic(struct flag_slots *)
        flag_slots; /* release flag_slots_make and flag_slots_settle, acquire flag_slots_exist */
    struct flag_slots *flag_slots_prepared; /* not agreed upon yet; under lock */
    _Atomic bool no_flag_slots;             /* there was no memory for them: then never; relaxed */
};

#endif
