/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generalized requests (MPI 12.2). They belong to no endpoint: their endpoint is the general one. The
 * callbacks are the user's, so they are called without any lock held.
 */
#include "comm/comm.h"
#include "p2p/complete.h"
#include "p2p/endpoint.h"

ep_request general_new(ep_grequest_query_function *query, ep_grequest_free_function *free_fn,
                       ep_grequest_cancel_function *cancel, void *extra)
{
    struct endpoint *endpoint = endpoint_general();
    if (!endpoint)
        return NULL;
    endpoint_lock(endpoint);
    ep_request r = request_new(endpoint, REQUEST_GENERAL);
    endpoint_unlock(endpoint);
    if (r) {
        r->call = "ep_grequest_start";
        struct request_general *g = request_to_general(r);
        g->query = query;
        g->free = free_fn;
        g->cancel = cancel;
        g->extra = extra;
    }
    return r;
}

int general_query(ep_request r, ep_status *status)
{
    ep_status mine;
    int rc;
    status_empty(&mine);
    rc = request_to_general(r)->query(request_to_general(r)->extra, &mine);
    if (status) {
        mine.MPI_ERROR = status->MPI_ERROR;
        *status = mine;
    }
    return rc;
}

/* The object goes back after the user's free function has run. */
static int general_bury(ep_request r)
{
    struct endpoint *endpoint = r->endpoint;
    int rc = request_to_general(r)->free(request_to_general(r)->extra);
    handle_end_use(&r->fortran);
    store_relaxed(&r->magic, REQUEST_FREED);
    pool_put_remote(&endpoint->requests[REQUEST_GENERAL], r);
    return rc;
}

int general_free(ep_request r)
{
    return and_acq_rel(&r->word, ~(uint32_t)USER) & DONE ? general_bury(r) : MPI_SUCCESS;
}

void general_complete(ep_request r)
{
    struct endpoint *endpoint = r->endpoint;
    uint32_t old = or_acq_rel(&r->word, DONE);
    request_tell(r, old);
    if (!(old & USER))
        general_bury(r);
    evcount_notify(&endpoint->evcount);
}
