/* SPDX-License-Identifier: BSD-3-Clause */
/* Completing requests: the wait and test family (MPI 3.7.3, 3.7.5), for handles that are checked
 * already. */
#ifndef EP_P2P_COMPLETE_H
#define EP_P2P_COMPLETE_H

#include "p2p/recv.h"
#include "p2p/send.h"

/* Block until everything that was started on view is complete. */
void p2p_drain(ep_comm view);

/* Wait for one request. Out of line: it is not done. */
void p2p_wait_slow(ep_request r);
static inline void p2p_wait(ep_request r)
{
    if (!request_is_done(r))
        p2p_wait_slow(r);
}
/* p2p_wait for an active one of an endpoint, and at once p2p_finish, where that has nothing more to do than p2p_finish_plain.
 * False: that is left to do. */
bool p2p_wait_plain(ep_request *handle, ep_status *status);
/* Make progress for it and look. */
bool p2p_test(ep_request r);

/* Wait until one of n is done; its index, or MPI_UNDEFINED if none is active. */
int p2p_wait_any(int n, ep_request r[]);
/* Make progress for all of them. */
void p2p_progress(int n, ep_request r[]);

/* A done request: give the status, let a persistent one rest, release the others and set the handle to
 * null. Returns its error, with the message noted under `call`. No lock is held. */
int p2p_finish(ep_request *r, ep_status *status, const char *call);

/* The same in short for the first of n that are done, succeeded, and are ordinary sends and receives of one endpoint, or are
 * complete from the start; statuses may be null, else their MPI_ERROR is set if with_error. How many. */
int p2p_finish_plain(int n, ep_request r[], ep_status statuses[], bool with_error);

/* What the program does not have to do when it is told of the end of a collective request, as it does not know of it (Fortran's copies
 * of arrays). It is run once, by whoever tells it, with the endpoint's lock. */
struct request_then {
    struct request_then *next;
    ep_request request;
    void (*run)(struct request_then *then);
};
/* Before the program has the request. It is run at once if r is no collective one, which is complete then, or null. */
void p2p_then(ep_request r, struct request_then *then);

/* Status of a done request without touching it. */
int p2p_peek(ep_request r, ep_status *status, const char *call);

/* ep_request_free, ep_cancel. What a callback of a generalized request returned, noted under call, else
 * success. */
int p2p_request_free(ep_request r, const char *call);
int p2p_cancel(ep_request r, const char *call);

/* Generalized requests (general.c). NULL without memory. */
ep_request general_new(ep_grequest_query_function *query, ep_grequest_free_function *free_fn,
                       ep_grequest_cancel_function *cancel, void *extra);
void general_complete(ep_request r);
int general_query(ep_request r, ep_status *status);
int general_free(ep_request r);

/* Persistent requests (persistent.c): make one (NULL without memory), start it (an error class). */
ep_request persistent_send(const struct send *s);
ep_request persistent_recv(const struct recv *v);
int p2p_start(ep_request r);
/* It is complete: let it rest until the next start. */
void request_rest(ep_request r);

#endif
