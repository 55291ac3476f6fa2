/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of all or some of several requests (MPI 3.7.5). */
#include "api/check.h"

static ep_status *at(ep_status statuses[], int i)
{
    return statuses ? &statuses[i] : EP_STATUS_IGNORE;
}

/* Errors of single requests are in their statuses; the call as a whole says so. */
static int in_status(const char *call, ep_comm view, int failures, int first, int error)
{
    if (likely(failures == 0))
        return MPI_SUCCESS;
    char text[MPI_MAX_ERROR_STRING];
    const char *why = error_message(error);
    for (size_t i = 0; i < sizeof text && (text[i] = why ? why[i] : '\0'); i++)
        continue;
    text[sizeof text - 1] = '\0';
    return raise_error((struct where){view, call}, MPI_ERR_IN_STATUS, "%d requests failed; requests[%d]: %s",
                       failures, first, text);
}

/* Finish all of them, in order. */
static int finish_all(const char *call, int count, ep_request requests[], ep_status statuses[])
{
    int failures = 0, first = 0, error = MPI_SUCCESS;
    ep_comm view = NULL;
    for (int i = 0; i < count; i++) {
        ep_comm v = request_view(requests[i]);
        int rc = p2p_finish(&requests[i], at(statuses, i), call);
        if (likely(rc == MPI_SUCCESS))
            continue;
        if (failures++ == 0) {
            view = v;
            first = i;
            error = rc;
        }
    }
    return in_status(call, view, failures, first, error);
}

int ep_waitall(int count, ep_request requests[], ep_status statuses[])
{
    int rc = check_requests((struct where){NULL, "ep_waitall"}, count, requests);
    if (unlikely(rc))
        return rc;
    for (int i = 0; i < count; i++)
        if (request_is_active(requests[i]))
            p2p_wait(requests[i]);
    return finish_all("ep_waitall", count, requests, statuses);
}

static bool all_done(int count, ep_request requests[])
{
    for (int i = 0; i < count; i++)
        if (request_is_active(requests[i]) && !request_is_done(requests[i]))
            return false;
    return true;
}

int ep_testall(int count, ep_request requests[], int *flag, ep_status statuses[])
{
    struct where w = {NULL, "ep_testall"};
    int rc = check_requests(w, count, requests);
    if (rc || (rc = check_pointer(w, flag, "flag")))
        return rc;
    *flag = all_done(count, requests);
    if (!*flag) {
        p2p_progress(count, requests);
        *flag = all_done(count, requests);
    }
    return *flag ? finish_all(w.call, count, requests, statuses) : MPI_SUCCESS;
}

/* Finish those that are done; *outcount is MPI_UNDEFINED if none is active. */
static int finish_some(const char *call, int count, ep_request requests[], int *outcount, int indices[],
                       ep_status statuses[])
{
    int failures = 0, first = 0, error = MPI_SUCCESS, n = 0;
    bool active = false;
    ep_comm view = NULL;
    for (int i = 0; i < count; i++) {
        if (!request_is_active(requests[i]))
            continue;
        active = true;
        if (!request_is_done(requests[i]))
            continue;
        ep_comm v = request_view(requests[i]);
        int rc = p2p_finish(&requests[i], at(statuses, n), call);
        indices[n++] = i;
        if (rc != MPI_SUCCESS && failures++ == 0) {
            view = v;
            first = i;
            error = rc;
        }
    }
    *outcount = active ? n : MPI_UNDEFINED;
    return in_status(call, view, failures, first, error);
}

static int check_some(struct where w, int count, ep_request requests[], int *outcount, int indices[])
{
    int rc = check_requests(w, count, requests);
    if (rc || (rc = check_pointer(w, outcount, "outcount")))
        return rc;
    return count > 0 ? check_pointer(w, indices, "indices") : MPI_SUCCESS;
}

int ep_waitsome(int incount, ep_request requests[], int *outcount, int indices[], ep_status statuses[])
{
    int rc = check_some((struct where){NULL, "ep_waitsome"}, incount, requests, outcount, indices);
    if (rc)
        return rc;
    p2p_wait_any(incount, requests);
    return finish_some("ep_waitsome", incount, requests, outcount, indices, statuses);
}

int ep_testsome(int incount, ep_request requests[], int *outcount, int indices[], ep_status statuses[])
{
    int rc = check_some((struct where){NULL, "ep_testsome"}, incount, requests, outcount, indices);
    if (rc)
        return rc;
    p2p_progress(incount, requests);
    return finish_some("ep_testsome", incount, requests, outcount, indices, statuses);
}
