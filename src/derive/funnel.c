/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/funnel.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "derive/derive.h"

static struct {
    struct lock lock;
    struct pool pool;       /* of handles */
    bool runs;              /* a function */
    struct list waiting;    /* turns, in the order in which they came */
    struct identity runner; /* whose function runs */
} funnels = {.lock = LOCK_FREE(FUNNELS)};

static _Thread_local bool inside; /* a function of a funnel */

bool funnel_runs_here(void)
{
    return inside;
}

/* ---- one function at a time ---- */

/* In the queue, on the stack of who waits. */
struct turn {
    struct node node;
    ep_comm view;
    char text[80];     /* turn_tell's */
    _Atomic bool mine; /* release turn_give, acquire turn_is_mine */
};

static bool turn_is_mine(struct wait *w)
{
    return load_acquire(&((struct turn *)w->arg)->mine);
}

/* For the watchdog: whose function it waits for, whether that has a rank here or not. */
static void turn_tell(const struct wait *w, struct wait_info *about)
{
    struct turn *t = w->arg;
    lock_acquire(&funnels.lock);
    struct identity runner = funnels.runner;
    lock_release(&funnels.lock);
    int rank = group_map_find(view_group(t->view), runner);
    snprintf(t->text, sizeof t->text, "ep_funnel_call until the function of endpoint %d has ended",
             runner.rank);
    *about = (struct wait_info){t->text, t->view, rank < 0 ? MPI_UNDEFINED : rank, MPI_UNDEFINED, false};
}

/* Who gives stores mine, then notifies this endpoint's event count: no turn is missed (base/wait.h). */
static void turn_await(struct turn *t)
{
    struct endpoint *endpoint = t->view->endpoint;
    struct wait w = {
        .done = turn_is_mine, .arg = t, .tell = turn_tell, .greedy = true, .policy = POLICY_MESSAGE};
    endpoint_lock(endpoint);
    wait_until(endpoint, &w);
    endpoint_unlock(endpoint);
}

static void turn_take(ep_comm view)
{
    struct turn t = {.view = view};
    lock_acquire(&funnels.lock);
    bool waits = funnels.runs;
    if (waits)
        list_append(&funnels.waiting, &t.node);
    else
        funnels.runner = view_identity(view);
    funnels.runs = true;
    lock_release(&funnels.lock);
    if (waits)
        turn_await(&t);
}

static void turn_give(void)
{
    struct endpoint *next = NULL;
    lock_acquire(&funnels.lock);
    assert(funnels.runs);
    struct node *n = list_pop(&funnels.waiting);
    if (n) {
        struct turn *t = container_of(n, struct turn, node);
        funnels.runner = view_identity(t->view);
        next = t->view->endpoint;
        store_release(&t->mine, true); /* it may be gone now */
    }
    funnels.runs = n != NULL;
    lock_release(&funnels.lock);
    if (next)
        evcount_notify(&next->evcount); /* endpoints are never freed */
}

static int funnel_run(ep_funnel p, ep_funnel_function *fn, int n)
{
    turn_take(p->view);
    far_occupy();
    inside = true;
    int result = fn(lanes_public(p->view->comm), n, p->args);
    inside = false;
    far_vacate();
    turn_give();
    return result;
}

/* ---- calls ---- */

/* What an endpoint brings and gets. */
struct funnel_slot {
    struct gather_slot slot;
    int result;
};

static const char not_main[] =
    "MPI_THREAD_FUNNELED has the main thread call functions, so it has to make the calls of the "
    "endpoint that it was when the funnel was made; or initialise MPI with "
    "MPI_THREAD_SERIALIZED";

/* All have come. The first error by rank is everybody's. */
static void funnel_lead(ep_funnel p, struct gather *m, ep_funnel_function *fn)
{
    const struct gather_slot *bad = NULL;
    int rc = MPI_SUCCESS, result = 0;
    for (struct gather_slot *s = m->first; s; s = s->next) {
        p->args[s->position] = (void *)(uintptr_t)s->data;
        if (s->rc != MPI_SUCCESS && (!bad || s->position < bad->position))
            bad = s;
    }
    if (bad)
        rc = bad->rc;
    else if (!mpi_callable())
        rc = MPI_ERR_OTHER;
    else
        result = funnel_run(p, fn, m->size);
    int culprit = bad ? bad->view->rank : -1;
    for (struct gather_slot *s = m->first; s; s = s->next) {
        if (s->rc == MPI_SUCCESS && rc != MPI_SUCCESS) {
            s->rc = rc;
            s->culprit = culprit;
            s->why = bad ? NULL : not_main;
        }
        container_of(s, struct funnel_slot, slot)->result = result;
    }
    gather_end(m);
}

int funnel_call(struct where w, ep_funnel p, ep_funnel_function *fn, int told, void *arg, int *result)
{
    struct funnel_slot f = {
        .slot = {.call = w.call, .view = p->view, .data = arg, .rc = told, .raised = told != MPI_SUCCESS}};
    struct gather *m = gather_join(whole_tag(p->view, whole_number(p->view)), 0, p->view->comm->nlocal,
                                   p->view->index, p->caller, &f.slot);
    if (m)
        funnel_lead(p, m, fn);
    if (f.slot.rc == MPI_SUCCESS)
        *result = f.result;
    return slot_raise(w, &f.slot);
}

/* ---- making, freeing ---- */

static ep_funnel funnel_take(void)
{
    lock_acquire(&funnels.lock);
    if (!funnels.pool.item_size)
        pool_init(&funnels.pool, sizeof(struct ep_funnel_s));
    ep_funnel p = pool_get(&funnels.pool);
    lock_release(&funnels.lock);
    return p;
}

static void funnel_put(ep_funnel p)
{
    free(p->args);
    p->args = NULL;
    store_relaxed(&p->magic, FUNNEL_FREED);
    lock_acquire(&funnels.lock);
    pool_put(&funnels.pool, p);
    lock_release(&funnels.lock);
}

/* NULL without memory. Local indices ascend with rank, so the one of lowest rank has index 0. */
static ep_funnel funnel_new(ep_comm view)
{
    bool calls = process.funneled ? process_is_main_thread() : view->index == 0;
    ep_funnel p = funnel_take();
    if (!p)
        return NULL;
    p->caller = 0;
    p->args = calls ? malloc((size_t)view->comm->nlocal * sizeof *p->args) : NULL;
    if (!calls || p->args)
        return p;
    funnel_put(p);
    return NULL;
}

/* FUNNELED: which endpoint of this process is the main thread's? Each process has to have one. main: by rank. */
static int funnel_choose_among(struct where w, ep_funnel p, const char main[])
{
    const struct comm *c = p->view->comm;
    p->caller = -1;
    for (int proc = 0; proc < c->nproc; proc++) {
        int index = rankmap_count(&c->map, proc) - 1;
        while (index >= 0 && !main[rankmap_rank(&c->map, proc, index)])
            index--;
        if (index < 0)
            return raise_error(
                w, MPI_ERR_OTHER,
                "MPI_THREAD_FUNNELED has the main thread call functions, but in the process of endpoint %d "
                "it "
                "is the thread of none of comm's endpoints; make it one, or initialise MPI with "
                "MPI_THREAD_SERIALIZED",
                rankmap_rank(&c->map, proc, 0));
        if (proc == c->proc)
            p->caller = index;
    }
    return MPI_SUCCESS;
}

static int funnel_choose(struct where w, ep_funnel p)
{
    char mine = p->args != NULL;
    void *all;
    size_t *offset;
    int rc = derive_allgather(w, &mine, sizeof mine, &all, &offset);
    if (rc == MPI_SUCCESS)
        rc = funnel_choose_among(w, p, all);
    free(all);
    free(offset);
    return rc;
}

int funnel_create(struct where w, ep_funnel *funnel)
{
    ep_funnel p = funnel_new(w.view);
    if (!p)
        return derive_refuse(w, raise_error(w, MPI_ERR_NO_MEM, "no memory for a funnel"));
    int rc = derive_split(w, 0, w.view->rank, false, &p->view);
    if (rc == MPI_SUCCESS && process.funneled && (rc = funnel_choose((struct where){p->view, w.call}, p)))
        endpoint_close_view(p->view);
    if (rc != MPI_SUCCESS) {
        funnel_put(p);
        return rc;
    }
    store_relaxed(&p->magic, FUNNEL_LIVE);
    *funnel = p;
    return rc;
}

void funnel_delete(ep_funnel p)
{
    ep_comm view = p->view;
    funnel_put(p);
    endpoint_close_view(view);
}
