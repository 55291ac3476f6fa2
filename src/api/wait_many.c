/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of all or some of several requests (MPI 3.7.5). */
#include <stdio.h>

#include "api/check.h"
#include "api/finish.h"

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

static bool wait_many_all_done(int count, ep_request requests[])
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
    *flag = wait_many_all_done(count, requests);
    if (!*flag) {
        p2p_progress(count, requests);
        *flag = wait_many_all_done(count, requests);
    }
    return *flag ? finish_all(w.call, count, requests, statuses) : MPI_SUCCESS;
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
