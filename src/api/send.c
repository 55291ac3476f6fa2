/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends (MPI 3.2, 3.4, 3.7.2, 3.9). */
#include "api/quick.h"

/* Arguments as in the public functions; s is filled in. */
static inline int send_prepare(struct send *s, struct where *w, const void *buf, int count,
                               MPI_Datatype datatype, int dest, int tag, ep_comm comm)
{
    int rc = check_message(w, &s->data, buf, count, datatype, dest, tag, comm, false);
    if (rc)
        return rc;
    s->view = w->view;
    s->dest = dest;
    s->tag = tag;
    s->call = w->call;
    return MPI_SUCCESS;
}

__attribute__((cold, noinline)) static int send_failed(struct where w, int rc, const struct send *s)
{
    if (rc == MPI_ERR_BUFFER)
        return raise_error(
            w, rc,
            "%zu bytes for endpoint %d (tag %d) and EP_BSEND_OVERHEAD do not fit into the attached "
            "buffer, or none is attached",
            span_bytes(&s->data), s->dest, s->tag);
    return raise_error(w, rc, "%zu bytes to endpoint %d (tag %d) could not be sent", span_bytes(&s->data),
                       s->dest, s->tag);
}

/* far: net_near found nothing. */
static inline struct net_route send_way(ep_comm view, int dest, bool far)
{
    int rank = view->peer_base + dest;
    return net_route_from(view, rank, far ? NULL : net_near(view, rank));
}

/* Not by send_line. */
__attribute__((noinline)) static int blocking_slow(struct where w, enum send_mode mode, struct span data,
                                                   int dest, int tag, bool far)
{
    struct send s = {w.view, data, dest, tag, mode, w.call, false};
    int rc = mode == MODE_BUFFERED ? buffered_send(&s) : p2p_send(&s, send_way(w.view, dest, far));
    return likely(rc == MPI_SUCCESS) ? rc : send_failed(w, rc, &s);
}

/* Not plain. */
__attribute__((noinline)) static int blocking_doubtful(const char *call, enum send_mode mode, const void *buf,
                                                       int count, MPI_Datatype datatype, int dest, int tag,
                                                       ep_comm comm)
{
    struct where w = {NULL, call};
    struct span data;
    int rc = check_message_slow(&w, &data, buf, count, datatype, dest, tag, comm, false);
    if (rc || dest == MPI_PROC_NULL)
        return rc;
    return blocking_slow(w, mode, data, dest, tag, false);
}

__attribute__((always_inline)) static inline int send_blocking(const char *call, enum send_mode mode,
                                                               const void *buf, int count,
                                                               MPI_Datatype datatype, int dest, int tag,
                                                               ep_comm comm)
{
    ep_comm view;
    struct span data;
    if (unlikely(!message_is_plain(&view, &data, buf, count, datatype, dest, tag, comm, false)))
        return blocking_doubtful(call, mode, buf, count, datatype, dest, tag, comm);
    ep_comm near = net_near(view, view->peer_base + dest);
    if (unlikely(!near))
        return blocking_slow((struct where){view, call}, mode, data, dest, tag, true);
    if (mode <= MODE_READY && likely(send_line(view, near, &data, tag)))
        return MPI_SUCCESS;
    return blocking_slow((struct where){view, call}, mode, data, dest, tag, false);
}

/* Not the quick way. */
__attribute__((noinline)) static int standard_slow(const void *buf, int count, MPI_Datatype datatype,
                                                   int dest, int tag, ep_comm comm)
{
    return send_blocking("ep_send", MODE_STANDARD, buf, count, datatype, dest, tag, comm);
}

/* What was sent is for a thread that sleeps. */
__attribute__((cold, noinline)) static int send_wake(struct endpoint *to)
{
    evcount_notify_slow(&to->evcount);
    return MPI_SUCCESS;
}

/* The quick way for several lines. If there is no room it is as good as a message of bytes. */
__attribute__((noinline)) static int standard_long(const void *buf, size_t bytes, ep_comm to, int tag,
                                                   ep_comm comm)
{
    if (unlikely(!quick_put_long(comm, to, tag, buf, bytes)))
        return standard_slow(buf, (int)bytes, MPI_BYTE, to->rank, tag, comm);
    return likely(!evcount_wants(&to->endpoint->evcount)) ? MPI_SUCCESS : send_wake(to->endpoint);
}

static inline int send_standard(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                                ep_comm comm)
{
    ep_comm longer;
    size_t bytes;
    ep_comm to = quick_send(buf, count, datatype, dest, tag, comm, &longer, &bytes);
    if (unlikely(!to))
        return longer && quick_is_long(bytes, INLINE_MAX) ? standard_long(buf, bytes, longer, tag, comm)
                                              : standard_slow(buf, count, datatype, dest, tag, comm);
    return likely(!evcount_wants(&to->endpoint->evcount)) ? MPI_SUCCESS : send_wake(to->endpoint);
}

/* Not by send_line. */
__attribute__((noinline)) static int nonblocking_slow(struct where w, enum send_mode mode, struct span data,
                                                      int dest, int tag, bool far, ep_request *request)
{
    struct send s = {w.view, data, dest, tag, mode, w.call, false};
    ep_request r = &request_sent;
    int rc = mode == MODE_BUFFERED ? buffered_send(&s) : p2p_isend(&s, send_way(w.view, dest, far), &r);
    if (unlikely(rc != MPI_SUCCESS))
        return send_failed(w, rc, &s);
    *request = r;
    return MPI_SUCCESS;
}

/* Not plain, or nowhere to put the handle. */
__attribute__((noinline)) static int nonblocking_doubtful(const char *call, enum send_mode mode,
                                                          const void *buf, int count, MPI_Datatype datatype,
                                                          int dest, int tag, ep_comm comm,
                                                          ep_request *request)
{
    struct where w = {NULL, call};
    struct span data;
    int rc = check_message_slow(&w, &data, buf, count, datatype, dest, tag, comm, false);
    if (rc || (rc = check_pointer(w, request, "request")))
        return rc;
    if (dest != MPI_PROC_NULL)
        return nonblocking_slow(w, mode, data, dest, tag, false, request);
    *request = &request_sent;
    return MPI_SUCCESS;
}

__attribute__((always_inline)) static inline int send_nonblocking(const char *call, enum send_mode mode,
                                                                  const void *buf, int count,
                                                                  MPI_Datatype datatype, int dest, int tag,
                                                                  ep_comm comm, ep_request *request)
{
    ep_comm view;
    struct span data;
    if (unlikely(!message_is_plain(&view, &data, buf, count, datatype, dest, tag, comm, false)) ||
        unlikely(!request))
        return nonblocking_doubtful(call, mode, buf, count, datatype, dest, tag, comm, request);
    ep_comm near = net_near(view, view->peer_base + dest);
    if (unlikely(!near))
        return nonblocking_slow((struct where){view, call}, mode, data, dest, tag, true, request);
    if (mode > MODE_READY || unlikely(!send_line(view, near, &data, tag)))
        return nonblocking_slow((struct where){view, call}, mode, data, dest, tag, false, request);
    *request = &request_sent;
    return MPI_SUCCESS;
}

/* Not the quick way. */
__attribute__((noinline)) static int isend_slow(const void *buf, int count, MPI_Datatype datatype, int dest,
                                                int tag, ep_comm comm, ep_request *request)
{
    return send_nonblocking("ep_isend", MODE_STANDARD, buf, count, datatype, dest, tag, comm, request);
}

/* As standard_long. */
__attribute__((noinline)) static int isend_long(const void *buf, size_t bytes, ep_comm to, int tag,
                                                ep_comm comm, ep_request *request)
{
    if (unlikely(!quick_put_long(comm, to, tag, buf, bytes)))
        return isend_slow(buf, (int)bytes, MPI_BYTE, to->rank, tag, comm, request);
    *request = &request_sent;
    return likely(!evcount_wants(&to->endpoint->evcount)) ? MPI_SUCCESS : send_wake(to->endpoint);
}

static inline int isend_standard(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                                 ep_comm comm, ep_request *request)
{
    ep_comm longer = NULL;
    size_t bytes = 0;
    ep_comm to = likely(request) ? quick_send(buf, count, datatype, dest, tag, comm, &longer, &bytes) : NULL;
    if (unlikely(!to))
        return longer && quick_is_long(bytes, LEND_FROM)
                   ? isend_long(buf, bytes, longer, tag, comm, request)
                   : isend_slow(buf, count, datatype, dest, tag, comm, request);
    *request = &request_sent;
    return likely(!evcount_wants(&to->endpoint->evcount)) ? MPI_SUCCESS : send_wake(to->endpoint);
}

static int send_persistent(const char *call, enum send_mode mode, const void *buf, int count,
                           MPI_Datatype datatype, int dest, int tag, ep_comm comm, ep_request *request)
{
    struct where w = {NULL, call};
    struct send s = {.mode = mode};
    int rc = send_prepare(&s, &w, buf, count, datatype, dest, tag, comm);
    if (rc || (rc = check_pointer(w, request, "request")))
        return rc;
    return give_request(w, persistent_send(&s), request);
}

/* ---- buffers for buffered sends (MPI 3.6) ---- */

int ep_buffer_attach(void *buffer, int size)
{
    struct where w = {view_of(EP_COMM_WORLD), "ep_buffer_attach"};
    if (size < EP_BSEND_OVERHEAD)
        return raise_error(w, MPI_ERR_BUFFER,
                           "argument size is %d: a buffer needs at least EP_BSEND_OVERHEAD (%d) bytes", size,
                           EP_BSEND_OVERHEAD);
    if (!buffer)
        return raise_error(w, MPI_ERR_BUFFER, "argument buffer is a null pointer");
    int rc = buffered_attach(buffer, (size_t)size);
    return rc == MPI_SUCCESS ? rc : raise_error(w, rc, "a buffer is attached already");
}

int ep_buffer_detach(void *buffer_addr, int *size)
{
    struct where w = {view_of(EP_COMM_WORLD), "ep_buffer_detach"};
    void *buffer;
    size_t bytes;
    int rc = check_pointer(w, buffer_addr, "buffer_addr");
    if (rc || (rc = check_pointer(w, size, "size")))
        return rc;
    buffered_detach(&buffer, &bytes);
    *(void **)buffer_addr = buffer;
    *size = (int)bytes;
    return MPI_SUCCESS;
}

#include "api/send.inc"
