/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/small/pieces.h"

#include <assert.h>

/* Both caches hold a half where each endpoint has a core; where they share cores each round costs switches of all. */
enum { HALF = 32 << 10, HALF_CROWDED = (PIECES_BYTES - FETCH_BYTES) / 2 };

size_t pieces_half(const struct small_call *t)
{
    return t->flag_slots->crowded ? HALF_CROWDED : HALF;
}

void pieces_begin(struct pieces *p, struct small_call *t)
{
    struct column *own = &t->flag_slots->column[t->me];
    assert(t->flag_slots->pieces);
    *p = (struct pieces){.t = t};
    store_relaxed(&own->put, 0);
}

static char *piece_place(const struct pieces *p, int place, uint64_t q)
{
    return p->t->flag_slots->pieces + (size_t)place * PIECES_BYTES + (q % 2) * HALF_CROWDED;
}

/* ---- the owner ---- */

char *piece_room(const struct pieces *p)
{
    return piece_place(p, p->t->me, p->put);
}

void piece_put(struct pieces *p)
{
    struct small_call *t = p->t;
    struct address_slot *own = (struct address_slot *)(void *)small_slot_of(t, t->me)->data;
    store_relaxed(&own->failed, t->rc);
    chaos_point();
    net_shm_goes_out(t->flag_slots);
    store_release(&t->flag_slots->column[t->me].put, ++p->put);
}

/* ---- its readers ---- */

const char *piece_await(struct pieces *p, int place, uint64_t q)
{
    struct small_call *t = p->t;
    struct address_slot *a = (struct address_slot *)(void *)small_slot_of(t, place)->data;
    if (t->rc)
        return NULL;
    small_await(t, place, &t->flag_slots->column[place].put, q + 1);
    t->rc = load_relaxed(&a->failed);
    return t->rc ? NULL : piece_place(p, place, q);
}
