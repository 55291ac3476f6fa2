/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of ep_win_allocate and ep_win_allocate_shared. The endpoints of a machine that share memory get slices of one segment, in
 * the order of ranks; in front are the stripes for what the processor cannot change at once. The lowest of the machine's
 * processes makes the segment, the others open it; if that fails anywhere nobody has it: ep_win_allocate then takes
 * private memory, ep_win_allocate_shared fails.
 *
 * With one process on the machine the memory is private anyway. All processes decide alike, from the same offers.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "rma/build.h"

/* More than there are addresses. mmap refuses it. */
#define TOO_MANY ((size_t)1 << 62)

struct division {
    struct leaders *leaders;
    struct window *x;
    struct offer *offers;
    bool shared;
    uint64_t *machine; /* by process */
};

/* ---- who shares ---- */

static bool list_machines(struct division *d)
{
    int index;
    d->machine = calloc((size_t)d->x->comm->nproc, sizeof *d->machine);
    for (int r = 0; d->machine && r < d->x->comm->map.size; r++)
        d->machine[win_process(d->x, r, &index)] = d->offers[r].machine;
    return d->machine != NULL;
}

/* Lowest process of a machine. */
static int maker_of(const struct division *d, uint64_t machine)
{
    int p = 0;
    while (d->machine[p] != machine)
        p++;
    return p;
}

/* Are there two processes on one machine? */
static bool any_together(const struct division *d)
{
    for (int p = 0; p < d->x->comm->nproc; p++)
        if (maker_of(d, d->machine[p]) != p)
            return true;
    return false;
}

static bool all_share(const struct division *d)
{
    for (int r = 0; r < d->x->comm->map.size; r++)
        if (!d->offers[r].share)
            return false;
    return true;
}

static bool one_machine(const struct division *d)
{
    for (int p = 0; p < d->x->comm->nproc; p++)
        if (d->machine[p] != d->machine[0])
            return false;
    return true;
}

/* ---- dividing ---- */

/* Is the endpoint's slice in the memory that this process gets? */
static bool slices_is_ours(const struct division *d, int rank)
{
    int index;
    return d->shared ? d->offers[rank].machine == process.machine : win_is_near(d->x, rank, &index);
}

/* Bytes of all slices, TOO_MANY if they are; with base not NULL also tell where each is. */
static size_t slices_divide(const struct division *d, char *base)
{
    size_t at = 0;
    for (int r = 0; r < d->x->comm->map.size; r++) {
        if (!slices_is_ours(d, r))
            continue;
        size_t width = (size_t)d->offers[r].width;
        at = (at + width - 1) / width * width;
        if (base) {
            d->x->exposed[r].base = base + at;
            d->x->exposed[r].direct = true;
        }
        if (d->offers[r].size >= (int64_t)(TOO_MANY - at))
            return TOO_MANY;
        at += (size_t)d->offers[r].size;
    }
    return at;
}

/* Shared memory of no bytes is nowhere. */
static void slices_tell(struct window *x)
{
    for (int i = 0; i < x->comm->nlocal; i++) {
        const struct exposed *e = &x->exposed[x->local[i]->view->rank];
        x->local[i]->base = e->size > 0 || x->flavor != MPI_WIN_FLAVOR_SHARED ? e->base : NULL;
    }
}

/* ---- getting it ---- */

/* A mapping of its own is zero, like shared memory, and each page goes where the endpoint is that touches it first. */
static int get_private(struct division *d)
{
    struct window *x = d->x;
    size_t bytes = slices_divide(d, NULL);
    void *slab = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED)
        return MPI_ERR_NO_MEM;
    x->slab = slab;
    x->slab_bytes = bytes + 1;
    slices_divide(d, x->slab);
    return MPI_SUCCESS;
}

/* Make the segment and offer it. */
static bool offer_segment(struct division *d)
{
    struct segment_key key;
    if (!segment_make(&d->x->segment, sizeof(struct stripes) + slices_divide(d, NULL), &key))
        return false;
    stripes_init((struct stripes *)(void *)d->x->segment.base);
    for (int i = 0; i < d->leaders->gather->size; i++)
        joiner_at(d->leaders, i)->offer.key = key;
    return true;
}

static int get_shared(struct division *d)
{
    struct window *x = d->x;
    int maker = maker_of(d, process.machine), rc = MPI_SUCCESS;
    bool makes = maker == x->comm->proc;
    if (makes && !offer_segment(d))
        rc = MPI_ERR_RMA_SHARED;
    int shown = offers_exchange(d->leaders, d->offers);
    rc = rc ? rc : shown;
    const struct offer *from = &d->offers[rankmap_rank(&x->comm->map, maker, 0)];
    if (rc == MPI_SUCCESS && !makes && !segment_open(&x->segment, &from->key))
        rc = MPI_ERR_RMA_SHARED;
    rc = leaders_vote(d->leaders, rc, false);
    segment_seal(&x->segment);
    if (rc != MPI_SUCCESS) {
        segment_free(&x->segment);
        return rc;
    }
    x->arena.stripes = (struct stripes *)(void *)x->segment.base;
    x->arena.origin = x->segment.base;
    slices_divide(d, x->segment.base + sizeof(struct stripes));
    return MPI_SUCCESS;
}

/* ---- all ---- */

static int slices_get(struct division *d, const char **why)
{
    int rc = MPI_ERR_RMA_SHARED;
    bool must = d->x->flavor == MPI_WIN_FLAVOR_SHARED;
    if (must && !one_machine(d)) {
        *why = "the endpoints are on several machines, which share no memory";
        return MPI_ERR_RMA_SHARED;
    }
    d->shared = all_share(d) && any_together(d);
    if (d->shared && ((rc = get_shared(d)) == MPI_SUCCESS || must)) {
        if (rc != MPI_SUCCESS)
            *why = "the processes could not get memory that they share";
        return rc;
    }
    d->shared = false;
    rc = get_private(d);
    return leaders_vote(d->leaders, rc, false);
}

int slices_make(struct leaders *p, struct window *x, struct offer offers[], const char **why)
{
    struct division d = {.leaders = p, .x = x, .offers = offers};
    bool ok = list_machines(&d);
    int rc = leaders_vote(p, ok ? MPI_SUCCESS : MPI_ERR_NO_MEM, false);
    if (rc == MPI_SUCCESS)
        rc = slices_get(&d, why);
    if (rc == MPI_SUCCESS)
        slices_tell(x);
    free(d.machine);
    return rc;
}
