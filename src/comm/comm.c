/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator as an object: its tags, its domain, what layers above keep of it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "comm/comm.h"
#include "comm/lanes.h"

/* ---- tags ---- */

enum { USER_BITS_MIN = 15, KIND_BITS = 2, LANE_BITS_MAX = 15, PAIR_BITS_MAX = 30 };

/* Bits to number n things. */
static int bits_for(unsigned n)
{
    int bits = 0;
    while ((1u << bits) < n)
        bits++;
    return bits;
}

/* Bits of a tag for all but its kind. MPI_TAG_UB need not be 2^k - 1: only whole bits below it are used. */
static int bits_of_tag(int mpi_tag_ub)
{
    int total = 0;
    while (total < 31 && (1u << (total + 1)) - 1 <= (unsigned)mpi_tag_ub)
        total++;
    return total - KIND_BITS;
}

int tag_most_indices(int mpi_tag_ub)
{
    int low = bits_of_tag(mpi_tag_ub) - USER_BITS_MIN;
    int pair = (low > 0 ? low : 0) + LANE_BITS_MAX;
    return 1 << (pair < PAIR_BITS_MAX ? pair : PAIR_BITS_MAX) / 2;
}

void tag_layout_init(struct tag_layout *l, int mpi_tag_ub, int widest)
{
    assert(widest > 0);
    int total = bits_of_tag(mpi_tag_ub);
    l->width = bits_for((unsigned)widest);
    l->low = 2 * l->width;
    if (l->low > total - USER_BITS_MIN)
        l->low = total - USER_BITS_MIN;
    if (l->low < 0)
        l->low = 0;
    l->user = total - l->low;
    unsigned highest = (unsigned)(widest - 1) << l->width | (unsigned)(widest - 1);
    l->lanes = (int)(highest >> l->low) + 1;
    l->ub = (int)((1u << l->user) - 1);
}

/* ---- domains ---- */

struct domain *domain_new(uint64_t id, int rank, bool checks)
{
    struct domain *u = malloc(sizeof *u);
    if (!u)
        return NULL;
    u->inner = u->am = MPI_COMM_NULL;
    u->domain = NULL;
    u->peers = NULL;
    u->remote = false;
    u->rank = rank;
    u->id = id;
    u->checks = checks;
    store_relaxed(&u->refs, 1);
    return u;
}

struct domain *domain_hold(struct domain *u)
{
    add_relaxed(&u->refs, 1);
    return u;
}

void domain_drop(struct domain *u)
{
    if (!u || sub_acq_rel(&u->refs, 1) > 1)
        return;
    if (u->domain)
        u->end_domain(u->domain);
    lanes_free_one(&u->am);
    lanes_free_one(&u->inner);
    free(u->peers);
    free(u);
}

uint64_t random_id(void)
{
    uint64_t id = 0;
    if (getrandom(&id, sizeof id, GRND_NONBLOCK) == sizeof id)
        return id;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_nsec * 0x9e3779b97f4a7c15u ^ (uint64_t)t.tv_sec << 20 ^ (uint64_t)getpid() << 44;
}

bool comm_set_inner(struct comm *c, const int inner[])
{
    int first_inner = inner[0], step = c->nproc > 1 ? inner[1] - inner[0] : 1;
    bool regular = true;
    for (int p = 0; p < c->nproc; p++)
        regular &= inner[p] == first_inner + p * step;
    c->inner_first = first_inner;
    c->inner_step = step;
    if (regular)
        return true;
    c->inner_of = malloc((size_t)c->nproc * sizeof *c->inner_of);
    if (c->inner_of)
        memcpy(c->inner_of, inner, (size_t)c->nproc * sizeof *c->inner_of);
    return c->inner_of != NULL;
}

bool comm_copy_inner(struct comm *c, const struct comm *from)
{
    c->inner_first = from->inner_first;
    c->inner_step = from->inner_step;
    return !from->inner_of || comm_set_inner(c, from->inner_of);
}

static bool is_contiguous(const struct comm *c)
{
    for (int i = 1; i < c->nlocal; i++)
        if (rankmap_rank(&c->map, c->proc, i) != c->first_local + i)
            return false;
    return true;
}

/* ---- what layers above keep of a communicator ---- */

static const struct comm_part *parts[COMM_SLOTS]; /* NULL: nothing */

void comm_attach(enum comm_slot slot, const struct comm_part *part)
{
    assert(!parts[slot]);
    parts[slot] = part;
}

static size_t part_bytes(enum comm_slot slot)
{
    size_t align = _Alignof(struct comm);
    return parts[slot] ? (parts[slot]->bytes + align - 1) / align * align : 0;
}

static void *part_at(struct comm *c, enum comm_slot slot)
{
    char *at = (char *)(c + 1);
    for (enum comm_slot before = 0; before < slot; before++)
        at += part_bytes(before);
    return parts[slot] ? at : NULL;
}

static bool begin_parts(struct comm *c)
{
    bool ok = true;
    for (enum comm_slot slot = 0; slot < COMM_SLOTS && ok; slot++)
        ok = !parts[slot] || !parts[slot]->begin || parts[slot]->begin(c);
    return ok;
}

static void end_parts(struct comm *c)
{
    for (enum comm_slot slot = 0; slot < COMM_SLOTS; slot++)
        if (parts[slot] && parts[slot]->end)
            parts[slot]->end(c);
}

bool comm_complete(struct comm *c)
{
    c->checks = c->domain->checks;
    c->nproc = c->map.nproc;
    c->nlocal = rankmap_count(&c->map, c->proc);
    c->first_local = rankmap_rank(&c->map, c->proc, 0);
    c->contiguous = is_contiguous(c);
    c->mpi = MPI_COMM_NULL;
    store_relaxed(&c->open, c->nlocal);
    tag_layout_init(&c->tags, process.mpi_tag_ub, c->map.widest);
    reserve_renew();
    c->local = calloc((size_t)c->nlocal, sizeof(ep_comm));
    if (c->nproc > 1)
        c->lanes = malloc((size_t)c->tags.lanes * sizeof(MPI_Comm));
    return begin_parts(c) && c->local && (c->lanes || c->nproc == 1);
}

/* ---- from beginning to end ---- */

bool comm_make_views(struct comm *c)
{
    for (int i = 0; i < c->nlocal; i++) {
        ep_comm v = view_new();
        if (!v)
            return false;
        ep_errhandler handler = errhandler_take(&process.errhandler);
        view_init(v, c, i, handler);
        errhandler_drop(handler);
        store_release(&v->magic, VIEW_LIVE);
    }
    return true;
}

bool comm_agree(const struct comm *c, bool ok)
{
    int mine = ok, all = ok;
    if (c->nproc > 1)
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, c->domain->inner);
    return all;
}

struct comm *comm_new(void)
{
    size_t bytes = sizeof(struct comm);
    for (enum comm_slot slot = 0; slot < COMM_SLOTS; slot++)
        bytes += part_bytes(slot);
    struct comm *c = calloc(1, bytes);
    if (!c)
        return NULL;
    c->p2p = part_at(c, COMM_SLOT_P2P);
    c->coll = part_at(c, COMM_SLOT_COLL);
    c->mpi = c->shadow = MPI_COMM_NULL;
    lock_init(&c->lock, LOCK_COMM);
    return c;
}

struct comm *comm_create_self(ep_comm view)
{
    struct identity who = view_identity(view);
    int one = 1;
    struct comm *c = comm_new();
    if (!c)
        return NULL;
    c->context = random_id();
    c->group[0] = group_map_make(&who, 1);
    c->domain = domain_hold(view->comm->domain);
    if (c->group[0] && rankmap_blocks(&c->map, &one, 1) && comm_complete(c) && comm_make_views(c))
        return c;
    comm_destroy(c);
    return NULL;
}

void comm_destroy(struct comm *c)
{
    lanes_free(c);
    for (int i = 0; c->local && i < c->nlocal; i++)
        if (c->local[i])
            view_delete(c->local[i]);
    domain_drop(c->domain);
    group_map_drop(c->group[0]);
    group_map_drop(c->group[1]);
    end_parts(c);
    free(c->local);
    free(c->lanes);
    free(c->inner_of);
    rankmap_free(&c->map);
    free(c);
}
