/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash of where an element's bytes are, in type map order: the same whatever loops a map has, and found loop by loop. */
#include <stdlib.h>

#include "datatype/map.h"

/*
 * Bytes one behind the other in type map order: a sum of order^i * place^d for byte i at displacement d, modulo a prime of which both
 * are primitive roots (modulo 2^64 powers to multiples of 2^k are nearly 1, and blocks of such lengths could change places). Displacements
 * are exponents, so they count modulo the prime less one, those below zero, too.
 */
struct trail {
    uint64_t sum, weight; /* weight: of the byte that comes behind */
};

static const uint64_t prime = (UINT64_C(1) << 61) - 1;
static const uint64_t order = 0x1e3779b97f4a7c1a, place = 0x16e8feb86659fda7;

static uint64_t places_product(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 both = (unsigned __int128)a * b;
    uint64_t n = ((uint64_t)both & prime) + (uint64_t)(both >> 61); /* 2^61 is 1 modulo the prime */
    return n < prime ? n : n - prime;
}

static uint64_t places_power(uint64_t of, uint64_t n)
{
    uint64_t all = 1;
    for (; n > 0; n >>= 1, of = places_product(of, of))
        if (n & 1)
            all = places_product(all, of);
    return all;
}

static uint64_t places_exponent(ptrdiff_t displacement)
{
    uint64_t least = (uint64_t)displacement;
    return displacement >= 0 ? least % (prime - 1) : prime - 1 - (0 - least) % (prime - 1);
}

/* b, moved by a displacement, behind a. */
static struct trail trail_join(struct trail a, struct trail b, uint64_t moved)
{
    uint64_t sum = a.sum + places_product(places_product(a.weight, places_power(place, moved)), b.sum);
    return (struct trail){sum % prime, places_product(a.weight, b.weight)};
}

/* n of them, at a distance. All displacements as exponent has them. */
static struct trail trail_times(struct trail of, uint64_t n, uint64_t stride)
{
    struct trail all = {0, 1};
    for (uint64_t at = 0; n > 0; n >>= 1, stride = 2 * stride % (prime - 1)) {
        if (n & 1) {
            all = trail_join(all, of, at);
            at = (at + stride) % (prime - 1);
        }
        of = trail_join(of, of, stride);
    }
    return all;
}

static struct trail trail_of_bytes(size_t n)
{
    return trail_times((struct trail){1, order}, n, 1);
}

/* What is repeated is found once, though many blocks may name it, each of them named by many. `known` has it by where its list
 * begins; weight 0, which no trail has: not found yet. */
static struct trail trail_of_blocks(const struct type_map *m, struct trail known[], uint32_t first,
                                    uint32_t n);

static struct trail trail_of_parts(const struct type_map *m, struct trail known[], const struct type_block *b)
{
    if (known[b->first].weight == 0)
        known[b->first] = trail_of_blocks(m, known, b->first, b->parts);
    return known[b->first];
}

static struct trail trail_of_blocks(const struct type_map *m, struct trail known[], uint32_t first,
                                    uint32_t n)
{
    struct trail all = {0, 1};
    for (const struct type_block *b = m->block + first; b < m->block + first + n; b++) {
        struct trail one = b->parts > 0 ? trail_of_parts(m, known, b) : trail_of_bytes(b->bytes);
        one = trail_times(one, b->times, places_exponent(b->stride));
        all = trail_join(all, one, places_exponent(b->offset));
    }
    return all;
}

struct places type_map_places(const struct type_map *m)
{
    struct trail *known = m ? calloc((size_t)m->all + 1, sizeof *known) : NULL;
    struct places p = {.known = known};
    if (known)
        p = (struct places){true, trail_of_blocks(m, known, 0, m->n).sum, m->low, m->high};
    free(known);
    return p;
}
