/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taking a lock and giving it back.
 *
 *   near target   the claim stands on the stack of the thread that waits, and goes into the gate
 *   far target    AM_LOCK carries the address of the same struct; the target's process puts a claim of its own
 *                 into the gate, and answers AM_GRANT when that is granted
 *
 * No wake-up is lost: whoever grants sets `granted` (release) and then rings the bell of the waiting endpoint's port,
 * which is the pattern of crt/bell.h. With the flag the struct is gone, so the port is read before; ports are
 * never freed. A far grant is seen by the process's poll, and wait_until sees to it that somebody polls.
 *
 * Nothing is held but locks of windows while a thread waits here: no lock of the library's, and it takes messages
 * meanwhile, so the unlock that it waits for comes through, whether a thread of this process or a message brings
 * it.
 *
 * The claim of a far endpoint lives in the packet of its grant. So whoever opens the gate, later, needs no memory
 * for telling it.
 */
#include "rma/turn.h"

#include <time.h>

#include "rma/epoch.h"
#include "rma/serve.h"

/* A thread that waits for a lock. */
struct turn {
    struct claim claim; /* near */
    struct port *port;
    struct flow *flow;    /* far */
    bool overtakes;       /* far: claim.overtakes of the claim there */
    _Atomic bool granted; /* release turn_comes, acquire has_come; then the struct is gone */
};

static void turn_comes(struct turn *t)
{
    struct port *port = t->port;
    store_release(&t->granted, true);
    bell_ring(&port->bell);
}

static void near_granted(struct claim *c)
{
    turn_comes(container_of(c, struct turn, claim));
}

static bool has_come(struct wait *w)
{
    struct turn *t = w->arg;
    return load_acquire(&t->granted);
}

enum { PAUSE_MIN = 200 * 1000, PAUSE_MAX = 20 * 1000 * 1000 }; /* ns */

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The endpoint overtook somebody who waited: stay out for about as long as its last epoch took, so that epochs of
 * several do not cover each other for ever. */
static void pause(ep_win win)
{
    uint64_t begun = now(), length = 2 * (begun - load_relaxed(&win->began));
    length = length < PAUSE_MIN ? PAUSE_MIN : length > PAUSE_MAX ? PAUSE_MAX : length;
    store_relaxed(&win->overtook, false);
    while (now() - begun < length) {
        progress_for(win);
        caller_give_way();
    }
}

static int take(ep_win win, int target, struct turn *t)
{
    enum lock_kind kind = t->claim.kind;
    int index;
    if (win_is_near(win->window, target, &index)) {
        if (!gate_enter(&win->window->local[index]->gate, &t->claim))
            epoch_wait(win, has_come, t, true);
        t->overtakes = t->claim.overtakes;
        return MPI_SUCCESS;
    }
    t->flow = &win->flow[win_process(win->window, target, &index)];
    int rc = flow_note(win, target, AM_LOCK, (uint8_t)kind, t);
    if (likely(rc == MPI_SUCCESS))
        epoch_wait(win, has_come, t, true);
    return rc;
}

int turn_take(ep_win win, int target, enum lock_kind kind)
{
    struct turn t = {.claim = {.kind = kind, .granted = near_granted}, .port = win->view->port};
    bool first = load_relaxed(&win->held) == 0;
    if (first && unlikely(load_relaxed(&win->overtook)))
        pause(win);
    int rc = take(win, target, &t);
    if (unlikely(rc))
        return rc;
    add_relaxed(&win->held, 1);
    if (unlikely(t.overtakes)) {
        store_relaxed(&win->overtook, true);
        store_relaxed(&win->began, now());
    }
    return MPI_SUCCESS;
}

int turn_give(ep_win win, int target, enum lock_kind kind, bool ask)
{
    int index;
    if (win_is_near(win->window, target, &index)) {
        gate_leave(&win->window->local[index]->gate, kind);
        add_relaxed(&win->held, -1);
        return MPI_SUCCESS;
    }
    struct am_short m = {.am = {.head = {.id = AM_UNLOCK, .op = (uint8_t)kind, .wants_ack = ask}}};
    int rc = flow_send_short(win, target, &m, 0, NULL);
    if (likely(rc == MPI_SUCCESS))
        add_relaxed(&win->held, -1);
    return rc;
}

/* ---- at the target's process, and the answer ---- */

/* In the data of the packet that will tell of the grant, which has none. */
struct far_claim {
    struct claim claim;
    struct net_packet *grant;
    int to;
};

static void far_granted(struct claim *c)
{
    const struct far_claim *f = container_of(c, struct far_claim, claim);
    f->grant->head.op = f->claim.overtakes;
    net_am_send(f->grant, f->to, sizeof(struct am));
}

enum net_result serve_lock(const struct net_am *head, int source)
{
    const struct am *am = (const void *)head;
    ep_win win = serve_target(am);
    struct net_packet *p = net_packet_get_brief(win->window->domain);
    if (unlikely(!p))
        return NET_AGAIN;
    _Static_assert((offsetof(struct net_packet, head) + sizeof(struct am)) % _Alignof(struct far_claim) == 0,
                   "a claim may be there");
    _Static_assert(sizeof(struct am) - sizeof(struct net_am) + sizeof(struct far_claim) <= NET_AM_SHORT,
                   "it fits there");
    struct far_claim *f = (struct far_claim *)(void *)am_data(p);
    *am_of(p) = (struct am){.head = {.id = AM_GRANT, .number = head->number}, .asker = am->asker};
    *f = (struct far_claim){.claim = {.kind = head->op, .granted = far_granted}, .grant = p, .to = source};
    if (gate_enter(&win->gate, &f->claim))
        far_granted(&f->claim);
    return NET_DONE;
}

void epoch_serve_unlock(ep_win win, enum lock_kind kind)
{
    gate_leave(&win->gate, kind);
}

enum net_result answer_grant(const struct net_am *head, int source)
{
    struct turn *t = ((const struct am *)(const void *)head)->asker;
    net_shm_comes_in(t);
    struct flow *f = t->flow;
    (void)source;
    t->overtakes = head->op;
    net_channel_acked(&f->channel, head->number);
    turn_comes(t);
    return NET_AWAITED;
}
