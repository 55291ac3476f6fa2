/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks and events that end with requests. */
#include <crt.h>
#include <stdlib.h>
#include <string.h>

#include "api/check.h"
#include "api/finish.h"

void omp_fulfill_event(uintptr_t event); /* crt's */

/* What was asked for, until the requests have ended. */
struct iwait {
    const char *call;
    crt_task_t task; /* to be released, or NULL: */
    uintptr_t event; /* to be fulfilled */
    bool several;    /* statuses say which failed */
    int n;
    ep_request *requests; /* copies of the handles, in the same memory as this */
    ep_status *statuses;
    struct later later;
};

static int iwait_settle(struct iwait *x)
{
    if (x->several)
        return finish_all(x->call, x->n, x->requests, x->statuses);
    int rc = finish_one(x->requests, x->statuses, x->call);
    if (x->statuses)
        x->statuses->MPI_ERROR = rc;
    return rc;
}

/* The call has returned long since: an error is for the handler and the statuses. */
static void iwait_run(struct later *l)
{
    struct iwait *x = container_of(l, struct iwait, later);
    iwait_settle(x);
    if (x->task)
        crt_release(x->task);
    else
        omp_fulfill_event(x->event);
    free(x);
}

/* The requests are the library's now. */
static struct iwait *iwait_take(struct iwait as, int n, ep_request requests[])
{
    struct iwait *x = malloc(sizeof *x + (size_t)n * (sizeof(struct later_part) + sizeof(ep_request)));
    if (!x)
        return NULL;
    *x = as;
    x->n = n;
    x->later.run = iwait_run;
    x->later.part = (struct later_part *)(void *)(x + 1);
    x->requests = (ep_request *)(void *)(x->later.part + n);
    for (int i = 0; i < n; i++) {
        x->requests[i] = requests[i];
        if (requests[i] && requests[i]->life != LIFE_PERSISTENT)
            requests[i] = EP_REQUEST_NULL;
    }
    return x;
}

static bool iwait_all_done(int n, ep_request requests[])
{
    for (int i = 0; i < n; i++)
        if (request_is_active(requests[i]) && !request_is_done(requests[i]))
            return false;
    return true;
}

/* Wait here: nobody else can, or need. */
static int wait_now(struct iwait as, int n, ep_request requests[])
{
    for (int i = 0; i < n; i++)
        if (request_is_active(requests[i]))
            p2p_wait(requests[i]);
    as.n = n;
    as.requests = requests;
    return iwait_settle(&as);
}

/* Have them seen to later, and let go of as.task then. */
static int wait_later(struct iwait as, int n, ep_request requests[])
{
    struct iwait *x = iwait_take(as, n, requests);
    if (!x) {
        int rc = wait_now(as, n, requests);
        if (as.task)
            crt_release(as.task);
        else
            omp_fulfill_event(as.event);
        return rc;
    }
    if (later_when(&x->later, n, x->requests))
        iwait_run(&x->later);
    return MPI_SUCCESS;
}

static int wait_in_task(struct iwait as, int n, ep_request requests[])
{
    if (iwait_all_done(n, requests) || !(as.task = crt_bind()))
        return wait_now(as, n, requests);
    return wait_later(as, n, requests);
}

static int wait_event(struct where w, ep_request *request, ep_status *status, uintptr_t event)
{
    if (event == 0) {
        w.view = *request ? request_view(*request) : NULL; /* it belongs to the request's communicator */
        return raise_error(w, MPI_ERR_ARG, "argument event is 0: no event");
    }
    if (!caller_suspends())
        async_need(); /* all threads may be about to sleep in the OpenMP library until the event comes */
    return wait_later((struct iwait){.call = w.call, .statuses = status, .event = event}, 1, request);
}

#include "api/iwait.inc"
