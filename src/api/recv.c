/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives, combined send and receive, receives of probed messages (MPI 3.2.4, 3.7.2, 3.8.3, 3.10). */
#include <stdlib.h>

#include "api/quick.h"

static inline int recv_prepare(struct recv *v, struct where *w, void *buf, int count, MPI_Datatype datatype,
                               int source, int tag, ep_comm comm)
{
    int rc = check_message(w, &v->data, buf, count, datatype, source, tag, comm, true);
    if (unlikely(rc))
        return rc;
    v->view = w->view;
    v->source = source;
    v->tag = tag;
    v->call = w->call;
    return MPI_SUCCESS;
}

__attribute__((cold, noinline)) static int recv_failed(struct where w, struct outcome o, struct recv v)
{
    if (o.error == MPI_ERR_TRUNCATE)
        return raise_error(
            w, o.error,
            "the message from endpoint %d with tag %d has %zu bytes, the buffer (argument count "
            "%zu) has %zu",
            o.source, o.tag, o.arrived, v.data.count, span_bytes(&v.data));
    return raise_error(w, o.error, "argument source %d, tag %d: the message could not be received", v.source,
                       v.tag);
}

/* Report a finished blocking receive. */
static inline int recv_finish_call(struct where w, struct outcome *o, int rc, const struct recv *v,
                                   ep_status *status)
{
    outcome_status(o, status);
    if (likely(rc == MPI_SUCCESS))
        return rc;
    o->error = rc;
    return recv_failed(w, *o, *v);
}

/* Not plain. */
__attribute__((noinline)) static int receive_doubtful(void *buf, int count, MPI_Datatype datatype, int source,
                                                      int tag, ep_comm comm, ep_status *status)
{
    struct where w = {NULL, "ep_recv"};
    struct outcome outcome = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    struct recv v = {.source = source, .tag = tag, .call = w.call};
    int rc = check_message_slow(&w, &v.data, buf, count, datatype, source, tag, comm, true);
    if (rc)
        return rc;
    if (source == MPI_PROC_NULL) {
        outcome_status(&request_from_null.out, status);
        return MPI_SUCCESS;
    }
    v.view = w.view;
    rc = p2p_recv(&v, &outcome);
    return recv_finish_call(w, &outcome, rc, &v, status);
}

/* The quick way, which v may go, with EP_CHAOS. */
__attribute__((cold, noinline)) static bool receive_in_chaos(const struct recv *v, ep_status *status)
{
    size_t room;
    if (!endpoint_takes_quietly() ||
        !quick_receives(v->data.buf, (int)v->data.count, v->data.mpi, v->view, &room))
        return false;
    endpoint_lock(v->view->endpoint);
    enum recv_look look =
        quick_take(v->view->endpoint, v->view, v->source, v->tag, v->data.buf, room, status, true, true);
    endpoint_unlock(v->view->endpoint);
    return look == RECV_TAKEN;
}

/* Not the quick way, or with EP_CHAOS. */
__attribute__((noinline)) static int receive_plain(void *buf, int count, MPI_Datatype datatype, int source,
                                                   int tag, ep_comm comm, ep_status *status)
{
    struct recv v = {.source = source, .tag = tag, .call = "ep_recv"};
    if (unlikely(!message_is_plain(&v.view, &v.data, buf, count, datatype, source, tag, comm, true)))
        return receive_doubtful(buf, count, datatype, source, tag, comm, status);
    struct outcome outcome = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    if (unlikely(settings.chaos) && receive_in_chaos(&v, status))
        return MPI_SUCCESS;
    int rc = recv_now(&v, &outcome);
    return recv_finish_call((struct where){v.view, v.call}, &outcome, rc, &v, status);
}

/* The quick way took nothing: source and tag are still to be looked at. The endpoint's lock is held. */
__attribute__((noinline)) static int receive_posted(void *buf, int count, MPI_Datatype datatype, int source,
                                                    int tag, ep_comm comm, ep_status *status)
{
    endpoint_unlock(comm->endpoint);
    return receive_plain(buf, count, datatype, source, tag, comm, status);
}

/* The same where nothing is in the inbox or was before: it may be the first that comes. */
__attribute__((noinline)) static int receive_awaited(void *buf, int count, MPI_Datatype datatype, int source,
                                                     int tag, ep_comm comm, ep_status *status)
{
    if (unlikely(!quick_envelope(comm, source, tag)))
        return receive_posted(buf, count, datatype, source, tag, comm, status);
    enum recv_look look = RECV_AWAITED;
    size_t room = (size_t)count * type_find_named(datatype)->plain;
    if (quick_from_near(comm, source) &&
        (look = recv_quick(comm, source, tag, buf, room, status)) == RECV_TAKEN) {
        lock_release(&comm->endpoint->lock);
        return MPI_SUCCESS;
    }
    struct span data = {buf, (size_t)count, type_find(datatype), datatype};
    struct recv v = {comm, data, source, tag, "ep_recv"};
    struct outcome outcome = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    int rc = recv_posted(v, &outcome, look);
    endpoint_unlock(comm->endpoint);
    return recv_finish_call((struct where){v.view, v.call}, &outcome, rc, &v, status);
}

int ep_recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm, ep_status *status)
{
    size_t room;
    if (unlikely(!quick_receives(buf, count, datatype, comm, &room)))
        return receive_plain(buf, count, datatype, source, tag, comm, status);
    struct endpoint *endpoint = comm->endpoint;
    if (unlikely(!quick_enter(endpoint)))
        return receive_plain(buf, count, datatype, source, tag, comm, status);
    enum recv_look look = quick_take(endpoint, comm, source, tag, buf, room, status, false, false);
    if (look == RECV_AWAITED)
        return receive_awaited(buf, count, datatype, source, tag, comm, status);
    if (unlikely(look == RECV_POSTED))
        return receive_posted(buf, count, datatype, source, tag, comm, status);
    lock_release(&endpoint->lock);
    return MPI_SUCCESS;
}

int ep_irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
             ep_request *request)
{
    struct where w = {NULL, "ep_irecv"};
    struct recv v;
    int rc = recv_prepare(&v, &w, buf, count, datatype, source, tag, comm);
    if (unlikely(rc) || unlikely((rc = check_pointer(w, request, "request"))))
        return rc;
    if (unlikely(source == MPI_PROC_NULL))
        *request = &request_from_null;
    else
        rc = p2p_irecv(&v, request);
    return likely(rc == MPI_SUCCESS) ? rc : raise_error(w, rc, "no memory for a request");
}

static int recv_persistent(struct where w, void *buf, int count, MPI_Datatype datatype, int source, int tag,
                           ep_comm comm, ep_request *request)
{
    struct recv v;
    int rc = recv_prepare(&v, &w, buf, count, datatype, source, tag, comm);
    if (rc || (rc = check_pointer(w, request, "request")))
        return rc;
    return give_request(w, persistent_recv(&v), request);
}

/* ---- probed messages ---- */

/* The message behind a handle goes to v; *none: it is from MPI_PROC_NULL. */
static int prepare_message(struct recv *v, struct where *w, void *buf, int count, MPI_Datatype datatype,
                           ep_message *message, bool *none)
{
    int rc = check_pointer(*w, message, "message");
    if (rc)
        return rc;
    ep_message m = *message;
    *none = m == EP_MESSAGE_NO_PROC;
    if (!*none) {
        if (!message_is_live(m))
            return raise_error(*w, MPI_ERR_REQUEST, "argument message is %s",
                               m ? "a freed or invalid handle" : "EP_MESSAGE_NULL");
        w->view = v->view = m->view;
        if (view_has_ended(m->view) && !process_mpi_runs())
            return raise_not_running(*w);
        v->source = m->source;
        v->tag = m->tag;
    }
    v->call = w->call;
    return check_data(*w, buf, count, datatype, &v->data);
}

int ep_mrecv(void *buf, int count, MPI_Datatype datatype, ep_message *message, ep_status *status)
{
    struct where w = {NULL, "ep_mrecv"};
    struct recv v;
    struct outcome outcome = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
    bool none;
    int rc = prepare_message(&v, &w, buf, count, datatype, message, &none);
    if (rc)
        return rc;
    ep_message m = *message;
    *message = EP_MESSAGE_NULL;
    if (none) {
        outcome_status(&request_from_null.out, status);
        return MPI_SUCCESS;
    }
    rc = p2p_mrecv(&v, m, &outcome);
    return recv_finish_call(w, &outcome, rc, &v, status);
}

int ep_imrecv(void *buf, int count, MPI_Datatype datatype, ep_message *message, ep_request *request)
{
    struct where w = {NULL, "ep_imrecv"};
    struct recv v;
    bool none;
    int rc = prepare_message(&v, &w, buf, count, datatype, message, &none);
    if (rc || (rc = check_pointer(w, request, "request")))
        return rc;
    ep_message m = *message;
    if (none)
        *request = &request_from_null;
    else
        rc = p2p_imrecv(&v, m, request);
    if (rc != MPI_SUCCESS)
        return raise_error(w, rc, "no memory for a request");
    *message = EP_MESSAGE_NULL;
    return MPI_SUCCESS;
}

/* ---- send and receive ---- */

/* Both are checked before either is started. A send that is complete at once can go first, and the receive needs no request;
 * else the receive is posted first, so that the send finds it. */
static int recv_exchange(struct where w, struct send *s, struct recv *v, ep_status *status)
{
    ep_request r = &request_from_null;
    if (likely(s->dest != MPI_PROC_NULL) && likely(v->source != MPI_PROC_NULL) &&
        likely(send_line(s->view, net_near(s->view, s->view->peer_base + s->dest), &s->data, s->tag))) {
        struct outcome outcome = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG};
        return recv_finish_call(w, &outcome, p2p_recv(v, &outcome), v, status);
    }
    if (v->source != MPI_PROC_NULL) {
        int rc = p2p_irecv(v, &r);
        if (rc != MPI_SUCCESS)
            return raise_error(w, rc, "no memory for a request");
    }
    int sent = s->dest == MPI_PROC_NULL ? MPI_SUCCESS : p2p_send(s, send_route(s));
    if (sent != MPI_SUCCESS) {
        p2p_cancel(r, w.call);
        p2p_wait(r);
        p2p_finish(&r, status, w.call);
        return raise_error(w, sent, "%zu bytes to endpoint %d could not be sent", span_bytes(&s->data),
                           s->dest);
    }
    p2p_wait(r);
    int rc = p2p_finish(&r, status, w.call);
    return likely(rc == MPI_SUCCESS) ? rc : handle_error(w.view, rc);
}

/* Buffers must be disjoint (MPI 3.10). Types with gaps may share an array; who is MPI_PROC_NULL uses none. */
static int recv_check_disjoint(struct where w, const struct send *s, const struct recv *v)
{
    if (likely(s->data.buf != v->data.buf) || !s->data.buf || s->dest == MPI_PROC_NULL ||
        v->source == MPI_PROC_NULL || span_bytes(&s->data) == 0 || span_bytes(&v->data) == 0 ||
        !type_coincides(s->data.type, v->data.type))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_BUFFER,
                       "arguments sendbuf and recvbuf are the same, which they must not be");
}

int ep_sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, ep_comm comm,
                ep_status *status)
{
    struct where w = {NULL, "ep_sendrecv"};
    struct recv v;
    int rc = recv_prepare(&v, &w, recvbuf, recvcount, recvtype, source, recvtag, comm);
    struct send s = {.dest = dest, .tag = sendtag, .mode = MODE_STANDARD, .call = w.call};
    if (rc || (rc = check_message(&w, &s.data, sendbuf, sendcount, sendtype, dest, sendtag, comm, false)))
        return rc;
    s.view = w.view;
    if (unlikely((rc = recv_check_disjoint(w, &s, &v))))
        return rc;
    return recv_exchange(w, &s, &v, status);
}

int ep_sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                        int recvtag, ep_comm comm, ep_status *status)
{
    struct where w = {NULL, "ep_sendrecv_replace"};
    struct recv v;
    int rc = recv_prepare(&v, &w, buf, count, datatype, source, recvtag, comm);
    if (rc || (rc = check_dest(w, dest)) || (rc = check_tag(w, sendtag, false)))
        return rc;
    size_t bytes = span_bytes(&v.data);
    char *copy = malloc(bytes + 1);
    rc = copy ? copy_pack(&v.data, copy) : MPI_ERR_NO_MEM;
    if (rc != MPI_SUCCESS) {
        free(copy);
        return raise_error(w, rc, "%zu bytes could not be copied", bytes);
    }
    struct send s = {.view = w.view,
                     .data = span_packed(copy, bytes),
                     .dest = dest,
                     .tag = sendtag,
                     .mode = MODE_STANDARD,
                     .call = w.call};
    rc = recv_exchange(w, &s, &v, status);
    free(copy);
    return rc;
}

/* ---- probing (MPI 3.8) ---- */

/* All four. *flag, *message and *status are set where they are asked for. */
static int recv_probe(ep_comm view, struct probe p, int *flag, ep_message *message, ep_status *status)
{
    bool yes = true;
    p.view = view;
    if (p.source == MPI_PROC_NULL) {
        p.message = EP_MESSAGE_NO_PROC;
        outcome_status(&request_from_null.out, &p.status);
    } else {
        yes = p2p_probe(&p);
    }
    if (flag)
        *flag = yes;
    if (message)
        *message = yes ? p.message : EP_MESSAGE_NULL;
    if (yes && status) {
        p.status.MPI_ERROR = status->MPI_ERROR; /* not for one status to change (MPI 3.2.5) */
        *status = p.status;
    }
    return MPI_SUCCESS;
}

#include "api/recv.inc"
