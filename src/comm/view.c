/* SPDX-License-Identifier: BSD-3-Clause */
/* Views are type-stable, so that a freed handle is recognised. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"
#include "comm/errhandler.h"
#include "comm/handle.h"
#include "comm/topology.h"

/* docs/memory.md, which is about 64-bit systems. */
_Static_assert(sizeof(void *) != 8 ||
                   (sizeof(struct ep_comm_s) == 80 && offsetof(struct ep_comm_s, lock) == CACHE_LINE),
               "a view, to which p2p adds 48 (endpoint_views.c)");
_Static_assert(sizeof(struct comm) <= 240, "what is shared by the endpoints of a process");

static struct pool views; /* under views_lock */
static struct lock views_lock = LOCK_FREE(VIEWS);
static size_t attached; /* bytes behind each; constant when there are any */

void view_attach(size_t bytes)
{
    assert(!attached && !views.item_size);
    attached = bytes;
}

ep_comm view_new(void)
{
    lock_acquire(&views_lock);
    if (!views.item_size)
        pool_init(&views, sizeof(struct ep_comm_s) + attached);
    ep_comm v = pool_get(&views);
    lock_release(&views_lock);
    if (!v)
        return NULL;
    memset(v, 0, sizeof *v + attached);
    lock_init(&v->lock, LOCK_VIEW);
    return v;
}

void view_init(ep_comm v, struct comm *c, int index, ep_errhandler errhandler)
{
    assert((unsigned)index < (unsigned)c->nlocal);
    static _Atomic uint64_t serials; /* relaxed */
    int rank = rankmap_rank(&c->map, c->proc, index), lower = c->group[0]->size;
    v->serial = add_relaxed(&serials, 1) + 1;
    v->rank = rank;
    v->size = v->peers = lower;
    v->index = index;
    if (c->inter) {
        int upper = c->group[1]->size;
        bool above = rank >= lower;
        v->rank = above ? rank - lower : rank;
        v->size = above ? upper : lower;
        v->peers = above ? lower : upper;
        v->peer_base = above ? 0 : lower;
    }
    v->comm = c;
    c->local[index] = v;
    store_relaxed(&v->errhandler, errhandler_hold(errhandler));
}

static void extras_delete(struct extras *x)
{
    if (!x)
        return;
    topology_drop(x->topology);
    handle_drop(x->fortran);
    errhandler_drop(load_relaxed(&x->no_file));
    if (x->info != MPI_INFO_NULL) {
        int off = 0;
        mpi_enter();
        MPI_Finalized(&off);
        if (!off)
            MPI_Info_free(&x->info);
        mpi_leave();
    }
    free(x);
}

void view_delete(ep_comm v)
{
    assert(!v->endpoint);
    store_relaxed(&v->magic, VIEW_FREED);
    extras_delete(v->extras);
    v->extras = NULL;
    errhandler_drop(load_relaxed(&v->errhandler));
    lock_acquire(&views_lock);
    pool_put(&views, v);
    lock_release(&views_lock);
}

struct extras *view_extras(ep_comm v)
{
    lock_acquire(&v->lock);
    if (!v->extras && (v->extras = calloc(1, sizeof *v->extras))) {
        v->extras->info = MPI_INFO_NULL;
        store_relaxed(&v->extras->no_file, EP_ERRORS_RETURN);
    }
    lock_release(&v->lock);
    return v->extras;
}

bool view_set_part(ep_comm v, enum handle_kind kind, void *object)
{
    assert(kind == HANDLE_WIN || kind == HANDLE_FILE);
    struct extras *x = object ? view_extras(v) : v->extras;
    lock_acquire(&v->lock);
    if (x) {
        x->part = object;
        x->part_kind = kind;
    }
    lock_release(&v->lock);
    return x || !object;
}

void *view_part(ep_comm v, enum handle_kind kind)
{
    lock_acquire(&v->lock);
    const struct extras *x = v->extras;
    void *object = x && x->part_kind == kind ? x->part : NULL;
    lock_release(&v->lock);
    return object;
}

bool view_is_part_locked(const struct ep_comm_s *v)
{
    lock_assert_held(&v->lock);
    return v->extras && v->extras->part;
}

/* Another thread may just free it. */
static void view_end(void *item)
{
    uint32_t live = VIEW_LIVE;
    atomic_compare_exchange_strong_explicit(&((ep_comm)item)->magic, &live, VIEW_ENDED, memory_order_relaxed,
                                            memory_order_relaxed);
}

void views_end(void)
{
    lock_acquire(&views_lock);
    pool_each(&views, view_end);
    lock_release(&views_lock);
}

/* ---- which of them the thread is bound to ---- */

static _Thread_local struct binding here;
static _Thread_local struct bsend *own_buffer;

ep_comm thread_world(void)
{
    ep_comm world = here.world;
    if (here.counts && !load_acquire(here.counts))
        return NULL;
    return world && view_is_whole(world) && world->serial == here.world_serial ? world : NULL;
}

void thread_bind_while(ep_comm w, const _Atomic bool *inside)
{
    here.world = w;
    here.world_serial = w ? w->serial : 0;
    here.counts = inside;
}

void thread_bind(ep_comm w)
{
    thread_bind_while(w, NULL);
}

struct bsend **thread_buffer(void)
{
    return here.buffer ? here.buffer : &own_buffer;
}

struct binding thread_binding(void)
{
    struct binding b = here;
    b.buffer = thread_buffer();
    return b;
}

void thread_act_as(const struct binding *b)
{
    here = *b;
}

ep_comm handle_of(ep_comm view)
{
    if (!load_relaxed(&process.runs_ranks))
        return view;
    if (view->is_self)
        return EP_COMM_SELF;
    return view == thread_world() ? EP_COMM_WORLD : view;
}

MPI_Fint view_number(ep_comm view)
{
    ep_comm comm = handle_of(view);
    lock_acquire(&view->lock);
    void *part = view_is_part_locked(view) ? view->extras->part : NULL;
    enum handle_kind kind = part ? view->extras->part_kind : HANDLE_COMM;
    lock_release(&view->lock);
    if (!part && comm != view)
        return handle_of_constant(comm);
    struct extras *x = view_extras(view);
    MPI_Fint number = x ? handle_number(kind, part ? part : view, &x->fortran) : 0;
    return number ? number : handle_of_constant(NULL);
}

void view_forget_number(ep_comm view)
{
    lock_acquire(&view->lock);
    MPI_Fint number = view->extras ? view->extras->fortran : 0;
    if (number)
        view->extras->fortran = 0;
    lock_release(&view->lock);
    handle_drop(number);
}
