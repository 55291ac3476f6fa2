/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A window is made in three steps, each collective: the endpoints duplicate the communicator; each gets
 * memory for its own part and comes to a local gather, where the leaders of the processes exchange what all
 * have brought and make the rest (build.c); then each has its window. A failure anywhere, of arguments too,
 * is everybody's.
 */
#include <stdlib.h>

#include "rma/build.h"
#include "rma/transfer.h"

_Static_assert(sizeof(void *) != 8 || (sizeof(struct ep_win_s) <= 448 && sizeof(struct channel) == 56 &&
                                       sizeof(struct exposed) == 32),
               "docs/rma.md");

static struct lock wins_lock = LOCK_FREE(WINDOWS);
static struct pool wins; /* under wins_lock; type-stable, so that a freed handle is recognised */

/* Another thread may just free it. */
static void create_end(void *item)
{
    ep_win win = item;
    uint32_t live = WINDOW_LIVE, accessed = REQUEST_LIVE;
    atomic_compare_exchange_strong_explicit(&win->magic, &live, WINDOW_ENDED, memory_order_relaxed,
                                            memory_order_relaxed);
    atomic_compare_exchange_strong_explicit(&win->accessed.magic, &accessed, REQUEST_ENDED,
                                            memory_order_relaxed, memory_order_relaxed);
}

/* MPI ends. */
static void windows_end(void)
{
    lock_acquire(&wins_lock);
    pool_each(&wins, create_end);
    lock_release(&wins_lock);
}

bool win_of_ended(ep_win win)
{
    return win_has_ended(win) && process_mpi_runs();
}

static ep_win win_new(void)
{
    static _Atomic bool watches; /* exchanged in win_new */
    if (unlikely(!load_relaxed(&watches)) && !swap_acquire(&watches, true)) {
        mpi_enter();
        process_at_end(END_WINDOWS, windows_end);
        mpi_leave();
    }
    lock_acquire(&wins_lock);
    if (!wins.item_size)
        pool_init(&wins, sizeof(struct ep_win_s));
    ep_win win = pool_get(&wins);
    lock_release(&wins_lock);
    if (win) {
        struct pool pending_gets = win->pending_gets; /* its memory stays with it */
        struct pending_get *spare = load_relaxed(&win->spare);
        memset(win, 0, sizeof *win);
        lock_init(&win->epochs, LOCK_EPOCHS);
        lock_init(&win->pending_gets_lock, LOCK_PENDING_GETS);
        regions_init(&win->regions);
        win->pending_gets = pending_gets;
        store_relaxed(&win->spare, spare);
        if (!pending_gets.item_size)
            pool_init(&win->pending_gets, sizeof(struct pending_get));
    }
    return win;
}

static void win_delete(ep_win win)
{
    if (win->target_lock_place)
        net_word_put(win->target_lock.word);
    free(win->open);
    free(win->channel);
    free(win->by_native);
    free(win->started);
    free(win->posted);
    free(win->used);
    regions_free(&win->regions);
    handle_end_use(&win->accessed.fortran);
    store_relaxed(&win->magic, WINDOW_FREED);
    lock_acquire(&wins_lock);
    pool_put(&wins, win);
    lock_release(&wins_lock);
}

/* What its epochs need, by rank and by process. */
static bool create_equip(ep_win win)
{
    const struct comm *c = win->view->comm;
    size_t size = (size_t)c->map.size, nproc = (size_t)c->nproc;
    win->target_lock_place = 0;
    target_lock_init(&win->target_lock, c->domain->peers ? net_word_get(&win->target_lock_place) : NULL);
    win->open = calloc(size, sizeof *win->open);
    win->posted = calloc(size, sizeof *win->posted);
    win->used = calloc(size, sizeof *win->used);
    win->by_native = calloc((size_t)1 << c->tags.width, sizeof *win->by_native);
    if (c->nproc > 1)
        win->channel = calloc(nproc, sizeof *win->channel);
    for (size_t p = 0; win->channel && p < nproc; p++)
        win->channel[p] = (struct channel){.win = win,
                                           .channel = {.evcount = &win->view->endpoint->evcount,
                                                       .to = comm_inner(c, (int)p),
                                                       .lock = LOCK_FREE(CHANNEL)}};
    return win->open && win->posted && win->used && win->by_native && (win->channel || c->nproc == 1);
}

/* Errors of the local gather are not raised on the window's communicator, which no user knows. */
static int win_create_build(struct where w, ep_comm view, struct joiner *j)
{
    struct gather_slot s = {.view = view, .data = &j->offer, .extra = j};
    struct whole call = {.slot = &s, .act = window_build};
    errhandler_put(&view->errhandler, EP_ERRORS_RETURN, ERRHANDLER_WIN);
    j->win->view = view;
    request_init_accessed(&j->win->accessed, view);
    if (!view_set_part(view, HANDLE_WIN, j->win) || !create_equip(j->win))
        s.rc = MPI_ERR_NO_MEM;
    j->offer.lock = j->win->target_lock_place;
    return whole_call((struct where){view, w.call}, &call);
}

/* told: an error of its own that the caller was told of already. */
int rma_create(struct where w, const struct win_ask *ask, int told, ep_win *win)
{
    ep_comm view = NULL;
    struct joiner j = {.ask = ask, .win = win_new()};
    int rc = derive_duplicate(w, told ? told : j.win ? MPI_SUCCESS : MPI_ERR_NO_MEM, &view);
    if (rc == MPI_SUCCESS) {
        j.offer = offer_of(w.view, ask);
        rc = win_create_build(w, view, &j);
        if (rc == MPI_SUCCESS) {
            errhandler_put(&view->errhandler, EP_ERRORS_ARE_FATAL, ERRHANDLER_WIN);
            store_relaxed(&j.win->magic, WINDOW_LIVE);
            *win = j.win;
            return MPI_SUCCESS;
        }
        view_set_part(view, HANDLE_WIN, NULL);
        endpoint_close_view(view);
        endpoints_retire();
    }
    if (j.win)
        win_delete(j.win);
    return told ? told : handle_error(w.view, rc);
}

/* ---- the end ---- */

/* MPI's part is collective and blocks, so processes with one thread must not be in it for different windows:
 * they take the creation lock (derive/vote.c). Where they cannot agree, for want of memory, none
 * can, and they do without. */
static void free_native(struct leaders *p, void *window)
{
    int rc = leaders_exchange(p, 0, 0);
    if (rc == MPI_SUCCESS)
        rc = leaders_vote(p, rc, true);
    native_free(window);
    if (rc == MPI_SUCCESS)
        leaders_unlock(p, true);
}

/* Nobody goes on before all endpoints have come. */
static int come_together(struct where w, ep_win win)
{
    struct call barrier = {.name = w.call, .kind = COLL_BARRIER};
    struct gather_slot s = {.view = w.view};
    struct whole call = {.slot = &s, .act = free_native, .arg = win->window};
    return win->window->nnative > 0 ? whole_call(w, &call) : coll_run(w, &barrier, NULL);
}

/* When the last endpoint of the process has come here all endpoints everywhere have come together, and nothing is under
 * way. */
static void close_window(ep_win win)
{
    struct window *x = win->window;
    if (sub_acq_rel(&x->open, 1) == 1)
        window_delete(x);
}

int rma_free(struct where w, ep_win *handle)
{
    ep_win win = *handle;
    int fault =
        channel_raise(w, win, channel_wait_all(win, false)); /* the others wait: it goes on all the same */
    int rc = come_together(w, win);
    if (rc != MPI_SUCCESS)
        return rc;
    ep_comm view = win->view;
    close_window(win);
    win_delete(win);
    view_set_part(view, HANDLE_WIN, NULL);
    endpoint_close_view(view);
    endpoints_retire();
    *handle = EP_WIN_NULL;
    return fault;
}

/* ---- what can be asked of a window, and memory of dynamic ones ---- */

int rma_shared_query(struct where w, ep_win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr)
{
    const struct window *x = win->window;
    if (x->flavor != MPI_WIN_FLAVOR_SHARED)
        return raise_error(w, MPI_ERR_RMA_FLAVOR, "win was not made by ep_win_allocate_shared");
    if (rank == MPI_PROC_NULL)
        for (rank = 0; rank < x->comm->map.size - 1 && x->exposed[rank].size == 0;)
            rank++;
    const struct exposed *e = &x->exposed[rank];
    *size = (MPI_Aint)e->size;
    *disp_unit = e->disp_unit;
    *(void **)baseptr = e->size > 0 ? e->base : NULL;
    return MPI_SUCCESS;
}

static int check_dynamic(struct where w, ep_win win)
{
    return win->window->flavor == MPI_WIN_FLAVOR_DYNAMIC
               ? MPI_SUCCESS
               : raise_error(w, MPI_ERR_RMA_FLAVOR, "win was not made by ep_win_create_dynamic");
}

int rma_attach(struct where w, ep_win win, void *base, MPI_Aint size)
{
    int rc = check_dynamic(w, win);
    if (rc || (rc = regions_attach(&win->regions, base, (size_t)size)) == MPI_SUCCESS)
        return rc;
    if (rc == MPI_ERR_NO_MEM)
        return raise_error(w, rc, "no memory to attach %td bytes", (ptrdiff_t)size);
    return raise_error(w, rc, "a part of the %td bytes at %p is attached already", (ptrdiff_t)size, base);
}

int rma_detach(struct where w, ep_win win, const void *base)
{
    int rc = check_dynamic(w, win);
    if (rc)
        return rc;
    return regions_detach(&win->regions, base)
               ? MPI_SUCCESS
               : raise_error(w, MPI_ERR_RMA_ATTACH, "no attached memory begins at %p", base);
}
