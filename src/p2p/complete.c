/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/complete.h"

#include <stdlib.h>

#include "p2p/endpoint_views.h"
#include "p2p/far/far.h"
#include "p2p/progress/later.h"
#include "p2p/rndv.h"
#include "p2p/match.h"
#include "p2p/endpoint.h"
#include "p2p/progress/progress.h"
#include "p2p/progress/wait.h"

enum { COMPLETE_PATIENCE = 16, PLAIN_RUN = 64 };

/* What has come already completes most receives: the first look is here. */
static void wait_held(ep_request r)
{
    endpoint_assert_held(r->endpoint);
    if (inbox_ready(&r->endpoint->inbox))
        progress_endpoint(r->endpoint);
    if (!request_is_done(r))
        wait_request(r, true);
}

void p2p_wait_slow(ep_request r)
{
    struct endpoint *endpoint = r->endpoint;
    endpoint_lock(endpoint);
    wait_held(r);
    endpoint_unlock(endpoint);
}

/* Nothing but a status and the object's release is needed. It is done. */
static inline bool complete_is_plain(const struct ep_request_s *r)
{
    return r && r->active && r->kind <= REQUEST_RECV && r->life == LIFE_ONCE && r->out.error == MPI_SUCCESS;
}

bool p2p_wait_plain(ep_request *handle, ep_status *status)
{
    ep_request r = *handle;
    struct endpoint *endpoint = r->endpoint;
    endpoint_lock(endpoint);
    if (!request_is_done(r))
        wait_held(r);
    bool plain = complete_is_plain(r);
    if (likely(plain)) {
        *handle = EP_REQUEST_NULL;
        outcome_status(&r->out, status);
        request_release(r);
    }
    endpoint_unlock(endpoint);
    return plain;
}

/* A program that tests in a loop waits: after a while its sends are buffered as in a wait. */
static void be_patient(ep_request r)
{
    struct request_send *s = r->kind == REQUEST_SEND ? request_lender(r) : NULL;
    if (s && load_relaxed(&s->rndv) != RNDV_NONE && ++s->patience > COMPLETE_PATIENCE) {
        rndv_help(s);
        rndv_buffer(s);
    }
}

void p2p_progress(int n, ep_request r[])
{
    struct endpoint *last = NULL;
    bool any = false;
    for (int i = 0; i < n; i++) {
        if (!request_is_active(r[i]) || request_is_done(r[i]))
            continue;
        struct endpoint *endpoint = r[i]->endpoint;
        if (endpoint != last) {
            endpoint_lock(endpoint);
            progress_once(endpoint);
            endpoint_unlock(endpoint);
            last = endpoint;
        }
        be_patient(r[i]);
        request_assist(r[i]);
        any |= request_is_done(r[i]);
    }
    if (last && !any)
        progress_missed();
    else
        later_run();
}

bool p2p_test(ep_request r)
{
    if (request_is_done(r))
        return true;
    p2p_progress(1, &r);
    return request_is_done(r);
}

/* ---- any of several ---- */

struct complete_set {
    int n, done; /* done: index */
    ep_request *r;
    struct endpoint *endpoint;
};

static bool any_done(struct wait *w)
{
    struct complete_set *s = w->arg;
    for (int i = 0; i < s->n; i++) {
        if (!request_is_active(s->r[i]) || !request_is_done(s->r[i]))
            continue;
        s->done = i;
        return true;
    }
    return false;
}

/* Chunks of sends by rendezvous, and the inboxes of the set's other endpoints. */
static bool any_help(struct wait *w)
{
    struct complete_set *s = w->arg;
    bool any = false;
    for (int i = 0; i < s->n; i++) {
        ep_request r = s->r[i];
        if (!request_is_active(r) || request_is_done(r))
            continue;
        if (r->kind == REQUEST_SEND)
            any |= rndv_help(request_lender(r));
        any |= request_assist(r);
        if (r->endpoint != s->endpoint && inbox_ready(&r->endpoint->inbox) && endpoint_enter(r->endpoint)) {
            any |= progress_helper(r->endpoint, s->endpoint);
            endpoint_left(r->endpoint);
        }
    }
    return any;
}

static void any_nudge(struct wait *w)
{
    struct complete_set *s = w->arg;
    for (int i = 0; i < s->n; i++)
        if (request_is_active(s->r[i]) && s->r[i]->kind == REQUEST_SEND)
            rndv_buffer(request_lender(s->r[i]));
}

int p2p_wait_any(int n, ep_request r[])
{
    struct complete_set s = {.n = n, .done = MPI_UNDEFINED, .r = r};
    struct wait w = {.done = any_done, .help = any_help, .nudge = any_nudge, .arg = &s};
    bool collective = false;
    for (int i = 0; i < n; i++) {
        if (!request_is_active(r[i]))
            continue;
        if (request_is_done(r[i]))
            return i;
        if (!s.endpoint)
            s.endpoint = r[i]->endpoint;
        collective |= r[i]->kind == REQUEST_COLLECTIVE;
        if (r[i]->endpoint != s.endpoint || r[i]->kind == REQUEST_SEND)
            w.policy = POLICY_ENDPOINTS; /* what completes it may notify another event count */
    }
    if (!s.endpoint)
        return MPI_UNDEFINED;
    if (!collective) {
        w.requests = r;
        w.n = n;
    } else if (w.policy == POLICY_MESSAGE) {
        w.policy = POLICY_ELSEWHERE;
    }
    endpoint_lock(s.endpoint);
    wait_until(s.endpoint, &w);
    endpoint_unlock(s.endpoint);
    return s.done;
}

/* ---- all of a view ---- */

static bool is_pending(const void *item, const void *arg)
{
    const struct ep_request_s *r = item;
    const struct ep_comm_s *view = arg;
    uint32_t magic = load_relaxed(&r->magic);
    return (magic == REQUEST_LIVE || magic == REQUEST_ENDED) && r->view == view &&
           r->serial == view->serial && r->active && !request_is_done(r);
}

static bool complete_drained(struct wait *w)
{
    ep_comm view = w->arg;
    return matcher_of(view)->nposted == 0 && !request_any(view->endpoint, is_pending, view);
}

void p2p_drain(ep_comm view)
{
    struct wait w = {.done = complete_drained, .arg = view, .greedy = true, .policy = POLICY_ENDPOINTS};
    endpoint_lock(view->endpoint);
    wait_until(view->endpoint, &w);
    endpoint_unlock(view->endpoint);
}

/* ---- the end ---- */

void p2p_then(ep_request r, struct request_then *then)
{
    if (!r || r->kind != REQUEST_COLLECTIVE) {
        then->run(then);
        return;
    }
    then->request = r;
    endpoint_lock(r->endpoint);
    then->next = load_relaxed(&r->endpoint->thens);
    store_relaxed(&r->endpoint->thens, then);
    endpoint_unlock(r->endpoint);
}

/* Whoever has the handle of a request that is in the list sees that there is a list. */
static void complete_then(ep_request r)
{
    struct endpoint *endpoint = r->endpoint;
    if (likely(!load_relaxed(&endpoint->thens)))
        return;
    struct request_then *kept = NULL, *all, *next;
    endpoint_lock(endpoint);
    for (all = load_relaxed(&endpoint->thens); all; all = next) {
        next = all->next;
        if (all->request == r) {
            all->run(all);
        } else {
            all->next = kept;
            kept = all;
        }
    }
    store_relaxed(&endpoint->thens, kept);
    endpoint_unlock(endpoint);
}

static void complete_note(const struct ep_request_s *r, const char *call)
{
    struct where w = {request_view(r), call};
    if (r->kind == REQUEST_COLLECTIVE && request_to_collective(r)->why) {
        note_error(w, r->out.error, "%s", request_to_collective(r)->why);
        return;
    }
    if (r->kind == REQUEST_COLLECTIVE && w.view && r->peer == view_union_rank(w.view))
        return; /* the call noted what was wrong with it */
    if (r->kind == REQUEST_RECV && r->out.error == MPI_ERR_TRUNCATE)
        note_error(
            w, r->out.error,
            "%s: the message from endpoint %d with tag %d has %zu bytes, the buffer (count %zu) has %zu",
            r->call, r->out.source, r->out.tag, r->out.arrived, request_data(r)->count, request_bytes(r));
    else if (r->kind == REQUEST_COLLECTIVE)
        note_error(w, r->out.error,
                   r->peer < 0 ? "it failed in one of the processes that take part"
                               : "endpoint %d of those that take part had this error",
                   r->peer);
    else if (r->kind == REQUEST_ONE_SIDED)
        note_error(w, r->out.error, "%s: the operation on the window of rank %d failed", r->call, r->peer);
    else
        note_error(w, r->out.error, "%s: %s endpoint %d with tag %d failed in MPI", r->call,
                   r->kind == REQUEST_SEND ? "the send to" : "the receive from", r->peer, r->tag);
}

static int callback_result(int rc, const char *which, const char *call)
{
    if (rc != MPI_SUCCESS)
        note_error((struct where){NULL, call}, rc, "%s of a generalized request returned %d", which, rc);
    return rc;
}

/* Both callbacks run; the code is the last one's (MPI 12.2), unless that succeeded. */
static int finish_general(ep_request r, ep_status *status, const char *call)
{
    int rc = callback_result(general_query(r, status), "query_fn", call);
    int rc2 = callback_result(general_free(r), "free_fn", call);
    return rc2 == MPI_SUCCESS ? rc : rc2;
}

int p2p_finish(ep_request *handle, ep_status *status, const char *call)
{
    lock_assert_none();
    ep_request r = *handle;
    if (!request_is_active(r)) {
        status_empty(status);
        return MPI_SUCCESS;
    }
    if (r->kind == REQUEST_GENERAL) {
        *handle = EP_REQUEST_NULL;
        return finish_general(r, status, call);
    }
    int rc = r->out.error;
    outcome_status(&r->out, status);
    if (unlikely(rc != MPI_SUCCESS))
        complete_note(r, call);
    if (r->kind == REQUEST_COLLECTIVE) {
        struct request_collective *c = request_to_collective(r);
        complete_then(r);
        if (!c->help)
            attr_discard(request_view(r), c->leftovers);
        free(c->why);
    }
    if (r->life == LIFE_PERSISTENT) {
        request_rest(r);
        return rc;
    }
    *handle = EP_REQUEST_NULL;
    if (r->endpoint) {
        struct endpoint *endpoint = r->endpoint;
        endpoint_lock(endpoint);
        request_release(r);
        endpoint_unlock(endpoint);
    }
    return rc;
}

/* The lock is taken once for all of them, but not for a long time. */
int p2p_finish_plain(int n, ep_request r[], ep_status statuses[], bool with_error)
{
    struct endpoint *endpoint = NULL;
    int i = 0;
    for (; i < n && i < PLAIN_RUN && complete_is_plain(r[i]); i++) {
        ep_request done = r[i];
        if (done->endpoint && done->endpoint != endpoint) {
            if (endpoint)
                break;
            endpoint_lock(endpoint = done->endpoint);
        }
        r[i] = EP_REQUEST_NULL;
        if (statuses)
            outcome_status(&done->out, &statuses[i]);
        if (statuses && with_error)
            statuses[i].MPI_ERROR = MPI_SUCCESS;
        if (done->endpoint)
            request_release(done);
    }
    if (endpoint)
        endpoint_unlock(endpoint);
    return i;
}

int p2p_peek(ep_request r, ep_status *status, const char *call)
{
    if (!request_is_active(r)) {
        status_empty(status);
        return MPI_SUCCESS;
    }
    if (r->kind == REQUEST_GENERAL)
        return callback_result(general_query(r, status), "query_fn", call);
    if (r->kind == REQUEST_COLLECTIVE)
        complete_then(r);
    outcome_status(&r->out, status);
    return MPI_SUCCESS;
}

int p2p_request_free(ep_request r, const char *call)
{
    struct endpoint *endpoint = r->endpoint;
    if (!endpoint)
        return MPI_SUCCESS;
    if (r->kind == REQUEST_GENERAL)
        return callback_result(general_free(r), "free_fn", call);
    endpoint_lock(endpoint);
    if (!r->active)
        store_relaxed(&r->word, DONE | USER); /* resting */
    if (r->kind == REQUEST_SEND && request_to_send(r)->shadow)
        request_release(&request_to_send(r)->shadow->head);
    request_release(r);
    endpoint_unlock(endpoint);
    return MPI_SUCCESS;
}

int p2p_cancel(ep_request r, const char *call)
{
    struct endpoint *endpoint = r->endpoint;
    if (r->kind == REQUEST_GENERAL)
        return callback_result(
            request_to_general(r)->cancel(request_to_general(r)->extra, request_is_done(r)), "cancel_fn",
            call);
    if (!endpoint || !r->active || request_is_done(r))
        return MPI_SUCCESS;
    endpoint_lock(endpoint);
    progress_endpoint(endpoint);
    if (r->kind == REQUEST_RECV) {
        struct matcher *m = matcher_of(r->view);
        if (match_unpost(m, request_to_recv(r))) {
            r->out.cancelled = true;
            request_complete(r);
            endpoint_check_settled(r->view);
        }
    } else if (r->kind == REQUEST_SEND) {
        struct request_send *s = request_lender(r);
        if (load_relaxed(&s->rndv) != RNDV_NONE)
            rndv_cancel(s);
        else
            far_cancel(s);
    }
    endpoint_unlock(endpoint);
    return MPI_SUCCESS;
}
