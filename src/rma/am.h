/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages: what processes say to each other about windows. A head, for typed targets some patches (map.h),
 * then the data. They travel on universe->am with MPI tag 0 (mail.h).
 *
 * Those of one endpoint to one process are sent under the lock of its flow and arrive, and are carried out, in
 * that order. So
 *   - accumulates of one endpoint to one target keep their order (MPI 11.7.2: rar, raw, war, waw)
 *   - one answer that carries `number` says that all before are carried out, too (flow.h)
 */
#ifndef EP_RMA_AM_H
#define EP_RMA_AM_H

#include <stdbool.h>
#include <stdint.h>

enum am_kind {
    /* to a window of the receiver; no answer but for ack */
    AM_NOTHING, /* only to be acknowledged */
    AM_PUT,
    AM_ACCUMULATE,
    AM_POST,     /* PSCW: origin has posted to target */
    AM_COMPLETE, /* PSCW: origin has completed its access to target */
    AM_UNLOCK,   /* op: LOCK_SHARED or LOCK_EXCLUSIVE (lock.h) */
    /* to a window of the receiver; answered */
    AM_GET,            /* AM_DATA */
    AM_GET_ACCUMULATE, /* AM_DATA */
    AM_SWAP,           /* compare and swap; data: compare, origin. AM_DATA */
    AM_LOCK,           /* op as above. AM_GRANT, when it is its turn */
    AM_BULK_PUT,       /* the data come by themselves with a tag of mail.h. AM_BULK_DONE */
    AM_BULK_GET,       /* the data go by themselves. No answer */
    /* answers: all carry flow, reply and number of the request back */
    AM_ACK,
    AM_DATA,
    AM_GRANT,
    AM_BULK_DONE,
    AM_FAULT, /* what was asked for could not be done: op is an enum fault */
    AM_KINDS
};

/* Is it answered with data when it is carried out? */
static inline bool am_fetches(int kind)
{
    return kind == AM_GET || kind == AM_GET_ACCUMULATE || kind == AM_SWAP;
}

enum am_flag { AM_WANTS_ACK = 1 };

/* Why a target refuses. */
enum fault { FAULT_NONE, FAULT_ATTACH, FAULT_MPI };

enum { AM_DATA_MAX = 8192, AM_PATCHES_MAX = 64 };

struct am {
    uint8_t kind, flags, op;
    uint8_t patches; /* in front of the data; 0: one block at offset */
    uint16_t type;   /* accumulates: code of atomic.h */
    uint16_t tag;    /* bulk */
    uint32_t number; /* of the message in its flow; answers: of the one that is answered */
    uint32_t bytes;  /* data: that follow, or that are wanted */
    int32_t target;  /* requests: local index of the target. Faults: its rank */
    int32_t origin;  /* requests: rank of the sender in the window */
    int64_t offset;  /* from the target's base, in a dynamic window the address */
    void *window;    /* requests: the receiver's struct window */
    void *flow;      /* the requester's struct flow; comes back with the answer */
    void *reply;     /* the same: what else the answer is for */
    uint64_t length; /* bulk: bytes */
};

#endif
