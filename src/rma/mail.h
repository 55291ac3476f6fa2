/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mail: active messages between the processes of a universe (am.h), over universe->am.
 *
 * Arrivals: a ring of persistent receives from anybody with tag 0, started in order. MPI matches messages to receives in the
 * order in which those were started, so testing only the ring's head sees all messages in the order in which MPI
 * matched them. A message is carried out (serve.h) before its receive is started again. Only the holder of the
 * poll lock (p2p/far.h) does that, so one thread of the process at a time.
 *
 * Departures: MPI_Isend of a parcel by any thread. What MPI does not take at once stays in `leaving`, which the polls
 * test. A thread that may not call MPI (MPI_THREAD_FUNNELED) leaves its parcel in `waiting`; while anything is there,
 * everything goes there, so the order stays.
 *
 *   word      who                                                     order
 *   waiting   any thread pushes at the end, a poll takes, under lock; nwaiting is read without it by senders: a thread sees
 *             at least its own parcels there, and another thread that uses the same endpoint has the flow's lock between
 *   leaving, bulks   any thread adds, a poll takes all out and puts back what is not over, under lock
 *   users     windows: while there are none and nothing is under way, polls do not look further
 *   ring, head, stuck, ringing   the poll lock
 *
 * The mail of a universe lasts as long as the universe.
 */
#ifndef EP_RMA_MAIL_H
#define EP_RMA_MAIL_H

#include "p2p/p2p.h"
#include "rma/am.h"

enum { RING = 32 };

/* A message to be: from mail_parcel until mail_send. */
struct parcel {
    struct pool_item item; /* the pool's while free */
    struct parcel *next;
    MPI_Request mpi;
    int to;
    uint32_t bytes; /* of am and what follows */
    struct am am;
    unsigned char data[]; /* PARCEL_DATA bytes */
};
enum { PARCEL_DATA = AM_DATA_MAX + AM_PATCHES_MAX * 24 };

struct bulk;

struct mail {
    struct universe *universe; /* constant */
    struct mail *next_spare;   /* when its universe has gone: kept for another, since pools are never freed */
    struct far_watch watch;
    _Atomic int users;
    /* under lock */
    struct lock lock;
    struct pool parcels;
    struct parcel *waiting, **last_waiting, *leaving;
    struct bulk *bulks;
    uint64_t numbers[16]; /* BULK_TAGS bits: in use */
    _Atomic int nwaiting, nleaving, nbulks;
    /* under the poll lock */
    bool ringing; /* the receives are started */
    bool
        stuck; /* the message at the head could not be carried out for want of memory: again with the next poll */
    int stuck_source;
    unsigned head;
    MPI_Request ring[RING];
    struct am *slot[RING]; /* with room for PARCEL_DATA bytes behind */
};

/* Use the universe's mail for one more window, and no longer. NULL without memory. */
struct mail *mail_open(struct universe *u);
void mail_close(struct mail *m);

/* NULL without memory. Any thread. */
struct parcel *mail_parcel(struct mail *m);
void mail_return(struct mail *m, struct parcel *p);
/* Send it with `bytes` behind the head to a process of the universe. Never blocks; p is gone. Any thread. */
void mail_send(struct mail *m, struct parcel *p, int to, size_t bytes);

/* ---- bulk (far_bulk.c): large contiguous data, straight from memory to memory ---- */

enum { BULK_TAGS = 1024, BULK_MAX = 1 << 28 };

/* One transfer that this process takes part in. */
struct bulk {
    struct bulk *next;
    MPI_Request mpi;
    bool sends, started;
    int peer, tag; /* process of the universe; bulk_tag */
    char *data;
    size_t bytes; /* at most BULK_MAX */
    /* It is over, rc is an error class. In a poll, no lock but that of polling is held; b is the callee's now. */
    void (*done)(struct bulk *b, int rc);
    struct mail *mail;
    /* the callee's */
    void *arg;
    struct am am; /* of the request that it belongs to */
};

/* Any thread: the next poll starts it. */
void bulk_add(struct mail *m, struct bulk *b);
/* For the poll: start and test. True if any ended. */
bool bulk_poll(struct mail *m);
/* A number that no other transfer begun by this process has until it is freed; -1: all are in use. */
int bulk_number(struct mail *m);
void bulk_number_free(struct mail *m, int number);

/* MPI's tag for the transfer with that number: of data that the process which chose the number puts, or gets. */
static inline uint16_t bulk_tag(int number, bool put)
{
    return (uint16_t)(1 + 2 * number + put);
}

static inline int bulk_tag_number(int tag)
{
    return (tag - 1) / 2;
}

#endif
