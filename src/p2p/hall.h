/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hall: memory of a process that the other processes of its machine (its mates, comm/mates.h) map. Messages to it
 * come in through a ring; what does not fit into the ring's lines lies in parcels, which are in the hall of their
 * sender, or stays in the sender's own memory, which the receiver reads (process_vm_readv).
 *
 * Whoever holds the poll lock of the process takes messages out of the ring (ring.h) and puts each into the inbox of its
 * endpoint (wire_take.c), so that messages of one sender keep their order. When the ring is full, or no parcel is left, a send
 * waits at home (mate->waiting) and all later ones to this process behind it.
 *
 *   shared word       written by               order                          pairs with
 *   the ring's        see ring.h
 *   returned          receivers of parcels     release (give_back)            acquire in parcels_collect
 *   parcel.state      receiver and sender      acq_rel                        parcel_claim and parcel_withdraw: whoever is first decides
 *   ended             the hall's process       relaxed                        tells mates when not to wait any more
 *   everything else in a parcel: its sender until it is pushed, its receiver until it is returned
 */
#ifndef EP_P2P_HALL_H
#define EP_P2P_HALL_H

#include "comm/comm.h"
#include "p2p/ring.h"
#include "p2p/request.h"

enum {
    HALL_LINES = 1024, /* of the ring: a power of two */
    HALL_PUBLISH = 128,
    PARCEL_MAX = 64 << 10 /* bytes that travel in a parcel */
};

/* The message in the ring that stands for a parcel. */
struct parcel_note {
    uint64_t at; /* in the sender's hall */
    uint64_t bytes;
    uint64_t sender; /* mates_name */
};

enum parcel_state { PARCEL_OPEN, PARCEL_CLAIMED, PARCEL_WITHDRAWN };

struct parcel {
    _Atomic uint64_t next; /* of those returned: offset in the hall; 0: none */
    _Atomic int state;
    int size;     /* class of it (parcel.c); constant */
    int rc;       /* an error class: of the sender, there are no data; of the receiver's reading, before it is returned */
    int expected; /* of the sender: the end of MPI waits for it */
    uint64_t bytes;
    uint64_t address;   /* in the sender's memory; 0: the data follow */
    ep_request request; /* of the sender, which the return completes; or NULL */
    void *packed;       /* of the sender: to be freed when it comes back; or NULL */
    struct mate *to;    /* of the sender */
    char data[];
};

struct hall {
    struct ring ring;
    struct line line[HALL_LINES];
    _Alignas(CACHE_LINE) _Atomic uint64_t returned; /* parcels, the last returned first */
    _Atomic bool
        ended; /* its process ends MPI and receives nothing more; by it, seen by its mates some time */
};

_Static_assert(sizeof(struct parcel) == CACHE_LINE, "a parcel's data begin with a cache line");

/* The thread sanitizer sees nothing of what orders two threads of a process through another process. These tell it. */
#ifdef SANITIZES_THREADS
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define wire_goes_out(p) __tsan_release(p)
#define wire_comes_in(p) __tsan_acquire(p)
#else
#define wire_goes_out(p) ((void)(p))
#define wire_comes_in(p) ((void)(p))
#endif

/* Something in the memory that processes share is what nobody writes there: said by name, and the job ends, for what would be
 * followed leads anywhere. */
_Noreturn void far_corrupt(const char *what, uint64_t value);

static inline struct hall *hall_of(struct mate *m)
{
    return (struct hall *)(void *)m->memory.base;
}

/* ---- the ring ---- */

/* Put a message in; h->lines and h->inline_bytes are set from bytes, which is at most INLINE_MAX. False: there is no room now. Any
 * thread of any process. */
bool hall_push(struct hall *hall, struct header *h, const void *payload, size_t bytes);

/* A message of any size would find room now, unless others are faster. */
static inline bool hall_may_have_room(struct hall *hall)
{
    return (int64_t)(load_relaxed(&hall->ring.tail) + 2 * INLINE_LINES - load_acquire(&hall->ring.taken)) <=
           HALL_LINES;
}

/* ---- parcels ---- */

/* One of this process's, with room for bytes of data (at most PARCEL_MAX), of no request; bytes and address are to be set. NULL:
 * none is left now. Any thread. */
struct parcel *parcel_get(size_t bytes);
/* It was not sent. */
void parcel_put(struct parcel *p);
uint64_t parcel_at(const struct parcel *p);
static inline void parcel_check(uint64_t at)
{
    if (unlikely(at - sizeof(struct hall) > MATES_HALL_BYTES - sizeof(struct hall) - sizeof(struct parcel) ||
                 at % CACHE_LINE != 0))
        far_corrupt("the place of a parcel", at);
}
static inline struct parcel *parcel_of(struct mate *m, uint64_t at)
{
    parcel_check(at);
    return (struct parcel *)(void *)(m->memory.base + at);
}

/* The receiver's side, with the process that p is of. Claim: false if the sender has withdrawn it; else nobody can any more. */
bool parcel_claim(struct parcel *p);
static inline bool parcel_withdrawn(const struct parcel *p)
{
    return load_acquire(&p->state) == PARCEL_WITHDRAWN;
}
/* Its data into r's buffer, as far as r->out.received says; completes r and returns p. */
void parcel_receive(struct parcel *p, struct mate *from, ep_request r);
/* Nobody will have it. */
void parcel_drop(struct parcel *p, struct mate *from);

/* The sender's: p, which is to be pushed, has data in its process that must stay until it comes back. */
void parcel_expect(struct parcel *p, struct mate *to);
/* p, which is to be pushed, completes r when it comes back. */
void parcel_belongs(struct parcel *p, struct mate *to, ep_request r);
/* Take it back from the receiver. False if that has claimed it, or r is done. */
bool parcel_withdraw(struct parcel *p, ep_request r);

/* Those that came back: complete their sends. True if there were any. Any thread. */
bool parcels_collect(void);

/* Are some still out that are expected back? */
bool parcels_await(void);

#endif
