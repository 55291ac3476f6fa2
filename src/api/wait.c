/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of one request, any, some or all of several (MPI 3.7.3 to 3.7.5). */
#include <stdio.h>

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
    if (request_is_active(*request) && likely((*request)->endpoint != NULL) &&
        likely(p2p_wait_plain(request, status)))
        return MPI_SUCCESS;
    return finish_one(request, status, "ep_wait");
}

static int test_one(ep_request *request, int *flag, ep_status *status, const char *call)
{
    *flag = !request_is_active(*request) || p2p_test(*request);
    return *flag ? finish_one(request, status, call) : MPI_SUCCESS;
}

static int peek_one(ep_request request, int *flag, ep_status *status, const char *call)
{
    *flag = !request_is_active(request) || p2p_test(request);
    int rc = *flag ? p2p_peek(request, status, call) : MPI_SUCCESS;
    return rc ? handle_error(NULL, rc) : MPI_SUCCESS;
}

/* A request that may be freed or cancelled. */
static int check_removable(struct where w, ep_request request)
{
    if (!request)
        return raise_error(w, MPI_ERR_REQUEST, "argument request is EP_REQUEST_NULL");
    uint8_t kind = request->kind;
    if (kind != REQUEST_COLLECTIVE && kind != REQUEST_ONE_SIDED)
        return MPI_SUCCESS;
    w.view = request_view(request);
    return raise_error(w, MPI_ERR_REQUEST, "argument request is of %s, %s: it can only be completed",
                       request->call,
                       kind == REQUEST_COLLECTIVE ? "a collective call" : "one-sided communication");
}

static int free_request(struct where w, ep_request *request)
{
    w.view = request_view(*request);
    if (load_relaxed(&(*request)->word) & WAITED)
        return raise_error(w, MPI_ERR_REQUEST,
                           "argument request is of %s, and a task waits for it or has left it to ep_iwait",
                           (*request)->call);
    int rc = p2p_request_free(*request, w.call);
    *request = EP_REQUEST_NULL;
    return rc ? handle_error(NULL, rc) : MPI_SUCCESS;
}

static int cancel_request(ep_request request, const char *call)
{
    int rc = p2p_cancel(request, call);
    return rc ? handle_error(NULL, rc) : MPI_SUCCESS;
}

/* ---- any of several ---- */

static int wait_any(int count, ep_request requests[], int *index, ep_status *status, const char *call)
{
    *index = p2p_wait_any(count, requests);
    if (*index != MPI_UNDEFINED)
        return finish_one(&requests[*index], status, call);
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

static int test_any(int count, ep_request requests[], int *index, int *flag, ep_status *status,
                    const char *call)
{
    int i = first_done(count, requests);
    if (i == -1) {
        p2p_progress(count, requests);
        i = first_done(count, requests);
    }
    *flag = i != -1;
    *index = i == -1 ? MPI_UNDEFINED : i;
    if (i >= 0)
        return finish_one(&requests[i], status, call);
    if (*flag)
        status_empty(status);
    return MPI_SUCCESS;
}

/* ---- all or some ---- */

static ep_status *wait_many_at(ep_status statuses[], int i)
{
    return statuses ? &statuses[i] : EP_STATUS_IGNORE;
}

/* Requests that failed: how many, and the first one's story. */
struct failures {
    int n, first;
    ep_comm view;
    char why[MPI_MAX_ERROR_STRING];
};

/* Finish requests[i], whose status is statuses[n]; what went wrong is kept. */
static void wait_many_finish(struct failures *f, const char *call, ep_request requests[], int i,
                             ep_status statuses[], int n)
{
    ep_comm view = request_view(requests[i]);
    int rc = p2p_finish(&requests[i], wait_many_at(statuses, n), call);
    if (statuses)
        statuses[n].MPI_ERROR = rc; /* also where none fails: other MPI libraries do, and programs look */
    if (likely(rc == MPI_SUCCESS) || f->n++ > 0)
        return;
    const char *why = error_message(rc);
    f->first = i;
    f->view = view;
    snprintf(f->why, sizeof f->why, "%s", why ? why : "");
}

/* Errors of single requests are in their statuses; the call as a whole says so. */
static int in_status(const char *call, const struct failures *f)
{
    if (likely(f->n == 0))
        return MPI_SUCCESS;
    return raise_error((struct where){f->view, call}, MPI_ERR_IN_STATUS, "%d failed, first requests[%d]: %s",
                       f->n, f->first, f->why);
}

int finish_all(const char *call, int count, ep_request requests[], ep_status statuses[])
{
    struct failures f;
    f.n = 0;
    for (int i = 0; i < count; i++) {
        i += p2p_finish_plain(count - i, requests + i, wait_many_at(statuses, i), true);
        if (i < count)
            wait_many_finish(&f, call, requests, i, statuses, i);
    }
    return in_status(call, &f);
}

static inline int wait_many_all(int count, ep_request requests[], ep_status statuses[], const char *call)
{
    for (int i = 0; i < count; i++)
        if (request_is_active(requests[i]))
            p2p_wait(requests[i]);
    return finish_all(call, count, requests, statuses);
}

static bool wait_many_all_done(int count, ep_request requests[])
{
    for (int i = 0; i < count; i++)
        if (request_is_active(requests[i]) && !request_is_done(requests[i]))
            return false;
    return true;
}

static int test_all(int count, ep_request requests[], int *flag, ep_status statuses[], const char *call)
{
    *flag = wait_many_all_done(count, requests);
    if (!*flag) {
        p2p_progress(count, requests);
        *flag = wait_many_all_done(count, requests);
    }
    return *flag ? finish_all(call, count, requests, statuses) : MPI_SUCCESS;
}

/* Finish those that are done; *outcount is MPI_UNDEFINED if none is active. */
static int finish_some(const char *call, int count, ep_request requests[], int *outcount, int indices[],
                       ep_status statuses[])
{
    struct failures f;
    int n = 0;
    bool active = false;
    f.n = 0;
    for (int i = 0; i < count; i++) {
        if (!request_is_active(requests[i]))
            continue;
        active = true;
        if (!request_is_done(requests[i]))
            continue;
        wait_many_finish(&f, call, requests, i, statuses, n);
        indices[n++] = i;
    }
    *outcount = active ? n : MPI_UNDEFINED;
    return in_status(call, &f);
}

#include "api/wait.inc"
