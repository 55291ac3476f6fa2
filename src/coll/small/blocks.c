/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls whose blocks differ in length (the v and w functions). Nobody knows what another brings, so
 * posts say it. Between processes who sends one block posts it in the slot, on the stage or as an address, as its length is; who sends
 * each reader another one posts a list of them on the stage, with the data behind it or their addresses in it. In one process
 * the post leads to what the call was given.
 */
#include "coll/small/pieces.h"

struct block_entry {
    uint64_t at; /* offset on the stage, or address */
    uint64_t bytes;
};

/* What somebody brings to this one: here, where it can be read, or else there, in another process. */
struct block_found {
    const struct blocks *given; /* its block for this one */
    const char *here;
    uint64_t there;
    size_t bytes;
};

/* One call. */
struct varying {
    struct small_call *t;
    const struct call *call;
    void *packed; /* of what lies at addresses: what does not lie together; to be freed */
    bool lent;    /* addresses were posted */
    bool shared;  /* what is lent goes in pieces: */
    bool begun;   /* there are some; then streams are used */
    struct streams *streams;
};

_Static_assert(STAGES_MAX * sizeof(struct block_entry) + STAGED_MAX <= STAGE_BYTES, "a list and its data fit on a stage");

/* Who sends calls it before it posts. */
static void block_streams_begin(struct varying *v)
{
    if (!v->begun)
        streams_begin(v->streams, v->t);
    v->begun = true;
}

/* ---- posting ---- */

static void block_post_given(struct varying *v)
{
    struct flag_slot *e = small_slot(v->t);
    struct address own = {.given = &v->call->send};
    memcpy(e->data, &own, sizeof own);
    v->lent = true;
    small_post_at(v->t, e, 0, WHERE_GIVEN);
}

static void block_post_one(struct varying *v)
{
    struct small_call *t = v->t;
    struct span s = block_at(&v->call->send, 0);
    size_t bytes = span_bytes(&s);
    if (bytes <= (t->flag_slots->machine ? STAGED_MAX : SLOT_BYTES)) {
        small_post_data(t, &s);
        return;
    }
    if (!t->flag_slots->machine) {
        block_post_given(v);
        return;
    }
    struct address own = address_own(t, &s, &v->packed);
    v->lent = true;
    if (v->shared)
        block_streams_begin(v);
    address_post(t, &own);
    if (v->shared && t->rc == MPI_SUCCESS)
        stream_send(v->streams, (char *)(uintptr_t)own.send, own.bytes);
}

static void block_entries_pack(struct varying *v, struct block_entry *list, int n, char *to, uint64_t at)
{
    for (int r = 0; r < n && v->t->rc == MPI_SUCCESS; r++) {
        struct span s = block_at(&v->call->send, r);
        list[r] = (struct block_entry){at, span_bytes(&s)};
        if (list[r].bytes > 0)
            v->t->rc = copy_pack(&s, to);
        to += list[r].bytes;
        at += list[r].bytes;
    }
}

/* Addresses of what lies together; if not all does, of copies. */
static void block_entries_lend(struct varying *v, struct block_entry *list, int n, size_t bytes)
{
    bool together = true;
    for (int r = 0; r < n; r++) {
        struct span s = block_at(&v->call->send, r);
        list[r] = (struct block_entry){.bytes = span_bytes(&s)};
        list[r].at = list[r].bytes > 0 ? (uintptr_t)span_start(&s) : 0;
        together &= list[r].bytes == 0 || s.type->contiguous;
    }
    if (together)
        return;
    v->packed = reserve_malloc(bytes);
    if (v->packed)
        block_entries_pack(v, list, n, v->packed, (uintptr_t)v->packed);
    else
        v->t->rc = MPI_ERR_NO_MEM;
}

static void block_post_list(struct varying *v)
{
    struct small_call *t = v->t;
    struct flag_slot *e = small_slot(t);
    int n = t->flag_slots->n;
    size_t bytes = 0, head = (size_t)n * sizeof(struct block_entry);
    for (int r = 0; r < n && !t->rc; r++)
        bytes += block_bytes(&v->call->send, r);
    v->lent = bytes > STAGED_MAX;
    size_t at = small_stage(t, v->lent ? head : head + bytes);
    struct block_entry *list = (struct block_entry *)(void *)(small_stage_of(t, t->me) + at);
    if (v->lent)
        block_entries_lend(v, list, n, bytes);
    else
        block_entries_pack(v, list, n, (char *)(list + n), at + head);
    memcpy(e->data, &at, sizeof at);
    small_post_at(t, e, 0, v->lent ? WHERE_ADDRESSES : WHERE_STAGES);
}

/* ---- reading ---- */

static struct block_found block_on_stage(const struct small_call *t, int place, size_t at, size_t bytes)
{
    return (struct block_found){.here = small_stage_of(t, place) + at, .bytes = bytes};
}

static struct block_found block_at_address(const struct small_call *t, int place, uint64_t at, size_t bytes)
{
    bool far = address_peer(t, place);
    const char *here = far ? NULL : (const char *)(uintptr_t)at;
    return (struct block_found){.here = here, .there = at, .bytes = bytes};
}

/* What who has a place brings to this one; waits until it has posted. False: there is an error. */
static bool block_find(struct small_call *t, int place, struct block_found *f)
{
    const struct flag_slot *e = small_slot_of(t, place);
    struct address a;
    size_t at;
    small_await(t, place, (_Atomic uint64_t *)&e->number, t->call + 1);
    small_note_slot(t, e, (size_t)e->bytes);
    memcpy(&at, e->data, sizeof at);
    memcpy(&a, e->data, sizeof a);
    if (t->rc)
        return false;
    if (e->where == WHERE_SLOT) {
        *f = (struct block_found){.here = e->data, .bytes = (size_t)e->bytes};
    } else if (e->where == WHERE_STAGE) {
        *f = block_on_stage(t, place, at, (size_t)e->bytes);
    } else if (e->where == WHERE_GIVEN) {
        *f = (struct block_found){.given = a.given, .bytes = block_bytes(a.given, t->me)};
    } else if (e->where == WHERE_ADDRESS) {
        *f = block_at_address(t, place, a.send, a.bytes);
    } else {
        struct block_entry mine = ((struct block_entry *)(void *)(small_stage_of(t, place) + at))[t->me];
        *f = e->where == WHERE_STAGES ? block_on_stage(t, place, mine.at, mine.bytes)
                                      : block_at_address(t, place, mine.at, mine.bytes);
    }
    return true;
}

/* Into block r of what the call gets. Fewer bytes than there is room for are no error. */
static void block_take(struct varying *v, struct address_copies *c, int place, int r)
{
    struct small_call *t = v->t;
    struct span to = block_at(&v->call->recv, r);
    struct block_found f;
    if (!block_find(t, place, &f) || f.bytes == 0)
        return;
    if (f.bytes > span_bytes(&to)) {
        t->rc = MPI_ERR_TRUNCATE;
    } else if (f.given) {
        struct span from = block_at(f.given, t->me);
        t->rc = copy_typed(&from, &to, f.bytes);
    } else if (f.here) {
        struct span from = span_packed(f.here, f.bytes);
        t->rc = copy_typed(&from, &to, f.bytes);
    } else if (v->shared) {
        block_streams_begin(v);
        stream_take(v->streams, place, &to, f.bytes);
    } else if (to.type->contiguous) {
        address_copy(t, c, place, span_start(&to), f.there, f.bytes);
    } else {
        address_scatter(t, address_peer(t, place), f.there, &to, f.bytes);
    }
}

static void block_read(struct varying *v)
{
    struct small_call *t = v->t;
    const struct call *call = v->call;
    bool one = call->kind == COLL_SCATTER; /* comes from the root alone */
    int n = t->flag_slots->n, first = one ? call->root : t->me, end = one ? 1 : n;
    struct address_copies copies = {.way = NET_READ};
    for (int k = 0; k < end; k++) {
        int i = (first + k) % n;
        if (i != t->me || !call->in_place || call->kind == COLL_ALLTOALL)
            block_take(v, &copies, i, one ? 0 : i);
    }
    address_flush(t, &copies);
}

void blocks_move(struct small_call *t, const struct call *call)
{
    bool root = t->view->rank == call->root;
    bool gathers = call->kind == COLL_GATHER, scatters = call->kind == COLL_SCATTER;
    struct streams streams;
    struct varying v = {.t = t, .call = call, .shared = address_is_shared(t, call), .streams = &streams};
    bool lists = scatters ? root : call->kind == COLL_ALLTOALL;
    if (lists && t->flag_slots->machine)
        block_post_list(&v);
    else if (lists)
        block_post_given(&v);
    else if (!scatters)
        block_post_one(&v);
    if (gathers ? root : !(scatters && root && call->in_place))
        block_read(&v);
    if (v.begun)
        streams_run(&streams);
    if (!gathers && !scatters)
        small_met_all(t);
    address_finish(t, !v.lent || (gathers && root) ? ADDRESS_NOBODY : gathers ? call->root : ADDRESS_ALL);
    reserve_free(v.packed);
}
