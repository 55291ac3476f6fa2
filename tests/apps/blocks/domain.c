/* SPDX-License-Identifier: BSD-3-Clause */
/* domain.c: heat from a spot that wanders about; the mesh follows it. Integers, so that order does not matter. */
#include "blocks.h"
#include <stdlib.h>

static const int64_t heat = 1 << 24;
static int64_t *scratch = NULL; /* a block's next cells */

static int owned(const domain *d)
{
    int count = 0;
    for (int i = 0; i < d->m.count; i++)
        count += d->m.b[i].owner == d->rank;
    return count;
}

/* After each change of the mesh: partners, and who takes part. */
static void settle(domain *d)
{
    d->halo = plan_halo(&d->m, d->rank);
    MPI_Comm_split(d->comm, owned(d) > 0 ? 0 : MPI_UNDEFINED, d->rank, &d->active);
}

static void unsettle(domain *d)
{
    plan_free(&d->halo);
    if (d->active != MPI_COMM_NULL)
        MPI_Comm_free(&d->active);
}

void domain_create(domain *d, MPI_Comm comm)
{
    *d = (domain){.comm = comm, .active = MPI_COMM_NULL, .m = mesh_uniform()};
    MPI_Comm_rank(comm, &d->rank);
    MPI_Comm_size(comm, &d->size);
    mesh_balance(&d->m, d->size);
    mesh_allocate(&d->m, d->rank);
    settle(d);
}

void domain_free(domain *d)
{
    unsettle(d);
    mesh_free(&d->m);
    free(scratch);
    scratch = NULL;
}

static void diffuse(block *b)
{
    int n = cells_per_side;
    int64_t *next;
    if (scratch == NULL)
        scratch = blocks_alloc((size_t)(n + 2) * (size_t)(n + 2), sizeof *scratch);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            const int64_t *c = b->cells + cell_index(x, y);
            int64_t around = c[-1] + c[1] + c[-n - 2] + c[n + 2];
            scratch[cell_index(x, y)] = *c + (around - 4 * *c) / 6 - *c / 12;
        }
    next = scratch;
    scratch = b->cells;
    b->cells = next;
}

/* To and fro. */
static int bounce(int x, int side)
{
    x %= 2 * side;
    return x < side ? x : 2 * side - 1 - x;
}

void domain_step(domain *d, int step)
{
    int side = cells_per_side << FINEST, cell;
    block *spot = &d->m.b[mesh_find(&d->m, bounce(step * 5 + side / 3, side), bounce(step * 3, side), &cell)];
    if (spot->owner == d->rank)
        spot->cells[cell] += heat;
    plan_run(&d->halo, d, diffuse);
}

static void extent(const block *b, int64_t *least, int64_t *most)
{
    *least = *most = b->cells[cell_index(0, 0)];
    for (int y = 0; y < cells_per_side; y++)
        for (int x = 0; x < cells_per_side; x++) {
            int64_t c = b->cells[cell_index(x, y)];
            *least = c < *least ? c : *least;
            *most = c > *most ? c : *most;
        }
}

/* The steepest block of all decides what steep is: the active processes agree on it. */
static void judge(const domain *d, int *change)
{
    int64_t *steep = blocks_alloc((size_t)d->m.count, sizeof *steep), mine = 0, all = 0, least, most;
    for (int i = 0; i < d->m.count; i++)
        if (d->m.b[i].owner == d->rank) {
            extent(&d->m.b[i], &least, &most);
            steep[i] = most - least;
            mine = steep[i] > mine ? steep[i] : mine;
        }
    if (d->active != MPI_COMM_NULL)
        MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_MAX, d->active);
    for (int i = 0; i < d->m.count; i++) {
        int level = d->m.b[i].level;
        if (d->m.b[i].owner == d->rank)
            change[i] = steep[i] > all / 20                       ? level < FINEST
                        : steep[i] < all / 80 && level > COARSEST ? -1
                                                                  : 0;
    }
    free(steep);
}

/* Blocks of a process follow one another. */
static void tell_all(const domain *d, int *change)
{
    int *counts = blocks_alloc((size_t)d->size, sizeof *counts),
        *displs = blocks_alloc((size_t)d->size + 1, sizeof *displs);
    for (int i = 0; i < d->m.count; i++)
        counts[d->m.b[i].owner]++;
    for (int r = 0; r < d->size; r++)
        displs[r + 1] = displs[r] + counts[r];
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, change, counts, displs, MPI_INT, d->comm);
    free(counts);
    free(displs);
}

static void nothing(block *b)
{
    (void)b;
}

void domain_adapt(domain *d)
{
    int *change = blocks_alloc((size_t)d->m.count, sizeof *change);
    int split = 0;
    mesh next;
    plan move;
    judge(d, change);
    tell_all(d, change);
    for (int i = 0; i < d->m.count; i++)
        split += change[i] > 0;
    next = mesh_changed(&d->m, change);
    d->split += split;
    d->merged += (d->m.count + 3 * split - next.count) / 3; /* four become one */
    mesh_balance(&next, d->size);
    mesh_allocate(&next, d->rank);
    move = plan_move(&d->m, &next, d->rank);
    plan_run(&move, d, nothing);
    plan_free(&move);
    unsettle(d);
    mesh_free(&d->m);
    d->m = next;
    settle(d);
    free(change);
}

uint64_t domain_checksum(const domain *d)
{
    uint64_t mine = 0, all = 0;
    for (int i = 0; i < d->m.count; i++)
        for (int k = 0; k < cells_per_side * cells_per_side && d->m.b[i].owner == d->rank; k++) {
            int cell = cell_index(k % cells_per_side, k / cells_per_side);
            uint64_t x =
                (uint64_t)d->m.b[i].cells[cell] * 0x9e3779b97f4a7c15u + (uint64_t)i * 1000003u + (uint64_t)k;
            mine += (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9u;
        }
    MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, d->comm);
    return all;
}
