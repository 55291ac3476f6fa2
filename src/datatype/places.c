/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash of where an element's bytes are, in type map order: a sum, modulo 2^64, of order^i * place^d for byte i at displacement
 * d. Both are odd, so they have inverses, and displacements below zero are powers like all others. It is the same
 * whatever loops a map has, and is found loop by loop.
 */
#include "datatype/map.h"

struct trail {
    uint64_t sum, weight; /* weight: of the byte that comes behind */
};

static const uint64_t order = 0x9e3779b97f4a7c15u, place = 0xd6e8feb86659fd93u;

static uint64_t power(uint64_t of, uint64_t n)
{
    uint64_t all = 1;
    for (; n > 0; n >>= 1, of *= of)
        if (n & 1)
            all *= of;
    return all;
}

/* b, moved by a displacement, behind a. */
static struct trail trail_join(struct trail a, struct trail b, uint64_t displacement)
{
    return (struct trail){a.sum + a.weight * power(place, displacement) * b.sum, a.weight * b.weight};
}

static struct trail trail_times(struct trail of, uint64_t n, uint64_t stride)
{
    struct trail all = {0, 1};
    for (uint64_t at = 0; n > 0; n >>= 1, stride *= 2) {
        if (n & 1) {
            all = trail_join(all, of, at);
            at += stride;
        }
        of = trail_join(of, of, stride);
    }
    return all;
}

static struct trail trail_of_blocks(const struct type_map *m, uint32_t first, uint32_t n);

static struct trail trail_of_block(const struct type_map *m, const struct type_block *b)
{
    struct trail one = b->parts > 0 ? trail_of_blocks(m, b->first, b->parts)
                                    : trail_times((struct trail){1, order}, b->bytes, 1);
    return trail_times(one, b->times, (uint64_t)b->stride);
}

static struct trail trail_of_blocks(const struct type_map *m, uint32_t first, uint32_t n)
{
    struct trail all = {0, 1};
    for (uint32_t i = first; i < first + n; i++)
        all = trail_join(all, trail_of_block(m, &m->block[i]), (uint64_t)m->block[i].offset);
    return all;
}

struct places type_map_places(const struct type_map *m)
{
    if (!m)
        return (struct places){.known = false};
    return (struct places){
        .known = true, .sum = trail_of_blocks(m, 0, m->n).sum, .low = m->low, .high = m->high};
}
