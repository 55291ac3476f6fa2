/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls whose slots carry addresses (small.h): what is read from there, and when it may be changed again. */
#include <string.h>

#include "coll/small/small.h"

/* ---- addresses ---- */

_Static_assert(sizeof(struct address_slot) <= SLOT_BYTES, "it is what a slot carries");

void address_post(struct small_call *t, const struct address *own)
{
    struct flag_slot *e = small_slot(t);
    struct address_slot *a = (struct address_slot *)(void *)e->data;
    a->address = *own;
    store_relaxed(&a->failed, MPI_SUCCESS);
    small_post_at(t, e, own->bytes, WHERE_ADDRESS);
}

bool address_of(struct small_call *t, int place, size_t bytes, struct address *a)
{
    memcpy(a, small_await_slot(t, place, bytes)->data, sizeof *a);
    if (unlikely(t->rc == MPI_SUCCESS && a->bytes != bytes))
        t->rc = MPI_ERR_TRUNCATE; /* more than the slot's int tells apart */
    return t->rc == MPI_SUCCESS;
}

void address_finish(struct small_call *t, int reader)
{
    const struct flag_slots *s = t->flag_slots;
    small_publish(t);
    if (reader == ADDRESS_NOBODY)
        return;
    if (reader != ADDRESS_ALL) {
        small_await(t, reader, &s->column[reader].finished, t->call + 1);
        return;
    }
    for (int i = 0; i < s->n; i++)
        if (i != t->me)
            small_await(t, i, &s->column[i].finished, t->call + 1);
    t->own->known = t->call + 1;
}

/* All have posted, as this one knows. Whose slot has no address does the call in another way, since it knows of another length: an
 * error, and no reason to wait. A slot is written again when this one has finished, so what it says is read before. */
void address_finish_together(struct small_call *t)
{
    struct flag_slots *s = t->flag_slots;
    struct address_slot *own = (struct address_slot *)(void *)small_slot_of(t, t->me)->data;
    store_relaxed(&own->failed, t->rc);
    net_shm_goes_out(s);
    store_release(&s->column[t->me].together, t->call + 1);
    small_tell(t);
    for (int i = 0; i < s->n; i++) {
        struct flag_slot *e = small_slot_of(t, i);
        struct address_slot *a = (struct address_slot *)(void *)e->data;
        if (i == t->me || e->where != WHERE_ADDRESS)
            continue;
        small_await(t, i, &s->column[i].together, t->call + 1);
        t->rc = t->rc ? t->rc : load_relaxed(&a->failed);
    }
    small_met_all(t);
    address_finish(t, ADDRESS_NOBODY);
}

/* Those of one process can read anything. */
struct address address_own(struct small_call *t, const struct span *s, void **packed)
{
    struct address a = {.bytes = span_bytes(s)};
    if (s->type->contiguous) {
        a.send = (uintptr_t)span_start(s);
    } else if (t->flag_slots->machine && t->rc == MPI_SUCCESS) {
        *packed = reserve_malloc(a.bytes);
        t->rc = *packed ? copy_pack(s, *packed) : MPI_ERR_NO_MEM;
        a.send = (uintptr_t)*packed;
    }
    return a;
}

/* ---- copies ---- */

struct net_peer *address_peer(const struct small_call *t, int place)
{
    return t->flag_slots->peer ? t->flag_slots->peer[place] : NULL;
}

void address_flush(struct small_call *t, struct address_copies *c)
{
    if (c->n > 0 && t->rc == MPI_SUCCESS)
        t->rc = net_peer_copy(c->peer, c->way, c->piece, c->n);
    c->n = 0;
}

void address_copy(struct small_call *t, struct address_copies *c, int place, char *here, uint64_t there,
                  size_t bytes)
{
    struct net_peer *peer = address_peer(t, place);
    if (bytes == 0)
        return;
    if (!peer) {
        char *near = (char *)(uintptr_t)there;
        memmove(c->way == NET_READ ? here : near, c->way == NET_READ ? near : here, bytes);
        return;
    }
    if (c->peer != peer || c->n == ADDRESS_COPIES)
        address_flush(t, c);
    c->peer = peer;
    c->piece[c->n++] = (struct net_piece){here, there, bytes};
}

/* From another process to where it does not lie together. */
void address_scatter(struct small_call *t, const struct net_peer *peer, uint64_t from, const struct span *to,
                     size_t bytes)
{
    char *piece = small_fetch_room(t);
    struct type_iter i;
    t->rc = type_iter_span(&i, to, TYPE_DATA);
    for (size_t done = 0, n; done < bytes && t->rc == MPI_SUCCESS; done += n) {
        n = bytes - done < ADDRESS_PIECE ? bytes - done : ADDRESS_PIECE;
        t->rc = net_peer_copy(peer, NET_READ, &(struct net_piece){piece, from + done, n}, 1);
        if (t->rc == MPI_SUCCESS)
            type_iter_write(&i, piece, n);
    }
}

/* ---- moving data ---- */

/* Block r of what a says into block k of what the call gets. */
static void address_take(struct small_call *t, struct address_copies *c, int place, const struct address *a,
                         int r, const struct call *call, int k)
{
    struct span to = block_at(&call->recv, k);
    size_t bytes = span_bytes(&to);
    struct net_peer *peer = address_peer(t, place);
    if (bytes == 0)
        return;
    uint64_t from = a->send + (size_t)r * bytes;
    if (!a->send) {
        struct span given = block_at(a->given, r);
        t->rc = copy_typed(&given, &to, bytes);
    } else if (to.type->contiguous) {
        address_copy(t, c, place, span_start(&to), from, bytes);
    } else if (peer) {
        address_scatter(t, peer, from, &to, bytes);
    } else {
        struct span packed = span_packed((char *)(uintptr_t)from, bytes);
        t->rc = copy_typed(&packed, &to, bytes);
    }
}

static void address_read(struct small_call *t, const struct call *call)
{
    bool every = call->kind == COLL_ALLTOALL || call->kind == COLL_SCATTER; /* a block for each reader */
    bool one = call->kind == COLL_BCAST || call->kind == COLL_SCATTER;      /* comes from the root alone */
    int n = t->flag_slots->n, first = one ? call->root : t->me, end = one ? 1 : n;
    size_t bytes = block_bytes(&call->recv, 0) * (size_t)(every ? n : 1);
    struct address_copies copies = {.way = NET_READ};
    for (int k = 0; k < end; k++) {
        int i = (first + k) % n;
        struct address a;
        bool own = i == t->me && call->in_place && call->kind != COLL_ALLTOALL;
        if (!own && address_of(t, i, bytes, &a))
            address_take(t, &copies, i, &a, every ? t->me : 0, call, one ? 0 : i);
    }
    address_flush(t, &copies);
}

/* What is read is what this call sends. */
static struct address address_sent(struct small_call *t, const struct call *call, void **packed)
{
    bool every = call->kind == COLL_ALLTOALL || call->kind == COLL_SCATTER;
    struct span s = block_at(&call->send, 0);
    s.count *= (size_t)(every ? t->flag_slots->n : 1);
    struct address a = address_own(t, &s, packed);
    a.given = &call->send;
    return a;
}

/* Nobody reads what a leaf of a gather sends but the root; in bcast and scatter nobody but the root sends. */
static void address_move(struct small_call *t, const struct call *call)
{
    bool root = t->view->rank == call->root, gathers = call->kind == COLL_GATHER;
    bool rooted = gathers || call->kind == COLL_BCAST || call->kind == COLL_SCATTER;
    bool sends = !rooted || root || gathers;
    bool receives = !rooted || (gathers ? root : !(root && (call->kind == COLL_BCAST || call->in_place)));
    void *packed = NULL;
    if (sends) {
        struct address own = address_sent(t, call, &packed);
        address_post(t, &own);
    }
    if (receives)
        address_read(t, call);
    address_finish(t, gathers  ? (root ? ADDRESS_NOBODY : call->root)
                      : sends ? ADDRESS_ALL
                               : ADDRESS_NOBODY);
    reserve_free(packed);
}

/* Has it posted, or ended the call? */
struct address_post_look {
    const _Atomic uint64_t *number, *finished; /* by pointer: acquire address_has_posted */
    uint64_t least;
};

static bool address_has_posted(void *arg)
{
    const struct address_post_look *p = arg;
    return load_acquire(p->number) >= p->least || load_acquire(p->finished) >= p->least;
}

/* As address_of, of one that may do the call in another way, since it knows of another length: then false. A leaf of that way does not post,
 * and ends the call when it has seen this slot, which is not for its way; so it says at once that it has. */
static bool address_of_any(struct small_call *t, int place, size_t bytes, struct address *a)
{
    struct flag_slot *e = small_slot_of(t, place);
    struct address_post_look p = {&e->number, &t->flag_slots->column[place].finished, t->call + 1};
    chaos_point();
    if (!address_has_posted(&p))
        small_await_memory(t, place, address_has_posted, &p);
    small_heard(t);
    bool posted = load_acquire(p.number) >= p.least && e->where == WHERE_ADDRESS;
    if (posted)
        address_of(t, place, bytes, a);
    else
        t->rc = t->rc ? t->rc : MPI_ERR_TRUNCATE;
    return posted;
}

/* Of two members, in two processes with a core each: the root writes one half while the other one reads the other. An error of one is
 * an error of both: it is told before they have finished. */
static void address_bcast_two(struct small_call *t, const struct call *call)
{
    bool root = t->view->rank == call->root;
    struct span s = block_at(root ? &call->send : &call->recv, 0);
    size_t bytes = span_bytes(&s), half = bytes / 2 / CACHE_LINE * CACHE_LINE;
    struct address_copies copies = {.way = root ? NET_WRITE : NET_READ};
    struct address own = {.bytes = bytes}, other;
    void *packed = NULL;
    if (root)
        own = address_own(t, &s, &packed);
    else if (s.type->contiguous)
        own.recv = (uintptr_t)span_start(&s);
    address_post(t, &own);
    bool both = address_of_any(t, 1 - t->me, bytes, &other);
    if (t->rc == MPI_SUCCESS) {
        if (root && other.recv)
            address_copy(t, &copies, 1 - t->me, (char *)(uintptr_t)own.send + half, other.recv + half, bytes - half);
        else if (!root && own.recv)
            address_copy(t, &copies, 1 - t->me, (char *)(uintptr_t)own.recv, other.send, half);
        else if (!root)
            address_scatter(t, address_peer(t, 1 - t->me), other.send, &s, bytes);
        address_flush(t, &copies);
    }
    if (both)
        address_finish_together(t);
    else
        address_finish(t, ADDRESS_NOBODY);
    reserve_free(packed);
}

void small_addresses_run(struct small_call *t, const struct call *call, enum small_way way)
{
    if (way == SMALL_VARYING)
        blocks_move(t, call);
    else if (call->kind == COLL_BCAST && t->flag_slots->machine && t->flag_slots->n == 2 && !t->flag_slots->crowded)
        address_bcast_two(t, call);
    else if (call->kind < COLL_REDUCE)
        address_move(t, call);
    else if (way == SMALL_ADDRESSES)
        address_reduce_alone(t, call);
    else
        address_reduce_shares(t, call);
    t->own->calls = t->call + 1;
}
