/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash of where an element's bytes are, in type map order: the same whatever loops a map has, and found loop by loop. */
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

static uint64_t product(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 both = (unsigned __int128)a * b;
    return (uint64_t)(both % prime);
}

static uint64_t power(uint64_t of, uint64_t n)
{
    uint64_t all = 1;
    for (; n > 0; n >>= 1, of = product(of, of))
        if (n & 1)
            all = product(all, of);
    return all;
}

static uint64_t exponent(ptrdiff_t displacement)
{
    uint64_t least = (uint64_t)displacement;
    return displacement >= 0 ? least % (prime - 1) : prime - 1 - (0 - least) % (prime - 1);
}

/* b, moved by a displacement, behind a. */
static struct trail trail_join(struct trail a, struct trail b, uint64_t moved)
{
    uint64_t sum = a.sum + product(product(a.weight, power(place, moved)), b.sum);
    return (struct trail){sum % prime, product(a.weight, b.weight)};
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

static struct trail trail_of_blocks(const struct type_map *m, uint32_t first, uint32_t n);

static struct trail trail_of_block(const struct type_map *m, const struct type_block *b)
{
    struct trail one = b->parts > 0 ? trail_of_blocks(m, b->first, b->parts) : trail_of_bytes(b->bytes);
    return trail_times(one, b->times, exponent(b->stride));
}

static struct trail trail_of_blocks(const struct type_map *m, uint32_t first, uint32_t n)
{
    struct trail all = {0, 1};
    for (uint32_t i = first; i < first + n; i++)
        all = trail_join(all, trail_of_block(m, &m->block[i]), exponent(m->block[i].offset));
    return all;
}

struct places type_map_places(const struct type_map *m)
{
    if (!m)
        return (struct places){.known = false};
    return (struct places){
        .known = true, .sum = trail_of_blocks(m, 0, m->n).sum, .low = m->low, .high = m->high};
}
