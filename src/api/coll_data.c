/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that move data: all but reductions (MPI 5.3 to 5.8, 5.12.1 to 5.12.6, 7.6, 7.7). */
#include "api/coll.h"

static int coll_barrier(struct where w, ep_request *request)
{
    struct setup s;
    setup_begin(&s, w, COLL_BARRIER, request);
    return setup_run(&s);
}

SETUP_INLINE int coll_bcast(struct where w, void *buffer, int count, MPI_Datatype datatype, int root,
                            ep_request *request)
{
    static const struct names names = {"buffer", "count", "datatype", NULL};
    const struct given g = given_whole(buffer, count, datatype);
    struct setup s;
    setup_begin(&s, w, COLL_BCAST, request);
    int rc = setup_root(&s, root);
    if (unlikely(rc))
        return rc;
    if (setup_is_root(&s))
        rc = setup_take(&s, &s.call.send, 1, &g, &names);
    else if (setup_is_leaf(&s))
        rc = setup_take(&s, &s.call.recv, 1, &g, &names);
    return unlikely(rc) ? rc : setup_run(&s);
}

/* Gather, scatter and allgather: on one side is a block of each endpoint (all), on the other the caller's alone (own). The
 * root has the one, the leaves have the other; in an allgather everybody has both. */
SETUP_INLINE int coll_all_and_own(struct where w, enum coll_kind kind, struct given send, struct given recv,
                                  int root, ep_request *request)
{
    struct setup s;
    setup_begin(&s, w, kind, request);
    const bool scatters = kind == COLL_SCATTER, rooted = kind != COLL_ALLGATHER;
    const struct given *all = scatters ? &send : &recv, *own = scatters ? &recv : &send;
    struct blocks *all_blocks = scatters ? &s.call.send : &s.call.recv;
    struct blocks *own_blocks = scatters ? &s.call.recv : &s.call.send;
    const int n = s.w.view->peers;
    s.call.varying = all->form != FORM_EQUAL;
    int rc = rooted ? setup_root(&s, root) : MPI_SUCCESS;
    if (unlikely(rc))
        return rc;
    const bool has_all = !rooted || setup_is_root(&s), has_own = !rooted || setup_is_leaf(&s);
    if (has_all && (rc = setup_take(&s, all_blocks, n, all, scatters ? &names_send : &names_recv)))
        return rc;
    if (has_all && setup_in_place(&s, own->buf))
        setup_own_block(&s, own_blocks, all_blocks);
    else if (has_own)
        rc = setup_take(&s, own_blocks, 1, own, scatters ? &names_recv : &names_send);
    if (likely(rc == MPI_SUCCESS) && has_all && all->form == FORM_EQUAL)
        rc = setup_check_aliases(&s, send.buf, recv.buf, has_own && own->count > 0);
    else if (likely(rc == MPI_SUCCESS) && has_all)
        rc = setup_check_overlap(&s, send.buf, recv.buf, scatters ? n : 1, scatters ? 1 : n);
    return unlikely(rc) ? rc : setup_run(&s);
}

SETUP_INLINE int coll_alltoall(struct where w, struct given send, struct given recv, ep_request *request)
{
    struct setup s;
    setup_begin(&s, w, COLL_ALLTOALL, request);
    s.call.varying = recv.form != FORM_EQUAL;
    int n = s.w.view->peers, rc = setup_take(&s, &s.call.recv, n, &recv, &names_recv_all);
    if (rc == MPI_SUCCESS)
        rc = setup_in_place(&s, send.buf) ? setup_copy(&s, n)
                                          : setup_take(&s, &s.call.send, n, &send, &names_send_all);
    if (rc == MPI_SUCCESS && send.form == FORM_EQUAL)
        rc = setup_check_aliases(&s, send.buf, recv.buf, send.count > 0);
    else if (rc == MPI_SUCCESS)
        rc = setup_check_overlap(&s, send.buf, recv.buf, n, n);
    return unlikely(rc) ? setup_fail(&s, rc) : setup_run(&s);
}

/* ---- neighbourhoods ---- */

/* Which blocks are somebody's. */
static bool neighbor_is_sent(const void *view, int block)
{
    return neighbor_is_there(*(const ep_comm *)view, true, block);
}

static bool is_received(const void *view, int block)
{
    return neighbor_is_there(*(const ep_comm *)view, false, block);
}

/* The one block that goes to all. */
static bool is_sent_at_all(const void *view, int block)
{
    int in, out;
    neighbor_degrees(*(const ep_comm *)view, &in, &out);
    for (block = 0; block < out; block++)
        if (neighbor_is_sent(view, block))
            return true;
    return false;
}

static int neighbor_check_disjoint(const struct setup *s, const void *sendbuf, const void *recvbuf, int in,
                                   int out)
{
    const ep_comm *view = &s->w.view;
    const bool all = s->call.kind == COLL_ALLTOALL;
    const struct side send = {&s->call.send, all ? out : 1, all ? neighbor_is_sent : is_sent_at_all, view};
    const struct side recv = {&s->call.recv, in, is_received, view};
    return setup_check_sides(s, sendbuf, recvbuf, &send, &recv);
}

static int neighbor_exchange(struct where w, enum coll_kind kind, struct given send, struct given recv,
                             ep_request *request)
{
    const bool all = kind == COLL_ALLTOALL;
    struct setup s;
    int in, out;
    setup_begin(&s, w, kind, request);
    if (!neighbor_degrees(w.view, &in, &out))
        return raise_error(w, MPI_ERR_TOPOLOGY, "argument comm has no topology");
    int rc = setup_take(&s, &s.call.send, all ? out : 1, &send, all ? &names_send_all : &names_send);
    if (rc == MPI_SUCCESS)
        rc = setup_take(&s, &s.call.recv, in, &recv, all ? &names_recv_all : &names_recv);
    if (rc == MPI_SUCCESS)
        rc = neighbor_check_disjoint(&s, send.buf, recv.buf, in, out);
    return rc ? setup_fail(&s, rc) : neighbor_run(s.w, &s.call, s.request);
}

#include "api/coll_data.inc"
