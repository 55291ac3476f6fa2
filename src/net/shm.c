/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/shm.h"

#include <stdlib.h>

#include "net/am.h"
#include "net/defer.h"
#include "net/descriptor.h"
#include "net/poll.h"

static struct consumer consumer; /* under the poll lock */

void net_shm_corrupt(const char *what, uint64_t value)
{
    log_error("memory that the processes of this machine share is corrupt: %s is %llu (process %d)", what,
              (unsigned long long)value, process.rank);
    log_await_readers();
    MPI_Abort(MPI_COMM_WORLD, MPI_ERR_INTERN);
    abort();
}

bool net_shm_claim(struct net_shm *shm, size_t bytes, struct net_place *at)
{
    unsigned pad;
    at->shm = shm;
    at->lines = line_count(bytes);
    if (unlikely(!ring_claim(&shm->ring, NET_SHM_LINES, at->lines, &at->position, &pad)))
        return false;
    net_shm_comes_in(shm);
    if (unlikely(pad))
        ring_pad(shm->line, NET_SHM_LINES, at->position, pad);
    chaos_point();
    return true;
}

void net_shm_fill(const struct net_place *at, struct header *h, const void *payload, size_t bytes)
{
    struct line *l = &at->shm->line[at->position % NET_SHM_LINES];
    h->inline_bytes = (uint16_t)bytes;
    h->lines = at->lines;
    line_write(l, h, payload);
    net_shm_goes_out(at->shm);
    ring_complete(l, at->position);
    prefetch_write(&at->shm->line[(at->position + h->lines) % NET_SHM_LINES]);
}

bool net_shm_push(struct net_shm *shm, struct header *h, const void *payload, size_t bytes)
{
    struct net_place at;
    if (unlikely(!net_shm_claim(shm, bytes, &at)))
        return false;
    net_shm_fill(&at, h, payload, bytes);
    return true;
}

static enum net_result shm_deliver(const struct line *l, enum net_result (*take)(const struct line *l))
{
    const struct header *h = &l->head.header;
    if (unlikely((unsigned)h->lines - 1 >= INLINE_LINES))
        net_shm_corrupt("the number of a message's lines", h->lines);
    if (unlikely(h->inline_bytes > INLINE_MAX) && h->kind != ARRIVAL_PAD)
        net_shm_corrupt("the length of a message", h->inline_bytes);
    switch (h->kind) {
    case ARRIVAL_PAD:
        return NET_DONE;
    case ARRIVAL_AM:
    case ARRIVAL_AM_APART:
        return net_am_take(l);
    default:
        return take(l);
    }
}

bool net_shm_ready(void)
{
    struct net_shm *shm = net_shm_own();
    return shm && ring_ready(shm->line, NET_SHM_LINES, &consumer);
}

enum net_result net_shm_poll(int most, enum net_result (*take)(const struct line *l))
{
    lock_assert_held(&net_poll_lock);
    struct net_shm *shm = net_shm_own();
    const struct line *l;
    enum net_result how = NET_DONE, last = NET_AGAIN;
    /* The line behind one that somebody waits for is not looked at: its sender has fetched it for writing, and it would take as
     * long as the message did to come here. */
    for (; shm && most > 0 && how == NET_DONE && (l = ring_next(shm->line, NET_SHM_LINES, &consumer));
         most--) {
        how = shm_deliver(l, take);
        if (how == NET_AGAIN)
            break;
        last = how;
        ring_done(&shm->ring, &consumer, l, NET_SHM_PUBLISH);
    }
    return last;
}

bool net_shm_tend(void)
{
    lock_assert_held(&net_poll_lock);
    bool any = net_shm_own() && net_descriptors_collect();
    return net_flush() || any;
}
