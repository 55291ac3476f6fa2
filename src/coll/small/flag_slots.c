/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/small/small.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum flag_reach flag_slots_reach_slow(struct comm *c)
{
    enum flag_reach reach = c->nproc == 1       ? REACH_PROCESS
                            : net_all_peers(c) ? REACH_MACHINE
                                                : REACH_LEADERS;
    store_relaxed(&c->coll->reach, (signed char)reach);
    return reach;
}

/* ---- memory ---- */

/* Where what is in it begins: columns at 0, slots, stages, pieces. */
struct shared_room {
    size_t slots, stages, pieces, all;
};

static struct shared_room shared_room_for(const struct flag_slots *s)
{
    struct shared_room r;
    size_t n = (size_t)s->n;
    r.slots = n * sizeof(struct column);
    r.stages = r.slots + (n << s->shift) * sizeof(struct flag_slot);
    bool staged = s->machine && n <= STAGES_MAX;
    r.pieces = r.stages + (staged ? n * STAGE_BYTES : 0);
    r.all = r.pieces + (staged ? n * PIECES_BYTES : 0);
    return r;
}

static void shared_room_use(struct flag_slots *s, const struct shared_room *r, char *base)
{
    s->column = (struct column *)(void *)base;
    s->slot = (struct flag_slot *)(void *)(base + r->slots);
    s->stages = r->all > r->stages ? base + r->stages : NULL;
    s->pieces = r->all > r->pieces ? base + r->pieces : NULL;
}

static struct flag_slots *flag_slots_allocate(const struct comm *c, bool machine, bool crowded)
{
    struct flag_slots about = {
        .n = machine ? c->map.size : c->nlocal, .machine = machine, .crowded = crowded};
    about.shift = crowded && about.n <= STAGES_MAX ? RING_LONG : RING;
    about.mask = (1u << about.shift) - 1;
    struct shared_room room = shared_room_for(&about);
    size_t owners = sizeof about + (size_t)c->nlocal * sizeof(struct flag_owner);
    size_t shared = owners + (machine ? 0 : room.all);
    size_t more = machine         ? (size_t)about.n * sizeof(struct net_peer *)
                  : c->nproc > 1 ? (size_t)BOARD_BYTES << about.shift
                                  : 0;
    size_t all = (shared + more + CACHE_LINE) / (2 * CACHE_LINE) * (2 * CACHE_LINE) + 2 * CACHE_LINE;
    char *memory = aligned_alloc(2 * CACHE_LINE, all);
    if (!memory)
        return NULL;
    struct flag_slots *s = (struct flag_slots *)(void *)memory;
    memset(memory, 0, shared);
    *s = about;
    s->owner = (struct flag_owner *)(void *)(memory + sizeof *s);
    s->segment.fd = -1;
    for (int i = 0; i < c->nlocal; i++)
        s->owner[i].place = machine ? rankmap_rank(&c->map, c->proc, i) : i;
    for (int kind = 0; kind < COLL_KINDS; kind++) {
        s->most_near[kind] = machine || c->nproc == 1 ? small_most_near(kind, s->n) : -1;
        s->varying[kind] = (machine || c->nproc == 1) && small_takes_varying(s, kind);
    }
    if (machine) {
        s->peer = (struct net_peer **)(void *)(memory + shared);
    } else {
        shared_room_use(s, &room, memory + owners);
        s->boards = memory + shared;
    }
    return s;
}

static void find_peers(const struct comm *c, struct flag_slots *s)
{
    for (int rank = 0; rank < s->n; rank++) {
        int unused, proc = rankmap_proc(&c->map, rank, &unused);
        s->peer[rank] = proc == c->proc ? NULL : net_peer_of(c, proc);
    }
}

/* Those of a machine, with the segment that the card says; made NULL: another process's, else this one makes it. */
static struct flag_slots *flag_slots_of_machine(const struct comm *c, const struct flag_slots_card *card,
                                                struct segment_key *made)
{
    struct flag_slots *s = flag_slots_allocate(c, true, card->crowded);
    if (!s)
        return NULL;
    struct shared_room room = shared_room_for(s);
    if (!(made ? segment_make(&s->segment, room.all, made) : segment_open(&s->segment, &card->key))) {
        free(s);
        return NULL;
    }
    shared_room_use(s, &room, s->segment.base);
    find_peers(c, s);
    return s;
}

void flag_slots_free(struct flag_slots *s)
{
    if (s && s->machine)
        segment_free(&s->segment);
    free(s);
}

/* ---- whether there are any ---- */

bool flag_slots_make(struct comm *c)
{
    lock_acquire(&c->lock);
    struct flag_slots *flag_slots = load_relaxed(&c->coll->flag_slots);
    if (!flag_slots && !load_relaxed(&c->coll->no_flag_slots)) {
        flag_slots = flag_slots_allocate(c, false, wait_crowded());
        store_relaxed(&c->coll->no_flag_slots, !flag_slots);
        store_release(&c->coll->flag_slots, flag_slots);
    }
    lock_release(&c->lock);
    return flag_slots;
}

static struct flag_slots *flag_slots_new(const struct comm *c, const struct flag_slots_card *card,
                                         struct flag_slots_card *made)
{
    if (flag_slots_reach_slow((struct comm *)(uintptr_t)c) == REACH_LEADERS)
        return flag_slots_allocate(c, false, wait_crowded());
    if (card)
        return card->ok ? flag_slots_of_machine(c, card, NULL) : NULL;
    *made = (struct flag_slots_card){.crowded = wait_crowded()};
    struct flag_slots *s = flag_slots_of_machine(c, made, &made->key);
    made->ok = s;
    return s;
}

bool flag_slots_prepare(struct comm *c, const struct flag_slots_card *card, struct flag_slots_card *made)
{
    lock_acquire(&c->lock);
    if (!c->coll->flag_slots_prepared)
        c->coll->flag_slots_prepared = flag_slots_new(c, card, made);
    bool ok = c->coll->flag_slots_prepared;
    lock_release(&c->lock);
    return ok;
}

void flag_slots_settle(struct comm *c, bool used)
{
    lock_acquire(&c->lock);
    if (!used) {
        flag_slots_free(c->coll->flag_slots_prepared);
    } else if (c->coll->flag_slots_prepared) {
        segment_seal(&c->coll->flag_slots_prepared->segment);
        store_release(&c->coll->flag_slots, c->coll->flag_slots_prepared);
    }
    c->coll->flag_slots_prepared = NULL;
    store_relaxed(&c->coll->no_flag_slots, !used);
    lock_release(&c->lock);
}

/* ---- waiting ---- */

void flag_slots_notify(struct small_call *t)
{
    const struct comm *c = t->view->comm;
    for (int i = 0; i < c->nlocal; i++)
        if (load_relaxed(&t->flag_slots->owner[i].awaits) == t->me)
            evcount_notify(&c->local[i]->endpoint->evcount);
}

struct look {
    _Atomic uint64_t *number; /* release small_post_at, small_publish; acquire flag_slots_look */
    uint64_t least;
};

static bool flag_slots_look(void *look)
{
    const struct look *l = look;
    return load_acquire(l->number) >= l->least;
}

/* One wait. */
struct flag_wait {
    struct look look;
    const struct small_call *call;
    int place; /* of whom it looks at */
};

static struct wait_info flag_wait_about(const struct flag_wait *f)
{
    ep_comm view = f->call->view;
    int rank = f->call->flag_slots->machine ? f->place : view->comm->local[f->place]->rank;
    return (struct wait_info){f->call->name, view, rank, MPI_UNDEFINED, false};
}

static bool flag_slots_done(struct wait *w)
{
    return flag_slots_look(&((struct flag_wait *)w->arg)->look);
}

static void flag_slots_tell(const struct wait *w, struct wait_info *about)
{
    *about = flag_wait_about(w->arg);
}

/* Wait as all blocked calls do. */
static void await_long(struct small_call *t, struct flag_wait *f)
{
    struct wait w = {.done = flag_slots_done,
                     .arg = f,
                     .tell = flag_slots_tell,
                     .greedy = true,
                     .policy = POLICY_MANY};
    struct endpoint *endpoint = t->view->endpoint;
    store_relaxed(&t->own->awaits, f->place);
    add_relaxed(&t->flag_slots->sleepers, 1);
    endpoint_lock(endpoint);
    wait_until(endpoint, &w);
    endpoint_unlock(endpoint);
    add_relaxed(&t->flag_slots->sleepers, -1);
}

void small_await_memory(struct small_call *t, int place, bool (*look)(void *arg), void *arg)
{
    struct flag_wait f = {.call = t, .place = place};
    struct memory_wait m = {look, look, arg, flag_wait_about(&f)};
    memory_wait(t->view->endpoint, &m);
}

uint64_t small_await_slow(struct small_call *t, int place, _Atomic uint64_t *number, uint64_t least)
{
    struct flag_wait f = {{number, least}, t, place};
    if (t->flag_slots->machine) {
        small_await_memory(t, place, flag_slots_look, &f.look);
    } else if (!wait_for(flag_slots_look, &f.look, POLICY_FLAG_SLOTS)) {
        await_long(t, &f);
    }
    return load_acquire(number);
}

void small_wait_free(struct small_call *t, uint64_t least)
{
    uint64_t known = t->call;
    for (int i = 0; i < t->flag_slots->n; i++) {
        if (i == t->me)
            continue;
        uint64_t finished = small_await(t, i, &t->flag_slots->column[i].finished, least);
        known = finished < known ? finished : known;
    }
    t->own->known = known;
}

void small_note_slot(struct small_call *t, const struct flag_slot *flag_slot, size_t bytes)
{
    t->publishes |= flag_slot->where > WHERE_SLOTS;
    if (t->rc == MPI_SUCCESS && flag_slot->rc)
        t->rc = flag_slot->rc;
    if (t->rc == MPI_SUCCESS && flag_slot->bytes != (int)bytes)
        t->rc = MPI_ERR_TRUNCATE;
}

/* Lengths of what is sent and received that do not fit together may agree by chance: then it is where nobody looks for it. */
const char *small_stage_read(struct small_call *t, int place, const struct flag_slot *flag_slot)
{
    size_t at;
    if (flag_slot->where != WHERE_STAGE)
        t->rc = t->rc ? t->rc : MPI_ERR_TRUNCATE;
    if (t->rc)
        return flag_slot->data;
    memcpy(&at, flag_slot->data, sizeof at);
    return small_stage_of(t, place) + at;
}

size_t small_stage(struct small_call *t, size_t bytes)
{
    struct flag_owner *own = t->own;
    assert(t->flag_slots->stages && bytes <= STAGE_BYTES);
    unsigned parts = (unsigned)((bytes + STAGE_PART - 1) / STAGE_PART);
    if (own->stage_next + parts > STAGE_PARTS)
        own->stage_next = 0;
    unsigned first = own->stage_next;
    uint64_t least = 0;
    for (unsigned i = first; i < first + parts; i++) {
        struct staged *s = &own->staged[i];
        if (s->reader != STAGE_ALL)
            small_await(t, s->reader, &t->flag_slots->column[s->reader].finished, s->until);
        else if (s->until > least)
            least = s->until;
        *s = (struct staged){t->call + 1, t->reader};
    }
    own->stage_next = first + parts;
    if (least > own->known)
        small_wait_free(t, least);
    return (size_t)first * STAGE_PART;
}
