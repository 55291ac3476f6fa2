/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/build.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rma/transfer.h"
#include "rma/am.h"

static bool build_hint(const struct win_ask *ask, const char *key)
{
    mpi_enter();
    bool yes = info_flag(ask->info, key, false);
    mpi_leave();
    return yes;
}

static int build_alignment(const struct win_ask *ask)
{
    if (ask->flavor != MPI_WIN_FLAVOR_SHARED)
        return CACHE_LINE;
    return build_hint(ask, "alloc_shared_noncontig") ? (int)sysconf(_SC_PAGESIZE) : 1;
}

/* Open MPI 4.1 names the file that a window's processes of one machine share after the job and the number of the window's
 * communicator, which disjoint groups of processes may have in common: two windows that they make at the same time take each
 * other's file. Two groups of more than half of all processes have one in common. */
static bool is_most_of_the_job(const struct comm *c)
{
    int all;
    mpi_enter();
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    mpi_leave();
    return 2 * c->nproc > all;
}

struct offer offer_of(ep_comm comm, const struct win_ask *ask)
{
    const struct comm *c = comm->comm;
    bool memory = ask->flavor == MPI_WIN_FLAVOR_CREATE || ask->flavor == MPI_WIN_FLAVOR_ALLOCATE;
    return (struct offer){.size = ask->size,
                          .disp_unit = ask->disp_unit,
                          .flavor = ask->flavor,
                          .width = build_alignment(ask),
                          .native = c->nproc > 1 && memory && settings.rma != RMA_AM && !process.gated &&
                                    !process.funneled && is_most_of_the_job(c),
                          .c11 = build_hint(ask, "ep_c11_atomics"),
                          .base = (uintptr_t)ask->base,
                          .share = ask->flavor == MPI_WIN_FLAVOR_SHARED || settings.rma == RMA_AUTO,
                          .machine = process.machine};
}

/* ---- exchange ---- */

int offers_exchange(struct leaders *p, struct offer offers[])
{
    reserve_free(p->offset);
    reserve_free(p->data);
    p->offset = NULL;
    p->data = NULL;
    int rc = leaders_exchange(p, sizeof(struct offer), 0);
    for (int v = 0; v < p->n && rc == MPI_SUCCESS && offers; v++)
        for (int i = 0; i < p->count[v]; i++)
            memcpy(&offers[rankmap_rank(&p->comm->map, p->proc[v], i)], leaders_item(p, v, i),
                   sizeof *offers);
    return rc;
}

static struct window *window_new(struct comm *c)
{
    struct window *x = calloc(1, sizeof *x);
    size_t nproc = (size_t)c->nproc;
    if (!x)
        return NULL;
    x->comm = c;
    x->segment.fd = -1;
    x->local = calloc((size_t)c->nlocal, sizeof *x->local);
    x->exposed = calloc((size_t)c->map.size, sizeof *x->exposed);
    x->remote = calloc(nproc, sizeof *x->remote);
    serve_begin();
    if (c->nproc > 1)
        x->domain = net_am_open(c->domain);
    if (x->local && x->exposed && x->remote && (x->domain || c->nproc == 1))
        return x;
    window_delete(x);
    return NULL;
}

void window_delete(struct window *x)
{
    if (!x)
        return;
    native_free(x);
    if (x->domain)
        net_am_close(x->domain);
    segment_free(&x->segment);
    if (x->slab)
        munmap(x->slab, x->slab_bytes);
    free(x->local);
    free(x->exposed);
    free(x->remote);
    free(x);
}

/* Of the target lock of rank, as this process sees it. */
static _Atomic int *lock_word_at(const struct window *x, int rank, uint64_t place)
{
    int index, proc = win_process(x, rank, &index);
    struct net_peer *peer = net_peer_of(x->comm, proc);
    if (proc == x->comm->proc)
        return x->local[index]->target_lock.word;
    return peer && place ? net_word_of(peer, place) : NULL;
}

/* Without one, by messages: what is attached to a dynamic window the target alone knows, and memory that is allocated is where
 * slices_make says. */
static bool build_is_copied(const struct window *x, int rank)
{
    int index;
    return x->flavor == MPI_WIN_FLAVOR_CREATE && settings.rma == RMA_AUTO && !win_is_near(x, rank, &index) &&
           net_peer_of(x->comm, win_process(x, rank, &index));
}

/* What does not depend on allocated memory. All have called the same function (derive/gather.h). */
static void build_introduce(struct leaders *p, struct window *x, const struct offer offers[])
{
    int index;
    x->flavor = offers[0].flavor;
    for (int i = 0; i < p->gather->size; i++)
        x->local[i] = joiner_at(p, i)->win;
    x->arena.stripes = &process_stripes;
    store_relaxed(&x->open, p->comm->nlocal);
    for (int v = 0; v < p->n; v++) {
        x->remote[p->proc[v]] = offers[rankmap_rank(&p->comm->map, p->proc[v], 0)].local;
    }
    for (int r = 0; r < p->comm->map.size; r++) {
        x->arena.c11 |= offers[r].c11; /* whoever executes an accumulate does it for all */
        bool copied = build_is_copied(x, r);
        x->exposed[r] = (struct exposed){.base = copied ? (char *)(uintptr_t)offers[r].base : NULL,
                                         .size = (size_t)offers[r].size,
                                         .disp_unit = offers[r].disp_unit,
                                         .direct = win_is_near(x, r, &index),
                                         .copied = copied,
                                         .lock = lock_word_at(x, r, offers[r].lock)};
    }
    for (int i = 0; i < p->gather->size; i++) {
        struct joiner *j = joiner_at(p, i);
        ep_win win = j->win;
        win->window = x;
        win->exposed = x->exposed;
        win->ranks = win->view->size;
        win->counters = &win->view->endpoint->own;
        win->base = j->ask->base;
        win->size = j->ask->size;
        win->disp_unit = j->ask->disp_unit;
        win->create_flavor = x->flavor;
        win->memory_model = MPI_WIN_UNIFIED;
        x->exposed[win->view->rank].base = win->base;
    }
}

/* ---- native windows ---- */

/* Is there anybody whose memory is not reached, and can all processes? All answer alike: on one machine all are peers or
 * none is, and with several each process has somebody on another one. */
static bool wants_native(const struct window *x, const struct offer offers[])
{
    bool far = false, all = true;
    for (int r = 0; r < x->comm->map.size; r++) {
        far |= !x->exposed[r].direct && !x->exposed[r].copied;
        all &= offers[r].native;
    }
    return far && all;
}

/* The most endpoints of one process. */
static int most_local(const struct leaders *p)
{
    int n = 0;
    for (int v = 0; v < p->n; v++)
        n = p->count[v] > n ? p->count[v] : n;
    return n;
}

/* MPI makes windows one after the other in a process (derive/vote.c), and all keep to the same decision. Where MPI cannot make
 * them, or the limit is reached, messages do everything. */
static int make_native(struct leaders *p, struct window *x)
{
    bool reserved = native_reserve(x, most_local(p));
    int rc = leaders_vote(p, reserved ? MPI_SUCCESS : MPI_ERR_OTHER, true);
    if (rc == MPI_SUCCESS) {
        rc = native_make(x);
        leaders_unlock(p, true);
        rc = leaders_vote(p, rc, false);
    }
    if (rc == MPI_SUCCESS)
        x->native_min = settings.rma == RMA_NATIVE ? 0 : (size_t)settings.rma_native_min;
    else
        native_free(x);
    return MPI_SUCCESS;
}

/* ---- all ---- */

static int build_window(struct leaders *p, struct window *x, struct offer offers[], const char **why)
{
    for (int i = 0; i < p->gather->size && p->gather->slot; i++) /* without slots the leaders fail for all */
        joiner_at(p, i)->offer.local = x ? x->local : NULL;
    int rc = offers_exchange(p, offers);
    /* who had no memory before the exchange says so now */
    if ((rc = leaders_vote(p, rc ? rc : x ? MPI_SUCCESS : MPI_ERR_NO_MEM, false)))
        return rc;
    build_introduce(p, x, offers);
    bool allocates = x->flavor == MPI_WIN_FLAVOR_ALLOCATE || x->flavor == MPI_WIN_FLAVOR_SHARED;
    if (allocates && (rc = slices_make(p, x, offers, why)))
        return rc;
    return wants_native(x, offers) ? make_native(p, x) : MPI_SUCCESS;
}

void window_build(struct leaders *p, void *unused)
{
    const char *why = NULL;
    struct window *x = window_new(p->comm);
    struct offer *offers = x ? calloc((size_t)p->comm->map.size, sizeof *offers) : NULL;
    (void)unused;
    if (x && !offers) {
        window_delete(x);
        x = NULL;
    }
    int rc = build_window(p, x, offers, &why);
    for (int i = 0; x && i < p->comm->nlocal; i++)
        net_shm_goes_out(&x->local[i]); /* to serve_target */
    rc = leaders_vote(p, rc, false);    /* nobody sends to a window that is not ready */
    free(offers);
    if (rc == MPI_SUCCESS)
        return;
    window_delete(x);
    leaders_fail(p, rc, why);
}
