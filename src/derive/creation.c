/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How communicators are made: split, create, create_group, dup and idup, intercomm_create, intercomm_merge. In each process
 * that takes part one endpoint, the leader (gather.h), does it for all of its process, with the leaders of the other
 * processes (leaders.h). It goes from state to state. In each it waits for one thing, and then does what the table
 * `leave` has for the state, which ends by beginning what the next state waits for:
 *
 *   state            it waits for                              then the leader                          next
 *   EXCHANGE_UP      what all bring: to the root               root: do all call the same?              EXCHANGE_DOWN
 *   EXCHANGE_DOWN    the same: from the root                   learns of errors, plans, votes           VOTE_UP (1)
 *   SUMMARIES_LINK   the other group's summary: root           gives it to its group                    SUMMARIES_DOWN
 *   SUMMARIES_DOWN   both summaries: from the root             makes room for members                   MEMBERS_LINK (2)
 *   MEMBERS_LINK     the other group's members: root           gives them to its group                  MEMBERS_DOWN
 *   MEMBERS_DOWN     they: from the root                       finds its partner, plans, votes          VOTE_UP
 *   VOTE_UP          votes: to the root                        root: sums them up                       VOTE_DOWN (3)
 *   VOTE_LINK        the other group's sum: root               adds it                                  VOTE_DOWN
 *   VOTE_DOWN        the sum: from the root                    goes on, or votes again                  MAKE (4)
 *   PAIR             the partner in this process               goes on                                  MAKE
 *   MAKE             MPI's calls, if there are several         opens what was made, or undoes it        OVER
 *                    processes
 *
 *   (1) of an intercommunicator SUMMARIES_LINK, which only its two roots have; the other leaders go past it
 *   (2) likewise
 *   (3) VOTE_LINK in the roots of an intercommunicator
 *   (4) VOTE_UP, if a process was not got; PAIR, where both groups of an intercommunicator live in the process
 *
 * Messages. "To the root" and "from the root" are a binomial tree over the leaders (tree.h), of messages that no user's
 * receive matches. Two roots are a tree of their own, over the peer communicator. What goes up in EXCHANGE is per process a
 * struct process_info and what its endpoints bring (kind->item bytes each); a struct vote in VOTE.
 *
 * Who drives it. A caller that waits (creation_run) blocks for each state, holding no lock while it acts. Where nobody may wait
 * (idup, and endpoints that came from different functions) it is a work of the leader's endpoint, which goes on
 * whenever somebody makes progress for it (creation_start); all but an intercommunicator's can be.
 *
 * Errors. Nobody leaves alone: who has no memory, or an error of an endpoint, takes part in all messages and says so.
 * A leader ends before the vote only for what all know alike: that calls differ (EXCHANGE), and what is in summaries.
 * In the vote all get the worst error class of all. Till then each process has its builders; then all are made, or all
 * are undone, each in the reverse of the order in which it was put together. MPI's calls may fail, too: they are followed by an
 * agreement of their own over the new communicator's processes (far.c), so that each is opened everywhere or nowhere.
 *
 * Why nobody waits for ever. Up to the vote a leader waits for messages alone, and makes progress for all meanwhile; what it
 * waits for is sent by leaders in the same creation, all of whose endpoints have come or, in a right program, will come
 * whatever else they do in other threads. So creations that share processes, in whatever order they are begun there, do not
 * hold each other up till they vote. The vote takes the creation locks of all processes or none (vote.c): whoever
 * gets through it has all the processes that MPI's calls wait for, and these make no other MPI communicator meanwhile. In
 * several builders of one creation each process makes those that it is in, in the same order everywhere. Two
 * leaders in one process, of both groups of an intercommunicator: one only has the lock, makes MPI's calls when the
 * other has passed on the result of the vote (PAIR), and the other waits for nothing but that.
 */
#include "derive/creation.h"

#include <stdlib.h>

#include "p2p/p2p.h"

static enum creation_state creation_await(struct creation *c, struct tree *t, enum creation_state state)
{
    c->tree = t;
    return state;
}

static enum creation_state creation_await_flag(struct creation *c, _Atomic bool *flag,
                                               enum creation_state state)
{
    c->tree = NULL;
    c->flag = flag;
    return state;
}

/* ---- the end ---- */

static void builder_settle(struct comm_builder *d)
{
    if (d->rc == MPI_SUCCESS) {
        builder_open(d);
        return;
    }
    for (int i = 0; i < d->comm->nlocal; i++) {
        d->slots[i]->rc = d->rc;
        d->slots[i]->why = lanes_none_left;
    }
    builder_give_up(d);
}

static enum creation_state creation_settle(struct creation *c)
{
    struct leaders *p = c->leaders;
    if (c->rc == MPI_SUCCESS)
        leaders_unlock(p, p->got_lock);
    else if (p->gather->mixed)
        gather_accuse(p->gather);
    else
        leaders_fail(p, c->rc, NULL);
    for (struct comm_builder *d = c->builders, *next; d; d = next) {
        next = d->next;
        if (d->comm && c->rc == MPI_SUCCESS)
            builder_settle(d);
        else
            builder_give_up(d);
    }
    if (c->joining)
        joining_end(c);
    return OVER;
}

static void creation_far(void *arg)
{
    const struct creation *c = arg;
    for (struct comm_builder *d = c->builders; d; d = d->next)
        builder_create(d);
}

static enum creation_state creation_make(struct creation *c)
{
    if (c->rc != MPI_SUCCESS || !c->leaders->got_lock)
        return creation_settle(c);
    c->call = (struct far_call){.run = creation_far, .arg = c, .endpoint = c->leaders->tree.view->endpoint};
    far_call(&c->call);
    return creation_await_flag(c, &c->call.done, MAKE);
}

/* ---- the vote ---- */

static enum creation_state creation_vote(struct creation *c)
{
    bool far = false;
    for (const struct comm_builder *d = c->builders; d; d = d->next)
        far |= builder_is_far(d);
    vote_begin(c->leaders, c->rc, far);
    return creation_await(c, &c->leaders->tree, VOTE_UP);
}

static enum creation_state creation_count(struct creation *c)
{
    if (c->joining && joining_links(c->joining)) {
        joining_begin_vote(c);
        return VOTE_LINK;
    }
    vote_middle(c->leaders, NULL);
    return VOTE_DOWN;
}

static enum creation_state creation_add_other(struct creation *c)
{
    vote_middle(c->leaders, joining_other_vote(c));
    return creation_await(c, &c->leaders->tree, VOTE_DOWN);
}

static enum creation_state creation_decide(struct creation *c)
{
    if (!vote_end(c->leaders, &c->rc))
        return creation_vote(c);
    _Atomic bool *partner = c->joining ? joining_pair(c) : NULL;
    return partner ? creation_await_flag(c, partner, PAIR) : creation_make(c);
}

/* ---- before it ---- */

static enum creation_state creation_plan(struct creation *c)
{
    if (c->rc == MPI_SUCCESS)
        c->rc = c->kind->plan(c);
    return creation_vote(c);
}

static enum creation_state creation_compare(struct creation *c)
{
    exchange_middle(c->leaders);
    return EXCHANGE_DOWN;
}

static enum creation_state creation_spread_summaries(struct creation *c)
{
    if (c->leaders->at_odds)
        return creation_settle(c);
    joining_spread_summaries(c);
    return creation_await(c, &c->leaders->tree, SUMMARIES_DOWN);
}

static enum creation_state creation_learn(struct creation *c)
{
    c->rc = exchange_end(c->leaders);
    if (c->joining) {
        joining_begin_summaries(c, c->rc);
        return joining_links(c->joining) ? SUMMARIES_LINK : creation_spread_summaries(c);
    }
    return c->leaders->at_odds ? creation_settle(c) : creation_plan(c);
}

static enum creation_state creation_spread_members(struct creation *c)
{
    joining_spread_members(c);
    return creation_await(c, &c->leaders->tree, MEMBERS_DOWN);
}

static enum creation_state creation_ask_members(struct creation *c)
{
    int rc = joining_begin_members(c);
    if (rc != MPI_SUCCESS) {
        c->rc = rc;
        return creation_settle(c);
    }
    return joining_links(c->joining) ? MEMBERS_LINK : creation_spread_members(c);
}

static enum creation_state creation_join(struct creation *c)
{
    c->rc = joining_learn(c);
    return creation_plan(c);
}

/* ---- from state to state ---- */

static enum creation_state (*const leave[])(struct creation *c) = {
    [EXCHANGE_UP] = creation_compare,
    [EXCHANGE_DOWN] = creation_learn,
    [SUMMARIES_LINK] = creation_spread_summaries,
    [SUMMARIES_DOWN] = creation_ask_members,
    [MEMBERS_LINK] = creation_spread_members,
    [MEMBERS_DOWN] = creation_join,
    [VOTE_UP] = creation_count,
    [VOTE_LINK] = creation_add_other,
    [VOTE_DOWN] = creation_decide,
    [PAIR] = creation_make,
    [MAKE] = creation_settle,
};

static void creation_begin(struct creation *c, uint64_t hash)
{
    c->end = &c->builders;
    exchange_begin(c->leaders, c->kind ? c->kind->item : 0, hash);
    c->state = creation_await(c, &c->leaders->tree, EXCHANGE_UP);
}

void creation_run(struct creation *c, uint64_t hash)
{
    creation_begin(c, hash);
    while (c->state != OVER) {
        if (c->tree)
            tree_run(c->tree);
        else if (!load_acquire(c->flag))
            wait_flag(c->leaders->tree.view->endpoint, c->flag, POLICY_MESSAGE);
        c->state = leave[c->state](c);
    }
}

static bool creation_step(struct work *w)
{
    struct creation *c = (struct creation *)(void *)w;
    while (c->tree ? tree_step(c->tree) : load_acquire(c->flag)) {
        c->state = leave[c->state](c);
        if (c->state == OVER) {
            leaders_free(c->leaders);
            gather_end(c->leaders->gather); /* c goes with its slot */
            return true;
        }
    }
    return false;
}

void creation_start(struct creation *c, struct gather *m, const struct creation_kind *kind)
{
    ep_comm leader = gather_find_slot(m, 0)->view;
    struct endpoint *endpoint = leader->endpoint;
    *c = (struct creation){.work.step = creation_step, .kind = kind, .leaders = &c->own};
    if (!m->mixed)
        gather_sort(m);
    leaders_whole(&c->own, m, leader, m->tag, 0);
    creation_begin(c, 0);
    work_add(endpoint, &c->work);
    if (endpoint_enter(endpoint)) { /* else its owner is there, or will step on coming */
        work_step(endpoint);
        endpoint_left(endpoint);
    }
}

struct comm_builder *creation_add(struct creation *c)
{
    struct comm_builder *d = calloc(1, sizeof *d);
    if (d) {
        *c->end = d;
        c->end = &d->next;
    }
    return d;
}
