/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of one request, or any of several (MPI 3.7.3, 3.7.4, 3.7.5). */
#include "api/check.h"
#include "api/finish.h"

int finish_one(ep_request *r, ep_status *status, const char *call)
{
    if (likely(p2p_finish_plain(1, r, status, false) == 1))
        return MPI_SUCCESS;
    ep_comm view = request_view(*r);
    int rc = p2p_finish(r, status, call);
    return likely(rc == MPI_SUCCESS) ? rc : handle_error(view, rc);
}

static inline int check_one(ep_request *request, const char *call)
{
    struct where w = {NULL, call};
    int rc = check_pointer(w, request, "request");
    return rc ? rc : check_request(w, *request);
}

int ep_wait(ep_request *request, ep_status *status)
{
    int rc = check_one(request, "ep_wait");
    if (unlikely(rc))
        return rc;
    if (request_is_active(*request))
        p2p_wait(*request);
    return finish_one(request, status, "ep_wait");
}

int ep_test(ep_request *request, int *flag, ep_status *status)
{
    int rc = check_one(request, "ep_test");
    if (unlikely(rc) || (rc = check_pointer((struct where){NULL, "ep_test"}, flag, "flag")))
        return rc;
    *flag = !request_is_active(*request) || p2p_test(*request);
    return *flag ? finish_one(request, status, "ep_test") : MPI_SUCCESS;
}

int ep_request_get_status(ep_request request, int *flag, ep_status *status)
{
    struct where w = {NULL, "ep_request_get_status"};
    int rc = check_request(w, request);
    if (rc || (rc = check_pointer(w, flag, "flag")))
        return rc;
    *flag = !request_is_active(request) || p2p_test(request);
    if (!*flag || !(rc = p2p_peek(request, status, w.call)))
        return MPI_SUCCESS;
    return handle_error(NULL, rc);
}

/* A request that may be freed or cancelled. */
static int check_removable(ep_request *request, const char *call)
{
    struct where w = {NULL, call};
    int rc = check_one(request, call);
    if (rc)
        return rc;
    if (!*request)
        return raise_error(w, MPI_ERR_REQUEST, "argument request is EP_REQUEST_NULL");
    uint8_t kind = (*request)->kind;
    if (kind != REQUEST_COLLECTIVE && kind != REQUEST_ONE_SIDED)
        return MPI_SUCCESS;
    w.view = request_view(*request);
    return raise_error(w, MPI_ERR_REQUEST, "argument request is of %s, %s: it can only be completed",
                       (*request)->call,
                       kind == REQUEST_COLLECTIVE ? "a collective call" : "one-sided communication");
}

int ep_request_free(ep_request *request)
{
    struct where w = {NULL, "ep_request_free"};
    int rc = check_removable(request, w.call);
    if (rc)
        return rc;
    w.view = request_view(*request);
    if (load_relaxed(&(*request)->word) & WAITED)
        return raise_error(w, MPI_ERR_REQUEST,
                           "argument request is of %s, and a task waits for it or has left it to ep_iwait",
                           (*request)->call);
    rc = p2p_request_free(*request, "ep_request_free");
    *request = EP_REQUEST_NULL;
    return rc ? handle_error(NULL, rc) : MPI_SUCCESS;
}

int ep_cancel(ep_request *request)
{
    int rc = check_removable(request, "ep_cancel");
    if (rc)
        return rc;
    rc = p2p_cancel(*request, "ep_cancel");
    return rc ? handle_error(NULL, rc) : MPI_SUCCESS;
}

int ep_waitany(int count, ep_request requests[], int *index, ep_status *status)
{
    struct where w = {NULL, "ep_waitany"};
    int rc = check_requests(w, count, requests);
    if (rc || (rc = check_pointer(w, index, "index")))
        return rc;
    *index = p2p_wait_any(count, requests);
    if (*index != MPI_UNDEFINED)
        return finish_one(&requests[*index], status, w.call);
    status_empty(status);
    return MPI_SUCCESS;
}

/* The first active request that is done; MPI_UNDEFINED if none is active; -1 if none is done. */
static int first_done(int count, ep_request requests[])
{
    int result = MPI_UNDEFINED;
    for (int i = 0; i < count; i++) {
        if (!request_is_active(requests[i]))
            continue;
        if (request_is_done(requests[i]))
            return i;
        result = -1;
    }
    return result;
}

int ep_testany(int count, ep_request requests[], int *index, int *flag, ep_status *status)
{
    struct where w = {NULL, "ep_testany"};
    int rc = check_requests(w, count, requests);
    if (rc || (rc = check_pointer(w, index, "index")) || (rc = check_pointer(w, flag, "flag")))
        return rc;
    int i = first_done(count, requests);
    if (i == -1) {
        p2p_progress(count, requests);
        i = first_done(count, requests);
    }
    *flag = i != -1;
    *index = i == -1 ? MPI_UNDEFINED : i;
    if (i >= 0)
        return finish_one(&requests[i], status, w.call);
    if (*flag)
        status_empty(status);
    return MPI_SUCCESS;
}
