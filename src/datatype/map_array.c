/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays (MPI 4.1.3, 4.1.4). Their maps are made dimension by dimension, from the one whose neighbours are neighbours in
 * memory on: what was chosen of a dimension is an element of the next, with the extent of all of the dimension.
 */
#include "datatype/map_builder.h"

/* The array so far, and the way to the next place in the dimension that comes. */
struct slab {
    struct type_map *map;
    ptrdiff_t stride;
};

static int map_array_dimension(int n, int order, int k)
{
    return order == MPI_ORDER_C ? n - 1 - k : k;
}

/* The dimension has `size` places, of which d chose. */
static void slab_next(struct slab *s, struct type_builder *d, ptrdiff_t size)
{
    reserve_free(s->map);
    s->map = builder_finish(d);
    s->stride *= size;
}

struct type_map *map_subarray(const struct type_contents *c, const struct type_map *element, ptrdiff_t extent)
{
    int n = (int)c->ints[0];
    const ptrdiff_t *sizes = c->ints + 1, *subsizes = sizes + n, *starts = subsizes + n;
    int order = (int)starts[n];
    struct slab s = {map_repeat(element, 1, extent), extent};
    for (int k = 0; k < n; k++) {
        struct type_builder d;
        int i = map_array_dimension(n, order, k);
        builder_start(&d);
        builder_place(&d, s.map, starts[i] * s.stride, (size_t)subsizes[i], s.stride);
        slab_next(&s, &d, sizes[i]);
    }
    return s.map;
}

/* A dimension of a distributed array: processes get `block` places in turn. */
struct map_array_deal {
    ptrdiff_t size, block, processes, coordinate;
};

static struct map_array_deal deal_make(ptrdiff_t size, ptrdiff_t distribution, ptrdiff_t argument,
                                       ptrdiff_t processes, ptrdiff_t coordinate)
{
    struct map_array_deal d = {size, argument, processes, coordinate};
    if (distribution == MPI_DISTRIBUTE_NONE)
        return (struct map_array_deal){size, size, 1, 0};
    if (argument == MPI_DISTRIBUTE_DFLT_DARG)
        d.block = distribution == MPI_DISTRIBUTE_BLOCK ? (size - 1) / processes + 1 : 1;
    return d;
}

static void deal_place(struct type_builder *d, const struct map_array_deal *deal, const struct type_map *m,
                       ptrdiff_t stride)
{
    ptrdiff_t round = deal->block * deal->processes, first = deal->block * deal->coordinate;
    ptrdiff_t after = deal->size - first; /* places from the first on */
    ptrdiff_t full = after < deal->block ? 0 : (after - deal->block) / round + 1;
    ptrdiff_t rest = after - full * round;
    builder_place_rows(d, m, first * stride, (size_t)full, round * stride, (size_t)deal->block, stride);
    if (rest > 0)
        builder_place(d, m, (first + full * round) * stride, (size_t)rest, stride);
}

/* The grid of processes is in row major order, whatever that of the array is. */
static ptrdiff_t coordinate_of(ptrdiff_t rank, const ptrdiff_t psizes[], int n, int i)
{
    for (int k = n - 1; k > i; k--)
        rank /= psizes[k];
    return rank % psizes[i];
}

struct type_map *map_darray(const struct type_contents *c, const struct type_map *element, ptrdiff_t extent)
{
    int n = (int)c->ints[2];
    const ptrdiff_t *sizes = c->ints + 3, *distributions = sizes + n, *arguments = distributions + n;
    const ptrdiff_t *psizes = arguments + n, rank = c->ints[1];
    int order = (int)psizes[n];
    struct slab s = {map_repeat(element, 1, extent), extent};
    for (int k = 0; k < n; k++) {
        struct type_builder d;
        int i = map_array_dimension(n, order, k);
        struct map_array_deal deal =
            deal_make(sizes[i], distributions[i], arguments[i], psizes[i], coordinate_of(rank, psizes, n, i));
        builder_start(&d);
        deal_place(&d, &deal, s.map, s.stride);
        slab_next(&s, &d, sizes[i]);
    }
    return s.map;
}
