/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taking a lock and giving it back.
 *
 *   free          taken at once, by any process that sees the lock's word, or soon: it looks at the word for about as long as asking
 *                 would take, unless claims wait already
 *   near target   the claim stands on the stack of the thread that waits, and goes into the target lock
 *   far target    AM_LOCK carries the address of the same struct; the target's process puts a claim of its own
 *                 into the target lock, and answers AM_GRANT when that is granted
 *
 * No wake-up is lost: whoever grants sets `granted` (release) and then notifies the waiting endpoint, which
 * is the pattern of crt/evcount.h. With the flag the struct is gone, so the endpoint is read before;
 * endpoints are never freed. A far grant is seen by the process's poll, and wait_until sees to it that
 * somebody polls.
 *
 * Nothing is held but locks of windows while a thread waits here: no lock of the library's, and it takes messages
 * meanwhile, so the unlock that it waits for comes through, whether a thread of this process or a message brings
 * it.
 *
 * The claim of a far endpoint lives in the packet of its grant. So whoever opens the target lock, later, needs no memory
 * for telling it.
 */
#include "rma/epoch.h"

#include <time.h>

#include "rma/am.h"

/* A thread that waits for a lock. */
struct lock_request {
    struct claim claim; /* near */
    struct endpoint *endpoint;
    struct channel *channel; /* far */
    bool overtakes;          /* far: claim.overtakes of the claim there */
    _Atomic bool
        granted; /* release lock_request_granted, acquire lock_request_has_come; then the struct is gone */
};

static void lock_request_granted(struct lock_request *t)
{
    struct endpoint *endpoint = t->endpoint;
    store_release(&t->granted, true);
    evcount_notify(&endpoint->evcount);
}

static void near_granted(struct claim *c)
{
    lock_request_granted(container_of(c, struct lock_request, claim));
}

static bool lock_request_has_come(struct wait *w)
{
    struct lock_request *t = w->arg;
    return load_acquire(&t->granted);
}

enum { PAUSE_MIN = 200 * 1000, PAUSE_MAX = 20 * 1000 * 1000 }; /* ns */

static uint64_t lock_request_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

struct lock_pause {
    ep_win win;
    uint64_t until;
};

static bool pause_is_over(void *pause)
{
    return lock_request_now() >= ((struct lock_pause *)pause)->until;
}

static bool pause_serve(void *pause)
{
    progress_for(((struct lock_pause *)pause)->win);
    return false;
}

/* The endpoint overtook somebody who waited: stay out for about as long as its last epoch took, so that epochs of
 * several do not cover each other for ever. */
static void lock_request_pause(ep_win win)
{
    uint64_t begun = lock_request_now(), length = 2 * (begun - load_relaxed(&win->began));
    length = length < PAUSE_MIN ? PAUSE_MIN : length > PAUSE_MAX ? PAUSE_MAX : length;
    store_relaxed(&win->overtook, false);
    struct lock_pause pause = {win, begun + length};
    wait_serving(pause_is_over, pause_serve, &pause, POLICY_WINDOW_PAUSE);
}

/* The word of a lock that is not free, for a while. */
struct lock_look {
    _Atomic int *word; /* constant: acq_rel lock_word_enter, lock_word_leave */
    enum lock_kind kind;
    bool entered, *overtakes;
};

/* It has come in, or has to wait behind others. */
static bool lock_request_looks(void *look)
{
    struct lock_look *l = look;
    l->entered = lock_word_enter(l->word, l->kind, l->overtakes);
    return l->entered || load_relaxed(l->word) & LOCK_WORD_QUEUED;
}

static bool lock_request_soon(_Atomic int *word, struct lock_request *t)
{
    struct lock_look l = {.word = word, .kind = t->claim.kind, .overtakes = &t->overtakes};
    wait_for(lock_request_looks, &l, POLICY_WINDOW_LOCK);
    return l.entered;
}

static int lock_request_take(ep_win win, int target, struct lock_request *t)
{
    enum lock_kind kind = t->claim.kind;
    struct exposed *to = &win->window->exposed[target];
    int index;
    if (to->lock &&
        (likely(lock_word_enter(to->lock, kind, &t->overtakes)) || lock_request_soon(to->lock, t))) {
        fence_beside_change();
        net_shm_comes_in(to); /* from who had it before: another process may be between */
        return MPI_SUCCESS;
    }
    if (win_is_near(win->window, target, &index)) {
        if (!target_lock_enter(&win->window->local[index]->target_lock, &t->claim))
            epoch_wait(win, lock_request_has_come, t, POLICY_MANY);
        atomic_thread_fence(memory_order_seq_cst);
        t->overtakes = t->claim.overtakes;
        net_shm_comes_in(to);
        return MPI_SUCCESS;
    }
    t->channel = &win->channel[win_process(win->window, target, &index)];
    int rc = channel_note(win, target, AM_LOCK, (uint8_t)kind, t);
    if (likely(rc == MPI_SUCCESS))
        epoch_wait(win, lock_request_has_come, t, POLICY_MANY);
    atomic_thread_fence(memory_order_seq_cst);
    net_shm_comes_in(to);
    return rc;
}

int lock_request_wait(ep_win win, int target, enum lock_kind kind, bool first)
{
    struct lock_request t = {.claim = {.kind = kind, .granted = near_granted},
                             .endpoint = win->view->endpoint};
    if (first && unlikely(load_relaxed(&win->overtook)))
        lock_request_pause(win);
    int rc = lock_request_take(win, target, &t);
    if (unlikely(rc))
        return rc;
    if (unlikely(t.overtakes)) {
        store_relaxed(&win->overtook, true);
        store_relaxed(&win->began, lock_request_now());
    }
    return MPI_SUCCESS;
}

int lock_request_release(ep_win win, int target, enum lock_kind kind, bool ask)
{
    struct exposed *to = &win->window->exposed[target];
    int index;
    net_shm_goes_out(to); /* to who has it next */
    if (likely(to->lock && lock_word_leave(to->lock, kind))) {
        fence_beside_change();
        return MPI_SUCCESS;
    }
    atomic_thread_fence(memory_order_seq_cst);
    if (win_is_near(win->window, target, &index)) {
        target_lock_leave(&win->window->local[index]->target_lock, kind);
        return MPI_SUCCESS;
    }
    struct am_short m = {.am = {.head = {.id = AM_UNLOCK, .op = (uint8_t)kind, .wants_ack = ask}}};
    return channel_send_short(win, target, &m, 0, NULL);
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
    if (target_lock_enter(&win->target_lock, &f->claim))
        far_granted(&f->claim);
    return NET_DONE;
}

void epoch_serve_unlock(ep_win win, enum lock_kind kind)
{
    target_lock_leave(&win->target_lock, kind);
}

enum net_result answer_grant(const struct net_am *head, int source)
{
    struct lock_request *t = ((const struct am *)(const void *)head)->asker;
    net_shm_comes_in(t);
    struct channel *f = t->channel;
    (void)source;
    t->overtakes = head->op;
    net_channel_acked(&f->channel, head->number);
    lock_request_granted(t);
    return NET_AWAITED;
}
