/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entries of calls that EP_TRACE shows, which tools/trace_calls.py makes (trace_calls.c): they record a call's beginning
 * and end, and what it sends. Before the call, since its objects may be gone afterwards.
 *
 * Whose call it is tells its communicator, window, file, message, or the first request that has an endpoint. A call of which nothing
 * tells it (all its requests were complete when they were made, say) is of the endpoint of the thread's last call.
 */
#ifndef EP_API_TRACED_H
#define EP_API_TRACED_H

#include "api/check.h"
#include "observe/observe.h"

#define TRACED __attribute__((cold, noinline))

struct traced {
    int call, peer, tag;
    uint64_t bytes;
    uint64_t comm, begin;
    uint64_t flow; /* of the message that it sends, or 0 */
    struct recorder *recorder;
    const struct ep_comm_s *view;
    bool bound; /* the thread was to an endpoint */
};

void traced_comm(struct traced *t, ep_comm comm);
void traced_win(struct traced *t, ep_win win);
void traced_file(struct traced *t, ep_file file);
void traced_funnel(struct traced *t, ep_funnel funnel);
void traced_message(struct traced *t, ep_message message);
void traced_requests(struct traced *t, int n, const ep_request r[]);
void traced_nobody(struct traced *t);

/* Bytes of count elements, as far as they make sense. */
uint64_t traced_bytes(int count, MPI_Datatype datatype);

/* The call sends a message. */
void traced_sends(struct traced *t, int dest, int tag);
/* It starts persistent requests; and which of them it has started. */
void traced_starts(struct traced *t, int n, const ep_request r[]);
void traced_started(struct traced *t, int n, const ep_request r[]);

void traced_end(struct traced *t, int rc);

#endif
