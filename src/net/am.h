/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages: a message names a handler, which whoever polls calls in the receiver's process. To peers they go through
 * memory (am.c): in the lines of the ring; longer ones in a descriptor. To other processes they go by MPI (am_mpi.c). A struct
 * net_am_domain has all processes of a struct domain (comm.h), and lasts as long as that.
 *
 * Messages of one thread to one process, and messages that are sent under one lock, arrive and are carried out in the order of
 * sending; docs/net.md says why. Nothing here waits: what cannot be sent now is kept, and sent by a poll.
 *
 *   word of a domain   who                                                     order
 *   queue      any thread pushes at the end, a poll takes, under lock; nqueued is read without it by senders: 0 is set
 *              with release when all have left, and read with acquire
 *   leaving, bulks   any thread adds, a poll takes all out and puts back what is not over, under lock
 *   users      while there are none and nothing is under way, polls do not look further
 *   ring, head, stuck, ringing   the poll lock
 */
#ifndef EP_NET_AM_H
#define EP_NET_AM_H

#include "net/defer.h"
#include "net/shm.h"

enum { NET_AM_MAX = 10 << 10 /* bytes of a message, with its header */ };

/* What stands for what a handler is to be: the client's numbers. */
enum net_am_range { NET_AM_RMA = 0, NET_AM_IDS = 32 };

/* The header of a message. */
struct net_am {
    void *object;       /* for the handler; in the receiver's memory */
    uint8_t id : 6;     /* of the handler: the same in all processes */
    bool wants_ack : 1; /* channel.h */
    bool fails : 1;     /* the client's */
    uint8_t op;         /* the client's */
    union {             /* the client's */
        uint8_t pair[2];
        uint16_t word;
    };
    uint32_t number; /* in its channel; of an answer: of what it answers */
};

/* Carry out a message of process `source` of the domain. am and what is behind it last until it returns. In a poll: nothing may be
 * done that waits. NET_AGAIN: there was no memory for the answer. */
typedef enum net_result net_am_handler(const struct net_am *am, int source);
/* In all processes, before any of them sends such a message. */
void net_am_handle(int id, net_am_handler *handler);

enum { NET_AM_SHORT = FIRST_PAYLOAD + MORE_PAYLOAD /* bytes behind the header of a short one */ };

/* A message to be: from net_packet_get until net_am_send. */
struct net_packet {
    struct pool_item item; /* the pool's while free */
    struct net_packet *next;
    struct net_deferred deferred;
    struct net_am_domain *domain;
    MPI_Request mpi;
    int to;
    uint32_t bytes; /* of header and what follows */
    bool brief;     /* constant: there is room for a short message */
    struct net_am head;
    unsigned char body[]; /* NET_AM_MAX - sizeof(struct net_am) bytes, or NET_AM_SHORT */
};

enum { NET_RING = 32, NET_BULK_TAGS = 1024, NET_BULK_MAX = 1 << 28 };

struct net_am_domain {
    struct domain *domain;      /* constant */
    bool remote;                /* constant: some processes are no peers */
    struct net_am_domain *next; /* of those that polls look at: under the poll lock; or spare ones */
    _Atomic int users;          /* acq_rel net_am_open, net_am_close */
    /* under lock */
    struct lock lock;
    struct pool packets, briefs;
    struct net_packet *queue, **queue_end, *leaving;
    struct net_bulk *bulks;
    uint64_t numbers[NET_BULK_TAGS / 64]; /* bits: in use */
    _Atomic int nqueued, nleaving,
        nbulks; /* nqueued: release depart_queued, acquire net_am_mpi_send; nleaving: relaxed; nbulks: relaxed */
    /* under the poll lock */
    bool ringing; /* the receives are started */
    bool stuck; /* the first message could not be carried out for want of memory: again with the next poll */
    int stuck_source;
    unsigned head;
    MPI_Request ring[NET_RING];
    struct net_am *slot[NET_RING]; /* NET_AM_MAX bytes each */
};

/* Use the net_am_domain of a domain for one more purpose, and no longer. NULL without memory. */
struct net_am_domain *net_am_open(struct domain *u);
void net_am_close(struct net_am_domain *d);

/* NULL without memory. Any thread. */
struct net_packet *net_packet_get(struct net_am_domain *d);
/* The same for a short message that others wait for, such as an answer, and which may be kept for long: there is some for those when
 * there is no memory. */
struct net_packet *net_packet_get_brief(struct net_am_domain *d);
void net_packet_put(struct net_packet *p);
/* The same, under its domain's lock. */
void net_packet_put_locked(struct net_packet *p);
/* Send it to a process of the domain: `bytes` of header and what follows. Never blocks; p is gone. Any thread. */
void net_am_send(struct net_packet *p, int to, size_t bytes);

/* A short message to a peer needs no packet: its place in the ring is claimed, then it is written there. False: there is none, so it
 * has to be a packet; nothing of the caller's may come between. Any thread. */
bool net_am_claim(struct net_am_domain *d, int to, size_t bytes, struct net_place *at);
/* `bytes` of header and what follows, the same. */
void net_am_fill(struct net_am_domain *d, const struct net_place *at, const struct net_am *am, size_t bytes);

/* For the poll of memory (shm.c). */
enum net_result net_am_take(const struct line *l);
/* For the poll, in a thread that may call MPI: what domains have to do with MPI. True if anything happened. */
bool net_am_poll(void);

/* ---- by MPI (am_mpi.c) ---- */

/* Messages and bulk transfers that MPI has in hand, of all domains; relaxed: a hint of how to wait. */
extern _Atomic long net_am_in_hand;
void net_am_mpi_send(struct net_packet *p);
bool net_am_mpi_poll(struct net_am_domain *d);
/* Something of it is under way. */
bool net_am_mpi_busy(struct net_am_domain *d);
/* Slots for receives: false without memory. */
bool net_am_mpi_prepare(struct net_am_domain *d);
/* Its domain goes. */
void net_am_mpi_end(struct net_am_domain *d);
/* Carry out a message. */
enum net_result net_am_carry_out(const struct net_am *am, int source);

/* ---- bulk (bulk_mpi.c): large contiguous data, straight from memory to memory by MPI ---- */

/* One transfer that this process takes part in. */
struct net_bulk {
    struct net_bulk *next;
    struct net_am_domain *domain;
    MPI_Request mpi;
    bool sends, started;
    int peer, tag; /* process of the domain; net_bulk_tag */
    char *data;
    size_t bytes; /* at most NET_BULK_MAX */
    /* It is over, rc is an error class. In a poll, no lock but that of polling is held; b is the callee's now. */
    void (*done)(struct net_bulk *b, int rc);
};

/* Any thread: the next poll starts it. */
void net_bulk_add(struct net_am_domain *d, struct net_bulk *b);
/* For the poll: start and test. True if any ended. */
bool net_bulk_poll(struct net_am_domain *d);
/* A number that no other transfer begun by this process has until it is freed; -1: all are in use. */
int net_bulk_number(struct net_am_domain *d);
void net_bulk_number_free(struct net_am_domain *d, int number);

/* MPI's tag for the transfer with that number: of data that the process which chose the number puts, or gets. */
static inline uint16_t net_bulk_tag(int number, bool put)
{
    return (uint16_t)(1 + 2 * number + put);
}

static inline int net_bulk_tag_number(int tag)
{
    return (tag - 1) / 2;
}

#endif
