/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/endpoint.h"

#include <assert.h>
#include <stdlib.h>

#include "p2p/message.h"

_Static_assert(sizeof(struct endpoint) >= COMM_ENDPOINT_BYTES,
               "what is refused for want of memory is really too much");

/* Room for two requests of any kind, and the pool's line. */
enum { KEPT_ITEM = sizeof(struct request_send), KEPT = 2 * KEPT_ITEM + CACHE_LINE };
_Static_assert(sizeof(struct request_recv) <= KEPT_ITEM && KEPT <= 576, "docs/memory.md");

static struct lock endpoints_lock = LOCK_FREE(ENDPOINTS);
static _Atomic(struct endpoint *) all; /* release endpoint_make, acquire endpoint_first */
static struct endpoint *spare;
static struct endpoint *general;

/* A new endpoint, linked to the others for ever. */
static struct endpoint *endpoint_make(void)
{
    lock_assert_held(&endpoints_lock);
    struct endpoint *p = aligned_alloc(CACHE_LINE, sizeof *p + KEPT);
    if (!p)
        return NULL;
    memset(p, 0, sizeof *p);
    lock_init(&p->lock, LOCK_ENDPOINT);
    request_pools_init(p);
    pool_init(&p->kept, KEPT_ITEM);
    pool_give(&p->kept, p + 1, KEPT);
    pool_init(&p->messages, sizeof(struct ep_message_s) + SMALL_PAYLOAD);
    pool_init(&p->large_messages, sizeof(struct ep_message_s) + INLINE_MAX);
    inbox_init(&p->inbox);
    p->rank = -1;
    p->next = load_relaxed(&all);
    store_release(&all, p);
    return p;
}

struct endpoint *endpoint_open(bool single_owner, int rank)
{
    lock_acquire(&endpoints_lock);
    struct endpoint *p = spare;
    if (p)
        spare = p->next_free;
    else
        p = endpoint_make();
    lock_release(&endpoints_lock);
    if (!p)
        return NULL;
    lock_acquire(&p->lock);
    assert(!p->jobs && !p->works);
    p->single_owner = single_owner;
    p->quick = !single_owner && endpoint_takes_quietly() && !settings.chaos;
    p->bsend = NULL;
    p->rank = rank;
    hook_opened(p);
    counters_clear(&p->own);
    counters_clear(&p->held);
    for (int i = 0; i < COUNTERS; i++)
        store_relaxed(&p->since[i], 0);
    store_relaxed(&p->self, NULL);
    store_release(&p->open, true);
    lock_release(&p->lock);
    return p;
}

static bool has_no_helpers(void *endpoint)
{
    return load_acquire(&((struct endpoint *)endpoint)->helpers) == 0;
}

void endpoint_close(struct endpoint *p)
{
    assert(load_relaxed(&p->views) == 0);
    lock_acquire(&p->lock);
    store_release(&p->open, false); /* helpers that come later go away again */
    lock_release(&p->lock);
    wait_for(has_no_helpers, p, POLICY_END);
    hook_closed(p);
    lock_acquire(&endpoints_lock);
    p->next_free = spare;
    spare = p;
    lock_release(&endpoints_lock);
}

static bool single_comes_in(void *endpoint)
{
    struct endpoint *p = endpoint;
    if (load_acquire(&p->helped))
        return false;
    store_relaxed(&p->inside, true);
    light_fence();
    if (!load_acquire(&p->helped))
        return true;
    store_release(&p->inside, false);
    return false;
}

void endpoint_lock_single_slow(struct endpoint *p)
{
    store_release(&p->inside, false);
    wait_for(single_comes_in, p, POLICY_SHORTLY);
}

/* Whether the endpoint is open is decided under its lock, as endpoint_close does. */
bool endpoint_enter(struct endpoint *p)
{
    add_acq_rel(&p->helpers, 1);
    if (load_relaxed(&p->open) && lock_try(&p->lock)) {
        if (load_relaxed(&p->open)) {
            if (!p->single_owner)
                return true;
            store_relaxed(&p->helped, true);
            heavy_fence();
            if (!load_acquire(&p->inside))
                return true;
            store_release(&p->helped, false);
        }
        lock_release(&p->lock);
    }
    sub_acq_rel(&p->helpers, 1);
    return false;
}

void endpoint_left(struct endpoint *p)
{
    if (p->single_owner)
        store_release(&p->helped, false);
    lock_release(&p->lock);
    sub_acq_rel(&p->helpers, 1);
}

struct endpoint *endpoint_general(void)
{
    lock_acquire(&endpoints_lock);
    if (!general && (general = endpoint_make()))
        store_release(&general->open, true);
    struct endpoint *p = general;
    lock_release(&endpoints_lock);
    return p;
}

struct endpoint *endpoint_first(void)
{
    return load_acquire(&all);
}
