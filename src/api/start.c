/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that the program starts: persistent ones (MPI 3.9) and generalized ones (MPI 12.2). */
#include "api/check.h"

static int start_start(struct where w, ep_request r, int index)
{
    if (!r || r->life != LIFE_PERSISTENT)
        return raise_error(w, MPI_ERR_REQUEST, "request %d is %s", index,
                           r ? "not persistent" : "EP_REQUEST_NULL");
    w.view = request_view(r);
    if (r->active)
        return raise_error(w, MPI_ERR_REQUEST, "request %d is active already", index);
    int rc = p2p_start(r);
    if (rc == MPI_ERR_BUFFER)
        return raise_error(
            w, rc,
            "request %d: %zu bytes for endpoint %d (tag %d) and EP_BSEND_OVERHEAD do not fit into the "
            "attached buffer, or none is attached",
            index, request_bytes(r), r->peer, r->tag);
    return rc == MPI_SUCCESS
               ? rc
               : raise_error(w, rc, "request %d (%zu bytes for endpoint %d, tag %d) could not be started",
                             index, request_bytes(r), r->peer, r->tag);
}

int ep_start(ep_request *request)
{
    struct where w = {NULL, "ep_start"};
    int rc = check_pointer(w, request, "request");
    if (rc || (rc = check_request(w, *request)))
        return rc;
    return start_start(w, *request, 0);
}

int ep_startall(int count, ep_request requests[])
{
    struct where w = {NULL, "ep_startall"};
    int rc = check_requests(w, count, requests);
    for (int i = 0; i < count && rc == MPI_SUCCESS; i++)
        rc = start_start(w, requests[i], i);
    return rc;
}

/* ---- generalized requests ---- */

int ep_grequest_start(ep_grequest_query_function *query_fn, ep_grequest_free_function *free_fn,
                      ep_grequest_cancel_function *cancel_fn, void *extra_state, ep_request *request)
{
    struct where w = {NULL, "ep_grequest_start"};
    int rc = check_pointer(w, request, "request");
    if (rc || (rc = check_pointer(w, (const void *)(uintptr_t)query_fn, "query_fn")) ||
        (rc = check_pointer(w, (const void *)(uintptr_t)free_fn, "free_fn")) ||
        (rc = check_pointer(w, (const void *)(uintptr_t)cancel_fn, "cancel_fn")))
        return rc;
    if (!process_mpi_runs())
        return raise_not_running(w);
    *request = general_new(query_fn, free_fn, cancel_fn, extra_state);
    return *request ? MPI_SUCCESS : raise_error(w, MPI_ERR_NO_MEM, "no memory for a request");
}

int ep_grequest_complete(ep_request request)
{
    struct where w = {NULL, "ep_grequest_complete"};
    int rc = check_request(w, request);
    if (rc)
        return rc;
    if (!request || request->kind != REQUEST_GENERAL || request_is_done(request))
        return raise_error(w, MPI_ERR_REQUEST, "argument request is not a pending generalized request");
    general_complete(request);
    return MPI_SUCCESS;
}
