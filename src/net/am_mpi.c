/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages by MPI, on domain->am.
 *
 * Arrivals: a ring of persistent receives from anybody with tag 0, started in order. MPI matches messages to receives in the
 * order in which those were started, so testing only the oldest sees all messages in the order in which MPI
 * matched them. A message is carried out before its receive is started again. Only the holder of the poll lock does that.
 *
 * Departures: MPI_Isend of a packet by any thread. What MPI does not take at once stays in `leaving`, which the polls
 * test. A thread that may not call MPI (MPI_THREAD_FUNNELED) leaves its packet in `queue`; while anything is there,
 * everything goes there, so the order stays.
 */
#include <stdlib.h>

#include "net/am.h"

enum { TAG_AM = 0, ARRIVALS = 16 /* messages carried out by one poll */ };

static void am_mpi_enqueue(struct net_am_domain *d, struct net_packet *p)
{
    lock_acquire(&d->lock);
    p->next = NULL;
    *d->queue_end = p;
    d->queue_end = &p->next;
    add_relaxed(&d->nqueued, 1);
    lock_release(&d->lock);
}

_Atomic long net_am_in_hand; /* relaxed: am.h */

/* False: MPI would not have it now. */
static bool am_mpi_depart(struct net_am_domain *d, struct net_packet *p)
{
    int done = 0;
    mpi_enter();
    int rc = MPI_Isend(&p->head, (int)p->bytes, MPI_BYTE, p->to, TAG_AM, d->domain->am, &p->mpi);
    if (rc == MPI_SUCCESS)
        MPI_Test(&p->mpi, &done, MPI_STATUS_IGNORE);
    mpi_leave();
    if (rc != MPI_SUCCESS)
        return false;
    lock_acquire(&d->lock);
    if (done) {
        net_packet_put_locked(p);
    } else {
        p->next = d->leaving;
        d->leaving = p;
        add_relaxed(&d->nleaving, 1);
        add_relaxed(&net_am_in_hand, 1);
    }
    lock_release(&d->lock);
    return true;
}

void net_am_mpi_send(struct net_packet *p)
{
    struct net_am_domain *d = p->domain;
    if (unlikely(!mpi_callable() || load_acquire(&d->nqueued) > 0) || !am_mpi_depart(d, p))
        am_mpi_enqueue(d, p);
}

/* In order: what is taken out here is still counted as waiting until it has left, so nothing overtakes it. */
static bool depart_queued(struct net_am_domain *d)
{
    for (bool any = false;; any = true) {
        lock_acquire(&d->lock);
        struct net_packet *p = d->queue;
        if (p && !(d->queue = p->next))
            d->queue_end = &d->queue;
        lock_release(&d->lock);
        if (!p)
            return any;
        if (!am_mpi_depart(d, p)) {
            lock_acquire(&d->lock);
            if (!(p->next = d->queue))
                d->queue_end = &p->next;
            d->queue = p;
            lock_release(&d->lock);
            return any;
        }
        sub_acq_rel(&d->nqueued, 1);
    }
}

static bool test_leaving(struct net_am_domain *d)
{
    struct net_packet *p, *next, *rest = NULL, *over = NULL;
    lock_acquire(&d->lock);
    p = d->leaving;
    d->leaving = NULL;
    lock_release(&d->lock);
    for (; p; p = next) {
        int done = 0;
        next = p->next;
        mpi_enter();
        MPI_Test(&p->mpi, &done, MPI_STATUS_IGNORE);
        mpi_leave();
        struct net_packet **to = done ? &over : &rest;
        p->next = *to;
        *to = p;
    }
    bool any = over != NULL;
    lock_acquire(&d->lock);
    for (; over; over = next) {
        next = over->next;
        net_packet_put_locked(over);
        add_relaxed(&d->nleaving, -1);
        add_relaxed(&net_am_in_hand, -1);
    }
    for (; rest; rest = next) {
        next = rest->next;
        rest->next = d->leaving;
        d->leaving = rest;
    }
    lock_release(&d->lock);
    return any;
}

/* ---- arrivals ---- */

static void start_ring(struct net_am_domain *d)
{
    mpi_enter();
    for (int i = 0; i < NET_RING; i++) {
        MPI_Recv_init(d->slot[i], NET_AM_MAX, MPI_BYTE, MPI_ANY_SOURCE, TAG_AM, d->domain->am, &d->ring[i]);
        MPI_Start(&d->ring[i]);
    }
    mpi_leave();
    d->ringing = true;
}

/* The oldest message; and its receive is started again. NET_AGAIN: there is none, or it has to stay. */
static enum net_result am_mpi_arrive(struct net_am_domain *d)
{
    int flag = d->stuck;
    MPI_Status status;
    if (!d->stuck) {
        mpi_enter();
        MPI_Test(&d->ring[d->head], &flag, &status);
        mpi_leave();
        if (!flag)
            return NET_AGAIN;
        d->stuck_source = status.MPI_SOURCE;
    }
    chaos_point();
    enum net_result how = net_am_carry_out(d->slot[d->head], d->stuck_source);
    d->stuck = how == NET_AGAIN;
    if (d->stuck)
        return how;
    mpi_enter();
    MPI_Start(&d->ring[d->head]);
    mpi_leave();
    d->head = (d->head + 1) % NET_RING;
    return how;
}

bool net_am_mpi_busy(struct net_am_domain *d)
{
    return load_relaxed(&d->nleaving) + load_relaxed(&d->nqueued) + load_relaxed(&d->nbulks) > 0;
}

bool net_am_mpi_poll(struct net_am_domain *d)
{
    bool any = false;
    if (unlikely(d->remote && !d->ringing))
        start_ring(d);
    if (unlikely(load_relaxed(&d->nqueued) > 0))
        any = depart_queued(d);
    if (load_relaxed(&d->nleaving) > 0)
        any |= test_leaving(d);
    if (load_relaxed(&d->nbulks) > 0)
        any |= net_bulk_poll(d);
    enum net_result how = d->remote ? NET_DONE : NET_AGAIN;
    for (int i = 0; i < ARRIVALS && how == NET_DONE; i++)
        any |= (how = am_mpi_arrive(d)) != NET_AGAIN;
    return any;
}

bool net_am_mpi_prepare(struct net_am_domain *d)
{
    char *slots = d->slot[0] ? NULL : aligned_alloc(CACHE_LINE, (size_t)NET_RING * NET_AM_MAX);
    for (int i = 0; slots && i < NET_RING; i++)
        d->slot[i] = (struct net_am *)(void *)(slots + (size_t)i * NET_AM_MAX);
    return d->slot[0] != NULL;
}

static bool am_mpi_has_left(void *domain)
{
    return !net_am_mpi_busy(domain);
}

static bool am_mpi_test_all(void *domain)
{
    bool left = test_leaving(domain);
    return net_bulk_poll(domain) || left;
}

/* What is still under way has been received by its receiver, only MPI has not said so yet. */
void net_am_mpi_end(struct net_am_domain *d)
{
    int off = 0;
    MPI_Finalized(&off);
    if (!off)
        wait_serving(am_mpi_has_left, am_mpi_test_all, d, POLICY_END);
    mpi_enter();
    for (int i = 0; i < NET_RING && d->ringing && !off; i++) {
        MPI_Cancel(&d->ring[i]);
        MPI_Wait(&d->ring[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&d->ring[i]);
    }
    mpi_leave();
    d->ringing = false;
    d->head = 0;
}
