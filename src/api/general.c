/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized requests (MPI 12.2). */
#include "api/check.h"

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
