/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/op.h"

#include <assert.h>
#include <stdlib.h>

#include "coll/algorithms.h"

enum { COUNT_BITS = 24, COUNT = (1 << COUNT_BITS) - 1, WAKE_FROM = 3 };

void op_fail(struct op *o, int rc)
{
    int none = MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        cas_acq_rel(&o->rc, &none, rc);
}

void op_state_free(struct op *o)
{
    if (o->state != o->small)
        free(o->state);
    o->state = NULL;
}

bool op_go_on(struct op *o, const struct coll_algorithm *algorithm)
{
    assert(o->algorithm->ordered);
    o->algorithm = algorithm;
    o->round = 0;
    o->state = NULL;
    if (!algorithm->ordered)
        issue_order_leave(o);
    return algorithm->advance(o);
}

/* Make the leader go on. */
static void op_poke(struct endpoint *endpoint)
{
    if (endpoint_enter(endpoint)) { /* else its owner is there, or will step on coming */
        work_step(endpoint);
        endpoint_left(endpoint);
    }
    evcount_notify(&endpoint->evcount);
}

/* Sleepers may help. */
static void call_helpers(struct comm *c)
{
    for (int i = 0; i < c->nlocal; i++)
        evcount_notify(&c->local[i]->endpoint->evcount);
}

/* ---- the end ---- */

static void op_drop(struct op *o)
{
    assert(load_relaxed(&o->refs) > 0);
    if (sub_acq_rel(&o->refs, 1) == 1) {
        struct comm *c = o->comm;
        op_recycle(o);
        endpoint_let_go(c);
    }
}

static void op_finish(struct op *o)
{
    assert(load_relaxed(&o->left) == 0 && load_relaxed(&o->far_state) == FAR_IDLE);
    int rc = load_relaxed(&o->rc);
    issue_order_leave(o);
    if (o->algorithm->end)
        o->algorithm->end(o);
    else
        op_state_free(o);
    if (unlikely(o->stand_ins))
        rc = convert_end(o, rc);
    /* first, so that the leader, when it closes its endpoint, finds the work to be over */
    store_release(&o->over, true);
    for (int i = 0; i < o->n; i++)
        coll_args_complete(o->args[i], rc);
    op_drop(o);
}

/* ---- rounds ---- */

/* Tasks of a lane begin here. */
static int lane_begin(int tasks, int lane)
{
    return (int)((long)tasks * lane / LANES);
}

/* Publish what advance has set up. From then on others may be at it, and end it; so it is held. */
static void begin_round(struct op *o)
{
    assert(o->ntasks >= 0 && o->ntasks <= COUNT && load_relaxed(&o->left) == 0);
    int tasks = o->ntasks;
    bool far = o->wants_far;
    uint64_t generation = (load_relaxed(&o->claim[0]) >> COUNT_BITS) + 1;
    store_relaxed(&o->left, tasks + far);
    add_relaxed(&o->refs, 1);
    /* if there is a task the last lane has one, so it is not over before all lanes are there */
    for (int l = 0; l < LANES; l++)
        store_release(&o->claim[l],
                      generation << COUNT_BITS | (uint64_t)(lane_begin(tasks, l + 1) - lane_begin(tasks, l)));
    if (far) {
        store_release(&o->far_state, FAR_WANTED);
        op_poke(o->leader->endpoint);
    }
    if (tasks >= WAKE_FROM)
        call_helpers(o->comm);
    op_drop(o);
}

static void next_round(struct op *o)
{
    do {
        o->round++;
        o->ntasks = 0;
        o->wants_far = false;
        if (!o->algorithm->advance(o)) {
            op_finish(o);
            return;
        }
    } while (o->ntasks == 0 && !o->wants_far);
    begin_round(o);
}

void op_over(struct op *o)
{
    assert(load_relaxed(&o->left) > 0);
    if (sub_acq_rel(&o->left, 1) == 1)
        next_round(o);
}

static bool help_in(struct op *o, int lane, bool (*over)(const void *arg), const void *arg)
{
    uint64_t claim = load_acquire(&o->claim[lane]);
    if ((claim & COUNT) == 0 || over(arg))
        return false;
    chaos_point();
    if (cas_acq_rel(&o->claim[lane], &claim, claim - 1)) {
        o->algorithm->task(o, lane_begin(o->ntasks, lane) + (int)(claim & COUNT) - 1);
        op_over(o);
    }
    return true;
}

bool op_help(struct op *o, int index, int n, bool (*over)(const void *arg), const void *arg)
{
    int first = (int)((long)index * LANES / n);
    for (int k = 0; k < LANES; k++)
        if (help_in(o, (first + k) % LANES, over, arg))
            return true;
    return false;
}

static bool op_is_over(const void *arg)
{
    return load_acquire(&((struct op *)(uintptr_t)arg)->over);
}

/* In the leader's endpoint. */
static bool op_step(struct work *w)
{
    struct op *o = container_of(w, struct op, work);
    far_step(o);
    op_help(o, 0, 1, op_is_over, o);
    far_step(o);
    if (!op_is_over(o))
        return false;
    op_drop(o);
    return true;
}

/* Without requests and far steps whoever takes part waits and does the tasks; no work is needed. */
static bool needs_work(const struct op *o)
{
    bool any = o->comm->nproc > 1;
    for (int i = 0; i < o->n && !any; i++)
        any = o->args[i]->request != NULL;
    return any;
}

static bool op_never(const void *arg)
{
    (void)arg;
    return false;
}

void op_open(struct op *o, int index)
{
    assert(o->arrived == o->n && o->round == -1);
    o->algorithm = unlikely(o->comm->checks) ? &algorithm_check : algorithm_for(o);
    if (!o->algorithm->ordered)
        issue_order_leave(o);
    for (int i = 0; i < o->n; i++)
        op_fail(o, o->args[i]->call.rc);
    bool work = needs_work(o);
    endpoint_hold(o->comm);
    store_relaxed(&o->refs, work ? 3 : 2); /* one is the caller's */
    if (work) {
        o->work.step = op_step;
        work_add(o->leader->endpoint, &o->work);
    }
    next_round(o);
    while (op_help(o, index, o->n, op_never, NULL))
        continue;
    op_drop(o);
}
