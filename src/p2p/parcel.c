/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parcels of four sizes, cut off a heap behind the hall's ring and never given back to it. Large messages need only the
 * head of one, and of those there must always be some, however many short ones lie unreceived: the others may
 * take a part of the heap only. A parcel that comes back waits in a list of the hall till its process looks.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "p2p/hall.h"

enum { SIZES = 4, WITH_DATA = 12 << 20 /* of the heap: for each size with room for data */ };

static const size_t room_of[SIZES] = {0, 4 << 10, 16 << 10, PARCEL_MAX};

static struct {
    struct lock lock;
    struct parcel *free[SIZES];  /* under lock, by next */
    size_t used, used_by[SIZES]; /* bytes of the heap; under lock */
    _Atomic long out;            /* parcels that are expected back */
} parcels;

static struct hall *own_hall(void)
{
    return mates_own_hall();
}

uint64_t parcel_at(const struct parcel *p)
{
    return (uint64_t)((const char *)p - (const char *)mates_own_hall());
}

static struct parcel *own_parcel(uint64_t at)
{
    if (at)
        parcel_check(at);
    return at ? (struct parcel *)(void *)((char *)mates_own_hall() + at) : NULL;
}

/* ---- getting and giving back ---- */

/* A new one. The lock is held. */
static struct parcel *cut(int size)
{
    size_t begin = (sizeof(struct hall) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    size_t bytes = sizeof(struct parcel) + room_of[size];
    if (bytes > MATES_HALL_BYTES - begin - parcels.used)
        return NULL;
    if (size > 0 && parcels.used_by[size] + bytes > WITH_DATA)
        return NULL;
    struct parcel *p = own_parcel(begin + parcels.used);
    parcels.used += bytes;
    parcels.used_by[size] += bytes;
    p->size = size;
    return p;
}

static struct parcel *take(int size)
{
    lock_acquire(&parcels.lock);
    struct parcel *p = parcels.free[size];
    if (p)
        parcels.free[size] = own_parcel(load_relaxed(&p->next));
    lock_release(&parcels.lock);
    return p;
}

struct parcel *parcel_get(size_t bytes)
{
    int size = 0;
    while (room_of[size] < bytes)
        size++;
    struct parcel *p = take(size);
    if (!p && parcels_collect()) /* before touching new memory */
        p = take(size);
    if (!p) {
        lock_acquire(&parcels.lock);
        p = cut(size);
        lock_release(&parcels.lock);
    }
    if (!p)
        return NULL;
    p->request = NULL;
    p->packed = NULL;
    p->expected = false;
    p->rc = MPI_SUCCESS;
    store_relaxed(&p->state, PARCEL_OPEN);
    return p;
}

static void count_out(struct mate *to, int n)
{
    add_relaxed(&parcels.out, n);
    add_relaxed(&to->out, n);
}

void parcel_put(struct parcel *p)
{
    if (p->expected)
        count_out(p->to, -1);
    if (unlikely((unsigned)p->size >= SIZES))
        far_corrupt("the size of a parcel", (uint64_t)p->size);
    free(p->packed);
    lock_acquire(&parcels.lock);
    store_relaxed(&p->next, parcels.free[p->size] ? parcel_at(parcels.free[p->size]) : 0);
    parcels.free[p->size] = p;
    lock_release(&parcels.lock);
}

void parcel_expect(struct parcel *p, struct mate *to)
{
    p->expected = true;
    p->to = to;
    count_out(to, 1);
}

void parcel_belongs(struct parcel *p, struct mate *to, ep_request r)
{
    p->request = r;
    parcel_expect(p, to);
}

bool parcels_await(void)
{
    return load_relaxed(&parcels.out) > 0;
}

/* Its request first: till then it is not another one's (parcel_withdraw). */
static void come_back(struct parcel *p)
{
    wire_comes_in(p);
    ep_request r = p->request;
    if (r && load_relaxed(&p->state) == PARCEL_WITHDRAWN) {
        p->expected = false; /* r was completed then */
    } else if (r) {
        if (p->rc != MPI_SUCCESS)
            r->out.error = p->rc;
        request_complete(r);
    }
    parcel_put(p);
}

bool parcels_collect(void)
{
    struct hall *hall = own_hall();
    if (load_relaxed(&hall->returned) == 0)
        return false;
    struct parcel *p = own_parcel(swap_acquire(&hall->returned, 0)), *next;
    bool any = p != NULL;
    for (; p; p = next) {
        next = own_parcel(load_relaxed(&p->next));
        come_back(p);
    }
    return any;
}

/* While r is not done p is still its own: it changes hands under the lock, after r was completed. */
bool parcel_withdraw(struct parcel *p, ep_request r)
{
    int state = PARCEL_OPEN;
    lock_acquire(&parcels.lock);
    struct mate *to = p->to;
    bool mine = !request_is_done(r) && cas_acq_rel(&p->state, &state, PARCEL_WITHDRAWN);
    lock_release(&parcels.lock);
    if (mine)
        count_out(to, -1); /* nobody waits for it any more */
    return mine;
}

/* ---- the receiver ---- */

bool parcel_claim(struct parcel *p)
{
    int state = PARCEL_OPEN;
    wire_comes_in(p);
    return cas_acq_rel(&p->state, &state, PARCEL_CLAIMED) || state == PARCEL_CLAIMED;
}

static void give_back(struct parcel *p, struct mate *from, int rc)
{
    struct hall *hall = hall_of(from);
    uint64_t at = (uint64_t)((char *)p - from->memory.base), newest = load_relaxed(&hall->returned);
    p->rc = rc;
    wire_goes_out(p);
    do {
        store_relaxed(&p->next, newest);
        chaos_point();
    } while (!atomic_compare_exchange_weak_explicit(&hall->returned, &newest, at, memory_order_release,
                                                    memory_order_relaxed));
}

/* Claimed first: its sender may be about to withdraw it, and one of the two completes the send. */
void parcel_drop(struct parcel *p, struct mate *from)
{
    parcel_claim(p);
    give_back(p, from, MPI_SUCCESS);
}

/* The first `bytes` of data at an address in another process. */
static int read_memory(struct mate *from, uint64_t address, char *to, size_t bytes)
{
    while (bytes > 0) {
        struct iovec local = {to, bytes}, remote = {(void *)(uintptr_t)address, bytes};
        ssize_t n = process_vm_readv(from->pid, &local, 1, &remote, 1, 0);
        if (n <= 0)
            return MPI_ERR_INTERN;
        to += n;
        address += (size_t)n;
        bytes -= (size_t)n;
    }
    return MPI_SUCCESS;
}

static int read_apart(const struct parcel *p, struct mate *from, ep_request r)
{
    size_t bytes = r->out.received;
    if (r->data.type->contiguous)
        return read_memory(from, p->address, span_start(&r->data), bytes);
    char *staging = malloc(bytes + 1);
    if (!staging)
        return MPI_ERR_NO_MEM;
    int rc = read_memory(from, p->address, staging, bytes);
    struct span packed = span_packed(staging, bytes);
    if (rc == MPI_SUCCESS)
        rc = copy_typed(&packed, &r->data, bytes);
    free(staging);
    return rc;
}

void parcel_receive(struct parcel *p, struct mate *from, ep_request r)
{
    int rc, unread = MPI_SUCCESS;
    if (p->rc != MPI_SUCCESS) { /* the sender had no memory for them */
        rc = unread = p->rc;
    } else if (p->address) {
        rc = read_apart(p, from, r);
        unread = rc == MPI_ERR_INTERN ? rc : MPI_SUCCESS; /* what the sender is told */
    } else {
        size_t behind = MATES_HALL_BYTES - (size_t)(p->data - from->memory.base);
        if (unlikely(p->bytes > PARCEL_MAX || p->bytes > behind || r->out.received > p->bytes))
            far_corrupt("the length of a parcel", p->bytes);
        struct span packed = span_packed(p->data, p->bytes);
        rc = copy_typed(&packed, &r->data, r->out.received);
    }
    give_back(p, from, unread);
    if (rc != MPI_SUCCESS) {
        r->out.error = rc;
        r->out.received = 0;
    }
    request_complete(r);
}
