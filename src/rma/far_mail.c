/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "rma/mail.h"
#include "rma/serve.h"

enum { TAG_AM = 0, ARRIVALS = 16 /* messages carried out by one poll */ };

/* ---- departures ---- */

struct parcel *mail_parcel(struct mail *m)
{
    lock_acquire(&m->lock);
    struct parcel *p = pool_get(&m->parcels);
    lock_release(&m->lock);
    return p;
}

void mail_return(struct mail *m, struct parcel *p)
{
    lock_acquire(&m->lock);
    pool_put(&m->parcels, p);
    lock_release(&m->lock);
}

static void leave_waiting(struct mail *m, struct parcel *p)
{
    lock_acquire(&m->lock);
    p->next = NULL;
    *m->last_waiting = p;
    m->last_waiting = &p->next;
    add_relaxed(&m->nwaiting, 1);
    lock_release(&m->lock);
}

/* False: MPI would not have it now. */
static bool depart(struct mail *m, struct parcel *p)
{
    int done = 0;
    mpi_enter();
    int rc = MPI_Isend(&p->am, (int)p->bytes, MPI_BYTE, p->to, TAG_AM, m->universe->am, &p->mpi);
    if (rc == MPI_SUCCESS)
        MPI_Test(&p->mpi, &done, MPI_STATUS_IGNORE);
    mpi_leave();
    if (rc != MPI_SUCCESS)
        return false;
    lock_acquire(&m->lock);
    if (done) {
        pool_put(&m->parcels, p);
    } else {
        p->next = m->leaving;
        m->leaving = p;
        add_relaxed(&m->nleaving, 1);
    }
    lock_release(&m->lock);
    return true;
}

void mail_send(struct mail *m, struct parcel *p, int to, size_t bytes)
{
    p->to = to;
    p->bytes = (uint32_t)(sizeof p->am + bytes);
    chaos_point();
    if (unlikely(!mpi_callable() || load_relaxed(&m->nwaiting) > 0) || !depart(m, p))
        leave_waiting(m, p);
}

/* In order: what is taken out here is still counted as waiting until it has left, so nothing overtakes it. */
static bool depart_waiting(struct mail *m)
{
    for (bool any = false;; any = true) {
        lock_acquire(&m->lock);
        struct parcel *p = m->waiting;
        if (p && !(m->waiting = p->next))
            m->last_waiting = &m->waiting;
        lock_release(&m->lock);
        if (!p)
            return any;
        if (!depart(m, p)) {
            lock_acquire(&m->lock);
            if (!(p->next = m->waiting))
                m->last_waiting = &p->next;
            m->waiting = p;
            lock_release(&m->lock);
            return any;
        }
        add_relaxed(&m->nwaiting, -1);
    }
}

static bool test_leaving(struct mail *m)
{
    struct parcel *p, *next, *rest = NULL, *over = NULL;
    lock_acquire(&m->lock);
    p = m->leaving;
    m->leaving = NULL;
    lock_release(&m->lock);
    for (; p; p = next) {
        int done = 0;
        next = p->next;
        mpi_enter();
        MPI_Test(&p->mpi, &done, MPI_STATUS_IGNORE);
        mpi_leave();
        struct parcel **to = done ? &over : &rest;
        p->next = *to;
        *to = p;
    }
    bool any = over != NULL;
    lock_acquire(&m->lock);
    for (; over; over = next) {
        next = over->next;
        pool_put(&m->parcels, over);
        add_relaxed(&m->nleaving, -1);
    }
    for (; rest; rest = next) {
        next = rest->next;
        rest->next = m->leaving;
        m->leaving = rest;
    }
    lock_release(&m->lock);
    return any;
}

/* ---- arrivals ---- */

static void start_ring(struct mail *m)
{
    mpi_enter();
    for (int i = 0; i < RING; i++) {
        MPI_Recv_init(m->slot[i], (int)(sizeof(struct am) + PARCEL_DATA), MPI_BYTE, MPI_ANY_SOURCE, TAG_AM,
                      m->universe->am, &m->ring[i]);
        MPI_Start(&m->ring[i]);
    }
    mpi_leave();
    m->ringing = true;
}

/* The message at the head, if there is one; and its receive is started again. */
static bool arrive(struct mail *m, bool *answer)
{
    int flag = m->stuck;
    MPI_Status status;
    if (!m->stuck) {
        mpi_enter();
        MPI_Test(&m->ring[m->head], &flag, &status);
        mpi_leave();
        if (!flag)
            return false;
        m->stuck_source = status.MPI_SOURCE;
    }
    chaos_point();
    const struct am *am = m->slot[m->head];
    *answer = am->kind >= AM_ACK;
    m->stuck = !serve_am(m, m->stuck_source, am, (const unsigned char *)(am + 1));
    if (m->stuck)
        return false;
    mpi_enter();
    MPI_Start(&m->ring[m->head]);
    mpi_leave();
    m->head = (m->head + 1) % RING;
    return true;
}

static bool under_way(struct mail *m)
{
    return load_relaxed(&m->nleaving) + load_relaxed(&m->nwaiting) + load_relaxed(&m->nbulks) > 0;
}

static bool look(struct far_watch *w)
{
    struct mail *m = container_of(w, struct mail, watch);
    bool any = false;
    if (load_relaxed(&m->users) == 0 && !under_way(m))
        return false;
    if (unlikely(!m->ringing))
        start_ring(m);
    if (unlikely(load_relaxed(&m->nwaiting) > 0))
        any = depart_waiting(m);
    if (load_relaxed(&m->nleaving) > 0)
        any |= test_leaving(m);
    if (load_relaxed(&m->nbulks) > 0)
        any |= bulk_poll(m);
    bool answer = false; /* somebody waits for it: back to him */
    for (int i = 0; i < ARRIVALS && !answer && arrive(m, &answer); i++)
        any = true;
    return any;
}

/* ---- its life ---- */

static struct lock opening; /* guards universe->mail and spare */
static struct mail *spare;

/* Its universe goes. What is still under way has been received by its receiver, only MPI has not said so yet. */
static void end(struct mail *m)
{
    int off = 0;
    far_unwatch(&m->watch);
    MPI_Finalized(&off);
    while (!off && under_way(m)) {
        test_leaving(m);
        bulk_poll(m);
    }
    mpi_enter();
    for (int i = 0; i < RING && m->ringing && !off; i++) {
        MPI_Cancel(&m->ring[i]);
        MPI_Wait(&m->ring[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&m->ring[i]);
    }
    mpi_leave();
    m->ringing = false;
    m->head = 0;
    lock_acquire(&opening);
    m->next_spare = spare;
    spare = m;
    lock_release(&opening);
}

static struct mail *make(void)
{
    struct mail *m = calloc(1, sizeof *m);
    size_t stride = (sizeof(struct am) + PARCEL_DATA + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    char *slots = m ? aligned_alloc(CACHE_LINE, RING * stride) : NULL;
    struct parcel *first = NULL;
    if (slots) {
        pool_init(&m->parcels, sizeof(struct parcel) + PARCEL_DATA);
        first = pool_get(&m->parcels);
    }
    if (!first) {
        free(slots);
        free(m);
        return NULL;
    }
    pool_put(&m->parcels, first); /* some are there from the beginning: others wait for answers */
    m->last_waiting = &m->waiting;
    for (int i = 0; i < RING; i++)
        m->slot[i] = (struct am *)(void *)(slots + (size_t)i * stride);
    m->watch.look = look;
    return m;
}

static struct mail *take(struct universe *u)
{
    struct mail *m = spare;
    if (m)
        spare = m->next_spare;
    else
        m = make();
    if (m) {
        m->universe = u;
        u->mail = m;
        u->end_mail = end;
        far_watch(&m->watch);
    }
    return m;
}

struct mail *mail_open(struct universe *u)
{
    lock_acquire(&opening);
    struct mail *m = u->mail ? u->mail : take(u);
    if (m)
        add_acq_rel(&m->users, 1);
    lock_release(&opening);
    return m;
}

void mail_close(struct mail *m)
{
    sub_acq_rel(&m->users, 1);
}
