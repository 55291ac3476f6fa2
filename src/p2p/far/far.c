/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/far/far.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "net/net.h"
#include "p2p/attached.h"
#include "p2p/far/far_calls.h"
#include "p2p/far/far_pending.h"
#include "p2p/quick.h"
#include "p2p/inbox.h"
#include "p2p/progress/memory.h"
#include "p2p/progress/poller.h"
#include "p2p/endpoint.h"
#include "p2p/far/recall.h"
#include "p2p/far/shm.h"

enum {
    GREEDY = 16, /* messages taken by one poll */
    OTHERS = 3,  /* communicators looked at beside the first */
    HOT = 16,    /* polls after one in which there was an active message by MPI */
    COLD =
        4, /* of those, and of those that found what somebody waits for, every so many also look at the rest */
    TAKES = 16,  /* messages of peers taken by one poll */
    RARELY = 32, /* polls for each that looks at MPI, where no messages come from there */
};

/* ---- sending ---- */

static int far_start_send(ep_comm view, const struct net_route *to, const struct span *data, int mode,
                          int user_tag, MPI_Request *request)
{
    int which,
        tag = tag_pack(&view->comm->tags, (struct tag_parts){user_tag, view->index, to->index}, &which);
    MPI_Comm lane = view->comm->lanes[which];
    MPI_Datatype type = data->mpi, made = MPI_DATATYPE_NULL;
    int count = (int)data->count, rc = MPI_SUCCESS;
    if (unlikely(data->count > INT_MAX)) /* packed by ep: a user's count is an int */
        rc = bytes_as_type(data->count, &count, &type, &made);
    if (rc != MPI_SUCCESS)
        return rc;
    if (mode == MODE_SYNC)
        rc = MPI_Issend(data->buf, count, type, to->proc, tag, lane, request);
    else
        rc = MPI_Isend(data->buf, count, type, to->proc, tag, lane, request);
    if (unlikely(made != MPI_DATATYPE_NULL))
        MPI_Type_free(&made);
    return rc;
}

static int far_start_receive(struct request_recv *r);

void far_settle(ep_request r, int rc)
{
    int done = 1;
    MPI_Status status;
    if (rc == MPI_SUCCESS) {
        mpi_enter();
        rc = MPI_Test(&request_native(r)->mpi, &done, &status);
        mpi_leave();
    }
    if (done || rc != MPI_SUCCESS)
        far_finish(r, rc, NULL);
    else
        pending_push(r);
}

void far_start(ep_request r)
{
    int rc;
    mpi_enter();
    if (r->kind == REQUEST_SEND) {
        struct request_send *s = request_to_send(r);
        rc = far_start_send(r->view, &s->far.to, &s->data, s->mode, r->tag, &s->native.mpi);
    } else {
        rc = far_start_receive(request_to_recv(r));
    }
    mpi_leave();
    far_settle(r, rc);
}

/* Now if this thread may, else by the main thread, in the order of submission. */
static void far_submit(ep_request r)
{
    request_native(r)->mpi = MPI_REQUEST_NULL;
    if (unlikely(process.funneled) && (!mpi_callable() || pending_waits_for_start()))
        pending_push(r);
    else
        far_start(r);
}

void far_send(struct request_send *s, struct net_route to)
{
    s->far.to = to;
    if (to.peer)
        shm_send(s);
    else
        far_submit(&s->head);
}

/* An MPI request was begun, with rc: look at once whether it is done. An error class; of one that failed nothing is left. Between
 * mpi_enter and mpi_leave. */
static int far_look(int rc, MPI_Request *left)
{
    int done;
    if (rc == MPI_SUCCESS)
        rc = MPI_Test(left, &done, MPI_STATUS_IGNORE);
    else
        *left = MPI_REQUEST_NULL;
    return likely(rc == MPI_SUCCESS) ? rc : error_class_of_mpi(rc);
}

bool far_send_now(ep_comm view, const struct net_route *to, const struct span *data, int tag,
                  MPI_Request *left, int *rc)
{
    if (unlikely(process.funneled))
        return false;
    mpi_enter();
    *rc = far_look(far_start_send(view, to, data, MODE_STANDARD, tag, left), left);
    mpi_leave();
    return true;
}

int far_await(MPI_Request left)
{
    int rc = MPI_SUCCESS;
    for (int done = 0; !done && rc == MPI_SUCCESS;) {
        mpi_enter();
        rc = MPI_Test(&left, &done, MPI_STATUS_IGNORE);
        mpi_leave();
        far_poll(NULL, false);
    }
    return rc == MPI_SUCCESS ? rc : error_class_of_mpi(rc);
}

void far_adopt(ep_request s, MPI_Request left)
{
    if (s->kind == REQUEST_SEND) {
        request_to_send(s)->far.to.peer = NULL;
    } else if (s->kind == REQUEST_RECV) {
        request_to_recv(s)->far.staging = NULL;
        request_to_recv(s)->far.total = 0; /* it fits */
    }
    request_native(s)->mpi = left;
    pending_push(s);
}

/* ---- receiving ---- */

/* Without memory for its data: all of them into one page, one after the other. MPI, too, may have no memory now for a type that is made
 * for it. */
static int receive_nowhere(struct request_recv *r)
{
    static char page[TYPE_PAGE];
    if (type_page == MPI_DATATYPE_NULL)
        return MPI_ERR_NO_MEM;
    int count = (int)((r->far.total + sizeof page - 1) / sizeof page);
    return MPI_Imrecv(page, count, type_page, &r->far.message, &r->native.mpi);
}

/* What MPI does with a buffer that is too small is its own affair (MPICH ends the job: a matched message has no communicator whose
 * error handler counts); so such a message is received whole and its beginning kept. */
static int far_start_receive(struct request_recv *r)
{
    /* the latter where the main thread begins what others have put off (FUNNELED), and nobody else looks at it */
    assert(lock_check_holds(&r->head.endpoint->lock) || lock_check_holds(&net_poll_lock));
    r->far.staging = NULL;
    if (r->far.total <= r->bytes)
        return MPI_Imrecv(r->data.buf, (int)r->data.count, r->data.mpi, &r->far.message, &r->native.mpi);
    int count;
    MPI_Datatype type, made;
    if (!(r->far.staging = malloc(r->far.total)))
        return receive_nowhere(r);
    int rc = bytes_as_type(r->far.total, &count, &type, &made);
    if (rc != MPI_SUCCESS) {
        free(r->far.staging);
        r->far.staging = NULL;
        return receive_nowhere(r);
    }
    rc = MPI_Imrecv(r->far.staging, count, type, &r->far.message, &r->native.mpi);
    if (made != MPI_DATATYPE_NULL)
        MPI_Type_free(&made);
    return rc;
}

static void far_receive(const struct net_arrival *a, ep_request head)
{
    endpoint_assert_held(head->endpoint);
    struct request_recv *r = request_to_recv(head);
    r->far.message = a->message;
    r->far.total = a->bytes;
    far_submit(head);
}

static bool far_receive_now(const struct net_arrival *a, const struct span *to, MPI_Request *left, int *rc)
{
    MPI_Message message = a->message;
    if (unlikely(process.funneled) || unlikely(!to->type->named) || unlikely(a->bytes > span_bytes(to)))
        return false;
    mpi_enter();
    *rc = far_look(MPI_Imrecv(to->buf, (int)to->count, to->mpi, &message, left), left);
    mpi_leave();
    return true;
}

/* A receive into nothing that nobody waits for. Open MPI writes past a buffer that is too small, so it is
 * staged like any other that is too short. */
static void far_drop(const struct net_arrival *a, struct endpoint *endpoint)
{
    ep_request r = request_new_own(endpoint, REQUEST_RECV);
    if (!r && !(r = request_new_kept(endpoint, REQUEST_RECV)))
        return;
    recv_of_bytes(request_to_recv(r), NULL, 0, a->bytes);
    far_receive(a, r);
    request_release(r);
}

static const struct net_arrival_ops arrival_mpi = {
    .far = true, .receive = far_receive, .receive_now = far_receive_now, .drop = far_drop};

/* Its data are where they belong, or beside them. */
static void far_finish_receive(struct request_recv *r, int rc)
{
    struct outcome *out = &r->head.out;
    if (rc == MPI_SUCCESS && !r->far.staging && r->far.total > r->bytes) {
        out->error = MPI_ERR_NO_MEM; /* for the staging */
        out->received = 0;
    }
    if (r->far.staging) {
        struct span from = span_packed(r->far.staging, r->far.total);
        int unpacked = copy_typed(&from, &r->data, out->received);
        if (out->error == MPI_SUCCESS)
            out->error = unpacked;
        free(r->far.staging);
    }
}

void far_finish(ep_request r, int rc, const MPI_Status *status)
{
    if (rc != MPI_SUCCESS)
        r->out.error = error_class_of_mpi(rc);
    if (r->kind == REQUEST_RECV) {
        far_finish_receive(request_to_recv(r), rc);
    } else if (status && r->kind == REQUEST_SEND) {
        int cancelled = 0;
        mpi_enter();
        MPI_Test_cancelled(status, &cancelled);
        mpi_leave();
        r->out.cancelled = cancelled;
        if (unlikely(cancelled))
            hook_cancelled();
    }
    request_complete(r);
}

/* ---- arrivals ---- */

static struct {
    struct list all;       /* communicators, by poll_link; under lock */
    struct node *cursor;   /* under lock: the next round begins behind it; NULL: behind the first */
    _Atomic int comms;     /* length of the list; acq_rel far_open */
    int remote;            /* of them, with processes that are no peers; under lock */
    unsigned rarely;       /* under lock */
    unsigned hot, skipped; /* under lock: polls left that mostly look at active messages alone; counts them */
    unsigned
        awaited; /* under lock: polls that found what somebody waits for. Counted for itself: of two that skip by one
                       * number, one could take each poll in which the other would not */
    unsigned found; /* under lock: polls that were to find one message and found it in the first communicator */
    const struct far_receiver *here; /* who polls; or NULL. Under lock, as the next */
    bool greedy;
    _Atomic unsigned polls; /* so far: under lock, but any thread looks; relaxed */
} poll;

/* For an endpoint that there is not. False: not now. Who holds the general endpoint may wait for the poll lock. */
static bool drop_strange(const struct net_arrival *a)
{
    struct endpoint *endpoint = endpoint_general();
    if (!endpoint || !endpoint_enter(endpoint))
        return false;
    far_drop(a, endpoint);
    endpoint_left(endpoint);
    return true;
}

enum net_result far_hand_over(struct endpoint *to, const struct header *h, const struct net_arrival *a)
{
    lock_assert_held(&net_poll_lock);
    const struct far_receiver *here = poll.here;
    if (!here || to != here->endpoint || !inbox_empty(&to->inbox) || !here->take(to, h, a, here->arg))
        return NET_AGAIN;
    return poll.greedy ? NET_DONE : NET_AWAITED;
}

/* A message for an endpoint of this process, still to be matched there. False: again later, there is no memory. */
static bool far_arrive(struct comm *c, int lane, MPI_Message message, const MPI_Status *status)
{
    lock_assert_held(&net_poll_lock);
    struct tag_parts parts = tag_unpack(&c->tags, status->MPI_TAG, lane);
    int count;
    MPI_Count bytes;
    mpi_enter();
    MPI_Get_count(status, MPI_BYTE, &count);
    bytes = count;
    if (unlikely(count == MPI_UNDEFINED)) /* more than an int holds */
        MPI_Get_elements_x(status, MPI_BYTE, &bytes);
    mpi_leave();
    struct net_arrival a = {.ops = &arrival_mpi, .bytes = (size_t)bytes, .message = message};
    if (parts.dest >= c->nlocal)
        return drop_strange(&a);
    ep_comm to = c->local[parts.dest];
    int source = rankmap_rank(&c->map, status->MPI_SOURCE, parts.source);
    struct header h = {.view = to,
                       .source = tag_is_union(parts.user) ? source : source - to->peer_base,
                       .tag = parts.user,
                       .kind = ARRIVAL_OBJECT};
    if (tag_is_recall(parts.user, a.bytes)) {
        h.tag = RECALL_TAG;
        a.bytes = (size_t)(parts.user & TAG_USER_MASK);
    }
    if (far_hand_over(to->endpoint, &h, &a) != NET_AGAIN)
        return true;
    if (!inbox_push_arrival(&to->endpoint->inbox, &h, &a))
        return false;
    evcount_notify(&to->endpoint->evcount);
    return true;
}

/* Deliver what is stuck, if anything. False: it still is, and nothing may overtake it. */
static bool far_unstick(struct comm *c)
{
    lock_assert_held(&net_poll_lock);
    struct stuck *s = &c->p2p->stuck;
    if (s->any)
        s->any = !far_arrive(c, s->lane, s->message, &s->status);
    return !s->any;
}

/* One message per lane: its endpoint may be waiting for it. */
static bool far_probe(struct comm *c)
{
    lock_assert_held(&net_poll_lock);
    bool any = false;
    for (int lane = 0; lane < c->nlanes && likely(far_unstick(c)); lane++) {
        int flag = 0;
        MPI_Message message;
        MPI_Status status;
        mpi_enter();
        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, c->lanes[lane], &flag, &message, &status);
        mpi_leave();
        if (!flag)
            continue;
        any = true;
        chaos_point();
        if (unlikely(!far_arrive(c, lane, message, &status)))
            c->p2p->stuck = (struct stuck){true, lane, message, status};
    }
    return any;
}

static bool probe_node(struct node *n)
{
    return far_probe(container_of(n, struct p2p_comm, poll_link)->comm);
}

/* It had a message and may have more. It is not the first, so the round goes on behind the one before it. */
static void to_front(struct node *n)
{
    lock_assert_held(&net_poll_lock);
    poll.cursor = n->prev;
    list_remove(&poll.all, n);
    list_prepend(&poll.all, n);
}

/* Many communicators must not make each look at MPI longer. So each poll looks at the one that had a
 * message last, and at a few of the others in turn. */
static bool probe_some(void)
{
    lock_assert_held(&net_poll_lock);
    bool any = poll.all.first && probe_node(poll.all.first);
    if (any && !poll.greedy && ++poll.found % COLD != 0)
        return true;
    for (int i = 0; i < OTHERS && load_relaxed(&net_poll_lock.wanted) == 0; i++) {
        struct node *before = poll.cursor ? poll.cursor : poll.all.first;
        poll.cursor = before ? before->next : NULL;
        if (!poll.cursor)
            break;
        if (probe_node(poll.cursor)) {
            any = true;
            to_front(poll.cursor);
        }
    }
    return any;
}

/* Windows of MPI that this process has; acq_rel far_count_windows, relaxed far_in_hand. */
static _Atomic long windows;
/* Collective operations that have calls of MPI under way; relaxed: a hint of how to wait. */
static _Atomic long collectives;

bool far_active(void)
{
    return load_relaxed(&poll.comms) > 0 || pending_any() || net_busy() || far_calls_wait() || memory_is_watched();
}

bool far_in_hand(void)
{
    return pending_any() || load_relaxed(&windows) > 0 || load_relaxed(&collectives) > 0 || load_relaxed(&net_am_in_hand) > 0;
}

void far_count_collectives(long change)
{
    add_relaxed(&collectives, change);
}

long far_count_windows(long change)
{
    return add_acq_rel(&windows, change);
}

unsigned far_polls(void)
{
    return load_relaxed(&poll.polls);
}

/* Behind the messages of peers, of which the last went so. */
static bool poll_mpi(enum net_result how, bool greedy)
{
    lock_assert_held(&net_poll_lock);
    bool any = net_shm_tend() || how != NET_AGAIN;
    if (unlikely(process.gated) && process_is_occupied())
        return any; /* for long */
    if (net_am_poll()) {
        poll.hot = HOT;
        any = true;
    }
    /* who waits for an answer would wait for the rest, too */
    bool skips = poll.hot > 0 && ++poll.skipped % COLD != 0;
    if (poll.hot > 0)
        poll.hot--;
    if (!skips)
        any |= pending_test();
    /* MPI wants to be called now and then, whatever for: what it has to do for others may need it */
    skips |= poll.remote == 0 && ++poll.rarely % RARELY != 0;
    for (int i = 0; i < (greedy ? GREEDY : 1) && !skips && probe_some(); i++)
        any = true;
    return any;
}

bool far_poll(const struct far_receiver *here, bool greedy)
{
    if (memory_is_watched())
        memory_poll();
    if (unlikely(process.gated) && load_relaxed(&process.gate.wanted) > 0 && !process_is_occupied())
        return false; /* a poller that comes back at once would keep out those that wait to call MPI */
    if (!far_active() || !mpi_callable())
        return false;
    if (unlikely(load_relaxed(&net_poll_lock.wanted) > 0)) /* pollers would keep out who opens or closes */
        return false;
    if (unlikely(far_calls_wait()))
        far_calls_run(); /* the main thread alone comes here, and some take the poll lock (far_close) */
    if (!lock_try(&net_poll_lock))
        return false;
    store_relaxed(&poll.polls, load_relaxed(&poll.polls) + 1);
    poll.here = here;
    poll.greedy = greedy;
    enum net_result how = net_shm_poll(TAKES, shm_recv);
    bool any = (how == NET_AWAITED && ++poll.awaited % COLD != 0) || poll_mpi(how, greedy);
    poll.here = NULL;
    lock_release(&net_poll_lock);
    return any;
}

void far_occupy(void)
{
    if (likely(!process.gated))
        return;
    lock_acquire(&net_poll_lock); /* or who polls would wait for MPI with it */
    process_occupy();
    lock_release(&net_poll_lock);
}

void far_vacate(void)
{
    if (unlikely(process.gated))
        process_vacate();
}

_Static_assert(sizeof(struct p2p_comm) <= 120, "docs/memory.md");

static bool begin_part(struct comm *c)
{
    c->p2p->comm = c;
    c->quick = quick_of(c);
    return true;
}

__attribute__((constructor)) static void far_attach(void)
{
    static const struct comm_part part = {.bytes = sizeof(struct p2p_comm), .begin = begin_part};
    comm_attach(COMM_SLOT_P2P, &part);
}

void far_prepare(struct comm *c)
{
    if (c->nproc == 1)
        return;
    lock_acquire(&net_poll_lock);
    shm_expect(c);
    lock_release(&net_poll_lock);
}

void far_give_up(struct comm *c)
{
    if (!c->p2p->expected)
        return;
    lock_acquire(&net_poll_lock);
    shm_close(c);
    lock_release(&net_poll_lock);
}

void far_open(struct comm *c)
{
    c->p2p->all_peers = net_all_peers(c);
    if (c->nproc == 1)
        return;
    lock_acquire(&net_poll_lock);
    c->p2p->polled = true;
    shm_open(c);
    poll.remote += !c->p2p->all_peers;
    list_prepend(&poll.all, &c->p2p->poll_link);
    bool first = add_acq_rel(&poll.comms, 1) == 0;
    lock_release(&net_poll_lock);
    if (first) /* till now there was nothing to poll for */
        poller_call();
}

void far_close(struct comm *c)
{
    struct p2p_comm *part = c->p2p;
    if (!part->polled)
        return;
    lock_acquire(&net_poll_lock);
    part->polled = false;
    shm_close(c);
    poll.remote -= !part->all_peers;
    if (poll.cursor == &part->poll_link)
        poll.cursor = part->poll_link.prev;
    list_remove(&poll.all, &part->poll_link);
    pending_start_all();
    if (part->stuck.any)
        far_unstick(c);
    add_relaxed(&poll.comms, -1);
    lock_release(&net_poll_lock);
}

void far_cancel(struct request_send *s)
{
    if (s->far.to.peer) {
        shm_cancel(s);
        return;
    }
    lock_acquire(&net_poll_lock);
    bool withdrawn = pending_withdraw(s);
    if (!withdrawn && mpi_callable())
        pending_cancel(s);
    bool synchronous = pending_has_sync(s);
    lock_release(&net_poll_lock);
    if (withdrawn) {
        hook_cancelled(); /* the receiver will not see it */
        s->head.out.cancelled = true;
        request_complete(&s->head);
    } else if (!synchronous && request_view(&s->head) && !request_is_done(&s->head)) {
        recall(&s->head);
    }
}
