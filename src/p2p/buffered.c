/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The user's buffer holds blocks in ascending order of address, each with a header; a block is free when
 * its send is done. Finished blocks are removed from the list when the next send looks for a gap (first
 * fit).
 */
#include "p2p/buffered.h"

#include <assert.h>
#include <stdlib.h>

#include "p2p/endpoint.h"
#include "p2p/progress/progress.h"
#include "p2p/progress/wait.h"

struct buffered_block {
    struct buffered_block *next;
    size_t size; /* with this header */
    ep_request request;
};

struct bsend {
    struct lock lock;
    char *base; /* aligned */
    size_t size;
    void *user_base;
    size_t user_size;
    struct buffered_block *first;
};

enum { ALIGN = 16 };
_Static_assert(sizeof(struct buffered_block) + 2 * ALIGN <= EP_BSEND_OVERHEAD,
               "the promised overhead suffices");

static struct lock slots_lock = LOCK_FREE(BSEND_SLOTS); /* the slots: endpoint->bsend and the threads' */

/* Where the calling thread's buffer hangs. */
static struct bsend **buffered_slot(void)
{
    ep_comm w = thread_world();
    return w ? &w->endpoint->bsend : thread_buffer();
}

int buffered_attach(void *buffer, size_t size)
{
    struct bsend *b = calloc(1, sizeof *b);
    if (!b)
        return MPI_ERR_NO_MEM;
    lock_init(&b->lock, LOCK_BSEND);
    b->user_base = buffer;
    b->user_size = size;
    size_t skip = (ALIGN - (uintptr_t)buffer % ALIGN) % ALIGN;
    b->base = (char *)buffer + skip;
    b->size = size - skip;
    lock_acquire(&slots_lock);
    struct bsend **at = buffered_slot();
    bool vacant = !*at;
    if (vacant)
        *at = b;
    lock_release(&slots_lock);
    if (vacant)
        return MPI_SUCCESS;
    free(b);
    return MPI_ERR_BUFFER;
}

static void buffered_release(struct buffered_block *k)
{
    assert(k);
    struct endpoint *endpoint = k->request->endpoint;
    if (!endpoint)
        return;
    endpoint_lock(endpoint);
    request_release(k->request);
    endpoint_unlock(endpoint);
}

/* Nobody finds b any more; one who still sends through it has its lock. */
static void buffered_drain(struct bsend *b)
{
    lock_acquire(&b->lock);
    lock_release(&b->lock); /* it has gone, and the wait must not keep a lock */
    for (struct buffered_block *k = b->first; k; k = k->next) {
        if (!request_is_done(k->request)) {
            endpoint_lock(k->request->endpoint);
            wait_request(k->request, false);
            endpoint_unlock(k->request->endpoint);
        }
        buffered_release(k);
    }
    free(b);
}

void buffered_detach(void **buffer, size_t *size)
{
    lock_acquire(&slots_lock);
    struct bsend **at = buffered_slot(), *b = *at;
    *at = NULL;
    lock_release(&slots_lock);
    *buffer = b ? b->user_base : NULL;
    *size = b ? b->user_size : 0;
    if (b)
        buffered_drain(b);
}

void buffered_orphan(struct endpoint *endpoint)
{
    lock_acquire(&slots_lock);
    struct bsend *b = endpoint->bsend, **at = thread_buffer();
    endpoint->bsend = NULL;
    if (b && !*at) {
        *at = b;
        b = NULL;
    }
    lock_release(&slots_lock);
    if (b)
        buffered_drain(b);
}

static void buffered_reclaim(struct bsend *b)
{
    lock_assert_held(&b->lock);
    for (struct buffered_block **at = &b->first; *at;) {
        struct buffered_block *k = *at;
        if (request_is_done(k->request)) {
            *at = k->next;
            buffered_release(k);
        } else {
            at = &k->next;
        }
    }
}

/* A block for bytes of data, not yet linked; *link is where it belongs. NULL without room. */
static struct buffered_block *find_gap(struct bsend *b, size_t bytes, struct buffered_block ***link)
{
    lock_assert_held(&b->lock);
    size_t need = (sizeof(struct buffered_block) + bytes + ALIGN - 1) / ALIGN * ALIGN;
    char *free_from = b->base, *end = b->base + b->size;
    struct buffered_block **at = &b->first;
    for (;; at = &(*at)->next) {
        char *free_to = *at ? (char *)*at : end;
        if (free_to >= free_from && (size_t)(free_to - free_from) >= need)
            break;
        if (!*at)
            return NULL;
        free_from = (char *)*at + (*at)->size;
    }
    struct buffered_block *k = (struct buffered_block *)(void *)free_from;
    k->size = need;
    *link = at;
    return k;
}

/* In a block of b, if there is room. */
static bool send_through(struct bsend *b, const struct send *s, int *rc)
{
    lock_assert_held(&b->lock);
    struct buffered_block **link;
    buffered_reclaim(b);
    size_t bytes = span_bytes(&s->data);
    struct buffered_block *k = find_gap(b, bytes, &link);
    if (!k)
        return !b->first; /* nothing in it will end */
    *rc = copy_pack(&s->data, k + 1);
    if (*rc != MPI_SUCCESS)
        return true;
    struct send copy = *s;
    copy.mode = MODE_STANDARD;
    copy.copied = true;
    copy.data = span_packed(k + 1, bytes);
    *rc = p2p_isend(&copy, send_route(&copy), &k->request);
    if (*rc != MPI_SUCCESS)
        return true;
    k->next = *link;
    *link = k;
    return true;
}

struct buffering {
    const struct send *send;
    int rc;
};

/* Each time the buffer is looked up anew: no lock is held in between, and it may be another one then, or none. */
static bool buffered_look(void *buffering)
{
    struct buffering *w = buffering;
    lock_acquire(&slots_lock);
    struct bsend *b = *buffered_slot();
    if (b)
        lock_acquire(&b->lock);
    lock_release(&slots_lock);
    if (!b)
        return true;
    bool over = send_through(b, w->send, &w->rc);
    lock_release(&b->lock);
    return over;
}

static bool buffered_ask(void *buffering)
{
    struct endpoint *endpoint = ((struct buffering *)buffering)->send->view->endpoint;
    endpoint_lock(endpoint);
    progress_once(endpoint);
    endpoint_unlock(endpoint);
    return false;
}

/* A far message may be received already and MPI not yet know: ask it for a while before refusing. */
int buffered_send(const struct send *s)
{
    struct buffering w = {s, MPI_ERR_BUFFER};
    wait_serving(buffered_look, buffered_ask, &w, POLICY_BSEND);
    return w.rc;
}
