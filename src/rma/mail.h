/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mail: active messages between the processes of a universe (am.h), over universe->am.
 *
 * Arrivals: a ring of persistent receives from anybody with tag 0, started in order. MPI matches messages to receives in the
 * order in which those were started, so testing only the ring's head sees all messages in the order in which MPI
 * matched them. A message is carried out (serve.h, reply.h) before its receive is started again. Only the holder of the
 * poll lock (p2p/far.h) does that, so one thread of the process at a time.
 *
 * Departures: MPI_Isend of a parcel by any thread. What MPI does not take at once stays in `leaving`, which the polls
 * test. A thread that may not call MPI (MPI_THREAD_FUNNELED) leaves its parcel in `waiting`; while anything is there,
 * everything goes there, so the order stays.
 *
 *   word      who                                                     order
 *   waiting   any thread pushes at the end, a poll takes, under lock
 *   leaving   the same
 *   users     windows, under the lock of all mail
 */
#ifndef EP_RMA_MAIL_H
#define EP_RMA_MAIL_H

#include "p2p/p2p.h"
#include "rma/am.h"

struct mail;

/* A message to be: from mail_parcel until mail_send. */
struct parcel {
    struct pool_item item; /* the pool's while free */
    struct parcel *next;
    MPI_Request mpi;
    int to;
    uint32_t bytes; /* of am and what follows */
    struct am am;
    unsigned char data[]; /* room for AM_PATCHES_MAX patches and AM_DATA_MAX bytes */
};

/* Open the universe's mail for one more window, and close it. NULL without memory. */
struct mail *mail_open(struct universe *u);
void mail_close(struct mail *m);

/* NULL without memory. Any thread. */
struct parcel *mail_parcel(struct mail *m);
void mail_return(struct mail *m, struct parcel *p);
/* Send it with `bytes` behind the head to a process of the universe. Never blocks; p is gone. Any thread. */
void mail_send(struct mail *m, struct parcel *p, int to, size_t bytes);

/* ---- bulk: large contiguous data, straight from memory to memory ---- */

enum { BULK_TAGS = 1024 };

/* One transfer that this process takes part in. */
struct bulk {
    struct bulk *next;
    MPI_Request mpi;
    bool sends, started;
    int peer, tag;
    char *data;
    size_t bytes; /* at most BULK_MAX */
    void (*done)(struct bulk *b, int rc); /* by the poll, under the poll lock; b is the callee's then */
    struct mail *mail;
    /* the callee's */
    void *arg;
    int number, origin; /* what the answer needs */
    uint32_t counted;
};
enum { BULK_MAX = 1 << 28 };

/* Any thread: the next poll starts it. */
void bulk_add(struct mail *m, struct bulk *b);
/* A number that no other transfer begun by this process has now, or -1; and it is over. */
int bulk_number(struct mail *m);
void bulk_number_free(struct mail *m, int number);
/* MPI's tag for the transfer with that number, of data that the process which chose the number sends (put) or gets. */
static inline int bulk_tag(int number, bool put)
{
    return 1 + 2 * number + put;
}

#endif
