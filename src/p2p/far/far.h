/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Between processes. To those of the same machine that are peers messages go through memory (shm.h), to all
 * others as MPI messages with composite tags on the communicator's private lanes.
 *
 * Arrivals: a thread that holds the poll lock probes with MPI_Improbe and pushes the MPI_Message into the
 * inbox of its endpoint before it releases the lock, or gives it past an empty inbox to what waits there, if it holds that
 * endpoint's lock (far_hand_over): probing and pushing are one step, so two threads cannot swap two messages of one sender. Matched messages are received with MPI_Imrecv into the user's
 * buffer.
 *
 * MPI requests that are not complete at once are queued (queue: any thread pushes, release; the poll lock's
 * holder takes all, acquire) and then tested by whoever polls, a window at a time, so that a poll does not
 * cost O(outstanding). With MPI_THREAD_FUNNELED all communication goes through this queue and the main
 * thread.
 */
#ifndef EP_P2P_FAR_H
#define EP_P2P_FAR_H

#include <stdio.h>

#include "p2p/request.h"

/* A communicator is about to be made: messages for it may come. Before this process agrees to it; then far_open or far_give_up
 * follows. */
void far_prepare(struct comm *c);
void far_give_up(struct comm *c);
/* Begin and stop probing a communicator (with more than one process), and receiving what comes through memory. */
void far_open(struct comm *c);
void far_close(struct comm *c);

/* Is there anything to poll for? */
bool far_active(void);

/* Does MPI have operations in hand that go on only while this process calls it: its own, or, as there are windows of
 * MPI, those of others on its memory? */
bool far_in_hand(void);
/* This process has so many windows of MPI more, or fewer. Returns how many it had. */
long far_count_windows(long change);
/* So many collective operations more, or fewer, have calls of MPI under way. */
void far_count_collectives(long change);

/* How often this process has looked; it wraps. */
unsigned far_polls(void);

/* A caller of far_poll who holds the lock of an endpoint: messages for that endpoint, if its inbox is empty, need not go through it. */
struct far_receiver {
    struct endpoint *endpoint;
    /* False: it has to go there. What a says is to be read now. */
    bool (*take)(struct endpoint *endpoint, const struct header *h, const struct net_arrival *a, void *arg);
    void *arg;
};

/* Look for arrivals and completions, unless another thread is at it. Of MPI's messages it takes one, or with greedy
 * several while they keep coming. here: may be NULL. True if anything
 * happened. */
bool far_poll(const struct far_receiver *here, bool greedy);

/* process_occupy and process_vacate, if one thread at a time may call MPI. In between those who poll leave MPI alone, and look at
 * what comes through memory. */
void far_occupy(void);
void far_vacate(void);

/* To the thread that polls, past its own inbox: all that was sent before, by whoever, has been taken out of that, and its endpoint's
 * lock is held. Not what takes long, as the poll lock is held, too. NET_AGAIN: it has to go into the inbox. */
enum net_result far_hand_over(struct endpoint *to, const struct header *h, const struct net_arrival *a);

/* Start the send s (data, peer, tag, mode set). It completes now or in a later poll. */
void far_send(struct request_send *s, struct net_route to);

/* Start a standard send by MPI without a request object. False: this thread may not, use far_send. *left is what
 * is left to wait for (MPI_REQUEST_NULL: nothing), for far_adopt; *rc an error class. */
bool far_send_now(ep_comm view, const struct net_route *to, const struct span *data, int tag,
                  MPI_Request *left, int *rc);
/* Without memory for a request: make progress until it is done. An error class. */
int far_await(MPI_Request left);
/* s stands for the send or the receive that left belongs to, or as a REQUEST_ONE_SIDED for any operation of MPI. */
void far_adopt(ep_request s, MPI_Request left);

/* Something else to be done with MPI, which may block there: by this thread, or with FUNNELED by the main
 * thread in its next poll. Notifies endpoint when it is done. */
struct far_call {
    void (*run)(void *arg);
    void *arg;
    struct endpoint *endpoint;
    bool
        detached; /* nobody waits: run outside of the lock around MPI, gone when run returns; endpoint and done are not used */
    _Atomic bool done; /* release run_call, acquire creation_run and creation_step (by pointer) */
    struct far_call *next;
};
void far_call(struct far_call *f);

/* Ask MPI to cancel a send. It completes, cancelled or not. */
void far_cancel(struct request_send *s);

/* For the watchdog: since when the end of MPI waits for messages to arrive (clock_ms), or 0; and for whom. */
long shm_ends_since(void);
void shm_end_print(FILE *f, const char *head);

#endif
