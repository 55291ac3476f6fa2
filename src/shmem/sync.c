/* SPDX-License-Identifier: BSD-3-Clause */
#include "shmem/sync.h"

#include "shmem/team.h"

enum { SYNC_FLAT = 4 };

/* ---- which teams ---- */

/* Are all members reached, wherever symmetric data are? */
static bool sync_may(const struct shmem_team *t, ep_comm comm)
{
    const struct shmem_reach *r = &t->pe->reach;
    long most = 1;
    for (int i = 0; i < SYNC_LEVELS; i++)
        most *= SYNC_RADIX;
    if (comm->comm->checks || t->members.n > most)
        return false;
    for (int i = 0; i < t->members.n; i++) {
        int pe = members_pe(&t->members, i);
        if (!r->heap_of[pe] || (r->data_bytes && !r->data_of[pe]))
            return false;
    }
    return true;
}

struct sync_vote sync_offer(struct shmem_team *t, ep_comm comm)
{
    struct sync_vote v = {.ok = t != NULL};
    if (!t || !sync_may(t, comm))
        return v;
    struct shmem_teams *of = t->pe->teams;
    lock_acquire(&of->lock);
    v.slots = of->free_slots;
    of->free_slots = 0;
    lock_release(&of->lock);
    v.flat = t->members.n <= SYNC_FLAT && !wait_shared();
    return v;
}

void sync_begin(struct shmem_team *t, const struct sync_vote *offered, const struct sync_vote *agreed)
{
    uint32_t keeps = (uint32_t)offered->slots;
    t->sync = (struct sync){0};
    if (agreed && agreed->slots) {
        t->sync.used = true;
        t->sync.flat = agreed->flat;
        t->sync.slot = (uint32_t)__builtin_ctzll(agreed->slots);
        keeps &= ~(1U << t->sync.slot);
        memset(sync_column(t, t->me), 0, sizeof(struct sync_column));
    }
    lock_acquire(&t->pe->teams->lock);
    t->pe->teams->free_slots |= keeps;
    lock_release(&t->pe->teams->lock);
}

void sync_end(struct shmem_team *t)
{
    if (!t->sync.used)
        return;
    t->sync.used = false;
    lock_acquire(&t->pe->teams->lock);
    t->pe->teams->free_slots |= 1U << t->sync.slot;
    lock_release(&t->pe->teams->lock);
}

/* ---- places ---- */

struct sync_column *sync_column(const struct shmem_team *t, int member)
{
    char *control = pe_control(t->pe, members_pe(&t->members, member));
    return (struct sync_column *)(void *)control + t->sync.slot;
}

sync_place sync_place_of(const struct shmem_team *t, const void *at)
{
    const struct shmem_reach *r = &t->pe->reach;
    size_t offset = (size_t)((const char *)at - r->heap);
    return offset < r->heap_bytes ? 2 * offset : 2 * (size_t)((const char *)at - r->data) + 1;
}

char *sync_address(const struct shmem_team *t, int member, sync_place place)
{
    const struct shmem_reach *r = &t->pe->reach;
    int pe = members_pe(&t->members, member);
    return (place & 1 ? r->data_of[pe] : r->heap_of[pe]) + place / 2;
}

/* ---- waiting ---- */

struct sync_look {
    const _Atomic uint64_t *number; /* by pointer: acquire sync_looks */
    uint64_t least;
};

static bool sync_looks(void *arg)
{
    const struct sync_look *l = arg;
    return load_acquire(l->number) >= l->least;
}

static void sync_wait(struct shmem_team *t, const _Atomic uint64_t *number, uint64_t least, const char *call)
{
    struct sync_look l = {number, least};
    if (!wait_for(sync_looks, &l, POLICY_FLAG_SLOTS))
        pe_wait(t->pe, sync_looks, &l, call);
}

/* ---- lines ---- */

void sync_await_completed(struct shmem_team *t, const char *call)
{
    uint64_t least = t->sync.calls;
    for (int i = 0; i < t->members.n; i++) {
        struct sync_column *c = sync_column(t, i);
        if (i != t->me && load_acquire(&c->completed) < least)
            sync_wait(t, &c->completed, least, call);
    }
    t->sync.known = least;
}

/* The line's last readers. Some calls after them: there is hardly anything to wait for. */
static void sync_await_room(struct shmem_team *t, const char *call)
{
    uint64_t least = t->sync.calls - SYNC_RING + 1, known = t->sync.calls;
    for (int i = 0; i < t->members.n; i++) {
        struct sync_column *c = sync_column(t, i);
        if (i == t->me)
            continue;
        uint64_t finished = load_acquire(&c->completed);
        if (finished < least) {
            sync_wait(t, &c->completed, least, call);
            finished = least;
        }
        known = finished < known ? finished : known;
    }
    t->sync.known = known;
}

struct sync_line *sync_line(struct shmem_team *t, const char *call)
{
    if (unlikely(t->sync.calls - t->sync.known >= SYNC_RING))
        sync_await_room(t, call);
    return &sync_column(t, t->me)->ring[t->sync.calls % SYNC_RING];
}

void sync_post(struct shmem_team *t, struct sync_line *line)
{
    chaos_point();
    store_release(&line->number, t->sync.calls + 1);
}

struct sync_line *sync_read(struct shmem_team *t, int member, const char *call)
{
    struct sync_line *line = &sync_column(t, member)->ring[t->sync.calls % SYNC_RING];
    chaos_point();
    if (load_acquire(&line->number) < t->sync.calls + 1)
        sync_wait(t, &line->number, t->sync.calls + 1, call);
    return line;
}

/* ---- rounds ---- */

bool sync_arrive(struct shmem_team *t, sync_fold *fold, const void *arg)
{
    int n = t->members.n, step = 1; /* members from one child of the node to the next */
    for (int level = 0;; level++, step *= SYNC_RADIX) {
        int first = t->me / (step * SYNC_RADIX) * (step * SYNC_RADIX), under = (n - first + step - 1) / step;
        struct sync_node *node = &sync_column(t, first)->node[level];
        under = under < SYNC_RADIX ? under : SYNC_RADIX;
        chaos_point();
        if (add_acq_rel(&node->arrived, 1) + 1 != (t->sync.rounds + 1) * (uint64_t)under)
            return false;
        if (fold)
            fold(arg, t, level, first, under, step);
        if (step * SYNC_RADIX >= n)
            return true;
    }
}

struct sync_released *sync_result(const struct shmem_team *t)
{
    return &sync_column(t, 0)->released;
}

void sync_release(struct shmem_team *t)
{
    t->sync.rounds++;
    store_release(&sync_result(t)->round, t->sync.rounds);
}

void sync_await_release(struct shmem_team *t, const char *call)
{
    struct sync_released *released = sync_result(t);
    t->sync.rounds++;
    chaos_point();
    if (load_acquire(&released->round) < t->sync.rounds)
        sync_wait(t, &released->round, t->sync.rounds, call);
}

/* ---- calls ---- */

void sync_finish(struct shmem_team *t, bool heard)
{
    if (heard)
        t->sync.known = t->sync.calls;
    t->sync.calls++;
    store_release(&sync_column(t, t->me)->completed, t->sync.calls);
}

void sync_meet(struct shmem_team *t, const char *call)
{
    if (t->sync.flat) {
        sync_post(t, sync_line(t, call));
        for (int i = 0; i < t->members.n; i++)
            if (i != t->me)
                sync_read(t, i, call);
    } else if (sync_arrive(t, NULL, NULL)) {
        sync_release(t);
    } else {
        sync_await_release(t, call);
    }
    sync_finish(t, true);
}
