/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EP_TRACE=file.json: what the endpoints did, as a picture (docs/trace.md).
 *
 * Calls are recorded by their entries (src/api/traced.h), ends of receives and lengths of queues here in p2p. Each endpoint has a
 * recorder with a ring of events; of too many the oldest are gone, and counted. A recorder belongs to a rank of the process, and
 * later endpoints of the same rank go on with it, so memory does not grow. It is never freed, so whoever has one needs
 * nothing else of the endpoint, which may be gone.
 *
 * Flow ids. Nothing travels with a message. Sender and receiver both number the messages of a communicator from one endpoint to
 * another with one tag: MPI keeps their order on the way, wildcards or not, and a receive with a wildcard takes the first of
 * those of one tag, too. The receiver does it when it takes a message out of the inbox: that is before matching, so probes
 * that take messages out of turn, and sends that were cancelled and are dropped there, change no number. Both make the flow id
 * as a hash of all this.
 *
 *   all fields of a recorder but rank and next: under its lock, which is taken under any other and takes none
 *   list of recorders: added to under a lock (release), read without (acquire)
 */
#ifndef EP_OBSERVE_TRACE_H
#define EP_OBSERVE_TRACE_H

#include "p2p/p2p.h"

#define TRACE_NONE UINT64_MAX
#define TRACE_SLOW __attribute__((cold))

/* A call that has a name in the picture: "send"; what its peer is, "" if it has none; does it have a tag? Made by
 * tools/trace_calls.py. */
struct trace_name {
    const char *name, *peer;
    bool tagged;
};
extern const struct trace_name trace_names[];
extern const int trace_names_n;

enum event_kind { EVENT_CALL, EVENT_SENT, EVENT_RECEIVED, EVENT_UNEXPECTED };

struct event {
    uint64_t begin; /* ns; of all but calls the only time */
    union {
        uint64_t end;
        uint64_t flow; /* id of a message */
    };
    uint64_t comm;  /* comm->context, or TRACE_NONE */
    uint64_t bytes; /* or TRACE_NONE; messages in the queue */
    int peer, tag;
    uint32_t who; /* flow of control */
    uint16_t call;
    uint8_t kind;
};

/* How many messages so far: of one key. */
struct tally {
    uint64_t key; /* 0: vacant */
    uint64_t n;
};

struct recorder {
    struct recorder *next;
    int rank; /* where its endpoints were made; < 0: of calls by threads that are no endpoint's */
    struct lock lock;
    struct event *ring;
    uint64_t n, room; /* ever recorded; in the ring */
    uint64_t lost;    /* for want of memory */
    struct tally *tallies;
    uint64_t keys, slots;
    uint64_t nameless; /* messages that got no number for want of room */
};

/* Which thread or task calls. */
uint32_t trace_who(void);

/* The recorder of a rank, made if there is none. NULL without memory. */
struct recorder *trace_recorder(int rank);
struct recorder *trace_first(void);
void trace_record(struct recorder *r, const struct event *e);

/* ---- messages ---- */

/* The next message from view with a user's tag; view's own rank is the source. 0 if it gets no name. */
uint64_t trace_number_sent(struct recorder *r, const struct ep_comm_s *view, int dest, int tag);
/* It was not sent after all. */
void trace_not_sent(struct recorder *r, const struct ep_comm_s *view, int dest, int tag);

/* ---- hooks (comm/hooks.h) ---- */

TRACE_SLOW void trace_opened(struct endpoint *endpoint);
TRACE_SLOW void trace_arrived(uint64_t *flow, const struct header *h);
TRACE_SLOW void trace_received(ep_request r);
TRACE_SLOW void trace_unexpected(struct endpoint *endpoint);
TRACE_SLOW void trace_cancelled(void);

/* ---- the end ---- */

/* With the setting in one of the processes at least endpoints were made on parent, which has all processes or not:
 * collective over it. */
void trace_begin(MPI_Comm parent, bool all);

/* This process's clock minus that of process 0, at two times of its own; between them it is taken to change evenly. */
struct skew {
    uint64_t at[2];
    double offset[2];
};
uint64_t trace_common_time(const struct skew *s, uint64_t own);

/* Where text goes, in large pieces. */
struct sink {
    void (*put)(struct sink *s, const char *text, size_t bytes);
    size_t n;
    char text[64 << 10];
};
/* Totals of a process, for the end of the file. */
struct trace_totals {
    uint64_t events, dropped, nameless, cancelled;
};

/* When this process was loaded. */
uint64_t trace_origin(void);
const char *trace_path(void);
/* The parts of a file. origin: time 0, by process 0's clock. */
void trace_write_head(struct sink *s);
void trace_write_process(struct sink *s, const struct skew *skew, uint64_t origin, struct trace_totals *t);
void trace_write_tail(struct sink *s, const struct trace_totals *t, int processes);
void sink_flush(struct sink *s);

#endif
