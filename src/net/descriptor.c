/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors of four sizes, cut off a heap behind the segment's ring and never given back to it. Large messages need only one
 * without room for data, and of those there must always be some, however many short messages lie unreceived: the others may
 * take a part of the heap only. One that comes back waits in a list of the segment till its process looks
 * (tests/spin/returned.pml is the model).
 */
#include "net/descriptor.h"

#include <assert.h>
#include <stdlib.h>

enum { SIZES = 4, WITH_DATA = 12 << 20 /* of the heap: for each size with room for data */ };

static const size_t room_of[SIZES] = {0, 4 << 10, 16 << 10, NET_DESCRIPTOR_MAX};

static struct {
    struct lock lock;
    struct net_descriptor *free[SIZES]; /* under lock, by next */
    size_t used, used_by[SIZES];        /* bytes of the heap; under lock */
    _Atomic long out;                   /* descriptors that are expected back; relaxed */
    void (*returned)(void *owner, int rc);
} heap = {.lock = LOCK_FREE(HEAP)};

void net_descriptors_start(void (*returned)(void *owner, int rc))
{
    heap.returned = returned;
}

static uint64_t descriptor_place_of(const struct net_descriptor *d)
{
    return (uint64_t)((const char *)d - (const char *)net_shm_own());
}

static struct net_descriptor *at_place(char *segment, uint64_t at)
{
    if (unlikely(at - sizeof(struct net_shm) >
                     NET_SEGMENT_BYTES - sizeof(struct net_shm) - sizeof(struct net_descriptor) ||
                 at % CACHE_LINE != 0))
        net_shm_corrupt("the place of a descriptor", at);
    return (struct net_descriptor *)(void *)(segment + at);
}

static struct net_descriptor *own_at(uint64_t at)
{
    return at ? at_place((char *)net_shm_own(), at) : NULL;
}

struct net_descriptor *net_descriptor_of(struct net_peer *peer, uint64_t at)
{
    return at_place(peer->memory.base, at);
}

struct net_note net_descriptor_note(const struct net_descriptor *d)
{
    struct net_note note = {descriptor_place_of(d), d->bytes, net_own_name()};
    net_shm_goes_out((void *)(uintptr_t)d); /* after the last look at it: whoever has it next may write */
    return note;
}

/* ---- getting and putting ---- */

/* A new one. */
static struct net_descriptor *descriptor_cut(int size)
{
    lock_assert_held(&heap.lock);
    size_t begin = (sizeof(struct net_shm) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    size_t bytes = sizeof(struct net_descriptor) + room_of[size];
    if (bytes > NET_SEGMENT_BYTES - begin - heap.used)
        return NULL;
    if (size > 0 && heap.used_by[size] + bytes > WITH_DATA)
        return NULL;
    struct net_descriptor *d = own_at(begin + heap.used);
    heap.used += bytes;
    heap.used_by[size] += bytes;
    d->size = size;
    return d;
}

static struct net_descriptor *pop_free(int size)
{
    lock_acquire(&heap.lock);
    struct net_descriptor *d = heap.free[size];
    if (d)
        heap.free[size] = own_at(load_relaxed(&d->next));
    lock_release(&heap.lock);
    return d;
}

struct net_descriptor *net_descriptor_get(size_t bytes)
{
    assert(bytes <= NET_DESCRIPTOR_MAX);
    int size = 0;
    while (room_of[size] < bytes)
        size++;
    struct net_descriptor *d = pop_free(size);
    if (!d && net_descriptors_collect()) /* before touching new memory */
        d = pop_free(size);
    if (!d) {
        lock_acquire(&heap.lock);
        d = descriptor_cut(size);
        lock_release(&heap.lock);
    }
    if (!d)
        return NULL;
    d->owner = NULL;
    d->packed = NULL;
    d->expected = false;
    d->rc = MPI_SUCCESS;
    store_relaxed(&d->state, NET_DESCRIPTOR_OPEN);
    return d;
}

_Atomic int *net_word_get(uint64_t *place)
{
    struct net_descriptor *d = net_shm_own() ? net_descriptor_get(0) : NULL;
    if (!d)
        return NULL;
    *place = descriptor_place_of(d);
    return &d->state;
}

void net_word_put(_Atomic int *word)
{
    net_descriptor_put(container_of(word, struct net_descriptor, state));
}

_Atomic int *net_word_of(struct net_peer *peer, uint64_t place)
{
    return &net_descriptor_of(peer, place)->state;
}

static void descriptor_count_out(struct net_peer *to, int n)
{
    add_relaxed(&heap.out, n);
    add_relaxed(&to->out, n);
}

void net_descriptor_put(struct net_descriptor *d)
{
    if (d->expected)
        descriptor_count_out(d->to, -1);
    if (unlikely((unsigned)d->size >= SIZES))
        net_shm_corrupt("the size of a descriptor", (uint64_t)d->size);
    free(d->packed);
    lock_acquire(&heap.lock);
    store_relaxed(&d->next, heap.free[d->size] ? descriptor_place_of(heap.free[d->size]) : 0);
    heap.free[d->size] = d;
    lock_release(&heap.lock);
}

void net_descriptor_expect(struct net_descriptor *d, struct net_peer *to, void *owner)
{
    assert(!d->expected);
    d->owner = owner;
    d->expected = true;
    d->to = to;
    descriptor_count_out(to, 1);
}

bool net_descriptors_await(void)
{
    return load_relaxed(&heap.out) > 0;
}

/* Its owner first: till then it is not another one's (net_descriptor_withdraw). */
static void come_back(struct net_descriptor *d)
{
    net_shm_comes_in(d);
    if (d->owner && load_relaxed(&d->state) == NET_DESCRIPTOR_WITHDRAWN)
        d->expected = false; /* the owner was told then */
    else if (d->owner)
        heap.returned(d->owner, d->rc);
    net_descriptor_put(d);
}

bool net_descriptors_collect(void)
{
    struct net_shm *own = net_shm_own();
    if (load_relaxed(&own->returned) == 0)
        return false;
    struct net_descriptor *d = own_at(swap_acquire(&own->returned, 0)), *next;
    bool any = d != NULL;
    for (; d; d = next) {
        next = own_at(load_relaxed(&d->next));
        come_back(d);
    }
    return any;
}

/* While the owner is not done d is still its own: it changes hands under the lock, after the owner was told. */
bool net_descriptor_withdraw(struct net_descriptor *d, bool (*done)(const void *owner), const void *owner)
{
    int state = NET_DESCRIPTOR_OPEN;
    struct net_peer *to = NULL;
    lock_acquire(&heap.lock);
    bool mine = !done(owner) && cas_acq_rel(&d->state, &state, NET_DESCRIPTOR_WITHDRAWN);
    if (mine) /* else it may be another owner's by now, who writes it */
        to = d->to;
    lock_release(&heap.lock);
    if (mine)
        descriptor_count_out(to, -1); /* nobody waits for it any more */
    return mine;
}

/* ---- the receiver ---- */

bool net_descriptor_claim(struct net_descriptor *d)
{
    int state = NET_DESCRIPTOR_OPEN;
    net_shm_comes_in(d);
    return cas_acq_rel(&d->state, &state, NET_DESCRIPTOR_CLAIMED) || state == NET_DESCRIPTOR_CLAIMED;
}

void net_descriptor_return(struct net_descriptor *d, struct net_peer *from, int rc)
{
    struct net_shm *shm = from->shm;
    uint64_t at = (uint64_t)((char *)d - from->memory.base), newest = load_relaxed(&shm->returned);
    d->rc = rc;
    net_shm_goes_out(d);
    do {
        store_relaxed(&d->next, newest);
        chaos_point();
    } while (!atomic_compare_exchange_weak_explicit(&shm->returned, &newest, at, memory_order_release,
                                                    memory_order_relaxed));
}

/* Claimed first: its sender may be about to withdraw it, and one of the two tells the owner. */
void net_descriptor_drop(struct net_descriptor *d, struct net_peer *from)
{
    net_descriptor_claim(d);
    net_descriptor_return(d, from, MPI_SUCCESS);
}

const char *net_descriptor_data(const struct net_descriptor *d, const struct net_peer *from, size_t bytes)
{
    size_t behind = NET_SEGMENT_BYTES - (size_t)(d->data - from->memory.base);
    if (d->address)
        return NULL;
    if (unlikely(d->bytes > NET_DESCRIPTOR_MAX || d->bytes > behind || bytes > d->bytes))
        net_shm_corrupt("the length of a descriptor", d->bytes);
    return d->data;
}

int net_descriptor_read(const struct net_descriptor *d, struct net_peer *from, size_t skip, char *to,
                        size_t bytes)
{
    struct net_piece all = {to, d->address + skip, bytes};
    return net_peer_copy(from, NET_READ, &all, 1) == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_INTERN;
}
