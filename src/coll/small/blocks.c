/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls whose blocks differ in length (the v and w functions). Nobody knows what another brings, so
 * posts say it. Who sends one block posts it in the slot; if it is longer, on the stage or as an address. Who sends each reader another
 * one posts all in the slot, behind a list of where each ends; if they are longer, such a list on the stage, with the data behind it
 * or their addresses in it. In one process, instead of stages, the post leads to what the call was given.
 *
 * Nobody posts for itself alone: the root of a gather does not post. Who has seen nothing but slots does not publish at once that it
 * has finished, no more than in other small calls.
 */
#include "coll/small/small.h"

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
};

_Static_assert(SLOT_BYTES <= UINT8_MAX, "the end of a block in a slot is a byte");
_Static_assert(STAGES_MAX * sizeof(struct block_entry) + STAGED_MAX <= STAGE_BYTES, "a list and its data fit on a stage");

/* ---- posting ---- */

/* The first bytes of a slot with blocks for each: where each ends. */
static size_t block_ends(const struct small_call *t)
{
    return ((size_t)t->flag_slots->n + 7) / 8 * 8;
}

/* Block r to where there is room in a slot. Of what lies together no span is made for a function: small_post_blocks. */
static __attribute__((noinline)) void block_pack(struct varying *v, int r, char *to)
{
    struct span s = block_at(&v->call->send, r);
    small_fill(v->t, to, &s);
}

/* All in the slot. False, and nothing is posted: they are too long. */
static bool block_post_slot(struct varying *v)
{
    struct small_call *t = v->t;
    struct flag_slot *e = small_slot(t);
    uint8_t *end = (uint8_t *)e->data;
    size_t at = block_ends(t);
    for (int r = 0; r < t->flag_slots->n && t->rc == MPI_SUCCESS; r++) {
        struct span s = block_at(&v->call->send, r);
        size_t bytes = span_bytes(&s);
        if (at > SLOT_BYTES || bytes > SLOT_BYTES - at)
            return false;
        if (likely(s.type->contiguous))
            small_copy(e->data + at, span_start(&s), bytes);
        else
            block_pack(v, r, e->data + at);
        at += bytes;
        end[r] = (uint8_t)at;
    }
    small_post_at(t, e, at, WHERE_SLOTS);
    return true;
}

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
    address_post(t, &own);
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
    t->publishes = true;
    memcpy(e->data, &at, sizeof at);
    small_post_at(t, e, 0, v->lent ? WHERE_ADDRESSES : WHERE_STAGES);
}

/* ---- reading ---- */

static struct block_found block_in_slot(const struct small_call *t, const struct flag_slot *e)
{
    const uint8_t *end = (const uint8_t *)e->data;
    size_t at = t->me > 0 ? end[t->me - 1] : block_ends(t);
    return (struct block_found){.here = e->data + at, .bytes = end[t->me] - at};
}

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
    if (unlikely(e->rc) || unlikely(e->where > WHERE_SLOTS))
        small_note_slot(t, e, (size_t)e->bytes);
    if (unlikely(t->rc))
        return false;
    if (e->where <= WHERE_SLOTS) {
        *f = e->where == WHERE_SLOTS ? block_in_slot(t, e)
                                     : (struct block_found){.here = e->data, .bytes = (size_t)e->bytes};
        return true;
    }
    memcpy(&at, e->data, sizeof at);
    memcpy(&a, e->data, sizeof a);
    if (e->where == WHERE_STAGE) {
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

/* Into block r of what the call gets. */
static __attribute__((noinline)) void block_copy_found(struct varying *v, struct address_copies *c, int place,
                                                       const struct block_found *f, int r)
{
    struct small_call *t = v->t;
    struct span to = block_at(&v->call->recv, r);
    if (f->given) {
        struct span from = block_at(f->given, t->me);
        t->rc = copy_typed(&from, &to, f->bytes);
    } else if (f->here) {
        struct span from = span_packed(f->here, f->bytes);
        t->rc = copy_typed(&from, &to, f->bytes);
    } else if (to.type->contiguous) {
        address_copy(t, c, place, span_start(&to), f->there, f->bytes);
    } else {
        address_scatter(t, address_peer(t, place), f->there, &to, f->bytes);
    }
}

/* The same. Fewer bytes than there is room for are no error. */
static void block_take(struct varying *v, struct address_copies *c, int place, int r)
{
    struct span to = block_at(&v->call->recv, r);
    struct block_found f;
    if (!block_find(v->t, place, &f) || f.bytes == 0)
        return;
    if (unlikely(f.bytes > span_bytes(&to)))
        v->t->rc = MPI_ERR_TRUNCATE;
    else if (likely(f.here && !f.given && to.type->contiguous))
        small_copy(span_start(&to), f.here, f.bytes);
    else
        block_copy_found(v, c, place, &f, r);
}

/* What it brings to itself. */
static __attribute__((noinline)) int block_copy_own(const struct varying *v, size_t bytes)
{
    int me = v->t->me;
    struct span from = block_at(&v->call->send, me), to = block_at(&v->call->recv, me);
    return copy_typed(&from, &to, bytes);
}

static void block_take_own(struct varying *v)
{
    struct small_call *t = v->t;
    struct span from = block_at(&v->call->send, t->me), to = block_at(&v->call->recv, t->me);
    size_t bytes = span_bytes(&from);
    if (unlikely(t->rc) || bytes == 0)
        return;
    if (unlikely(bytes > span_bytes(&to)))
        t->rc = MPI_ERR_TRUNCATE;
    else if (likely(from.type->contiguous && to.type->contiguous))
        small_copy(span_start(&to), span_start(&from), bytes);
    else
        t->rc = block_copy_own(v, bytes);
}

/* Without clearing the list. */
static void block_copies_begin(struct address_copies *c)
{
    c->way = NET_READ;
    c->peer = NULL;
    c->n = 0;
}

static void block_read(struct varying *v)
{
    struct small_call *t = v->t;
    int n = t->flag_slots->n;
    struct address_copies copies;
    block_copies_begin(&copies);
    for (int k = 1, i = t->me; k < n; k++) {
        i = i + 1 < n ? i + 1 : 0;
        block_take(v, &copies, i, i);
    }
    address_flush(t, &copies);
}

static void block_read_root(struct varying *v)
{
    struct address_copies copies;
    block_copies_begin(&copies);
    block_take(v, &copies, v->call->root, 0);
    address_flush(v->t, &copies);
}

static void block_post(struct varying *v)
{
    bool each = v->call->kind == COLL_SCATTER || v->call->kind == COLL_ALLTOALL;
    if (!each)
        block_post_one(v);
    else if (likely(block_post_slot(v)))
        return;
    else if (v->t->flag_slots->machine)
        block_post_list(v);
    else
        block_post_given(v);
}

void blocks_move(struct small_call *t, const struct call *call)
{
    struct varying v = {t, call, NULL, false};
    bool gathers = call->kind == COLL_GATHER, scatters = call->kind == COLL_SCATTER;
    bool rooted = gathers || scatters, root = rooted && t->me == call->root;
    if (gathers)
        t->reader = call->root;
    if (!rooted || root != gathers)
        block_post(&v);
    if (!rooted || (gathers && root))
        block_read(&v);
    else if (scatters && !root)
        block_read_root(&v);
    if ((!rooted || root) && !call->in_place)
        block_take_own(&v);
    if (!rooted)
        small_met_all(t);
    if (unlikely(v.lent))
        address_finish(t, gathers ? call->root : ADDRESS_ALL);
    else
        small_end(t);
    if (unlikely(v.packed != NULL))
        reserve_free(v.packed);
}
