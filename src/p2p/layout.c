/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a datatype's bytes lie, found from how it was made (MPI 4.1.13). Two questions, and one way through its parts:
 *
 *   is it one block of bytes, in type map order?   size == true extent is not enough: an indexed type with displacements {1, 0}
 *                                                  has no gap and is not in order
 *   where is each byte, in type map order?         a hash of the sequence of displacements
 *
 * A constructor that is not looked into counts as not contiguous, and its places as unknown, which is correct, only slower.
 */
#include "p2p/contents.h"
#include "p2p/type.h"

/* ---- places ---- */

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

/* ---- blocks ---- */

/* Blocks seen so far: the data run from `begin` to `end` without a gap; or their places. */
struct stretch {
    bool places; /* the second question */
    ptrdiff_t begin, end;
    bool empty;
    struct trail trail;
};

/* What blocks are made of. */
struct element {
    ptrdiff_t size, extent, lb;
    bool yes; /* it is contiguous; or, its places are known */
    struct trail trail;
};

static struct element element_of(MPI_Datatype datatype, bool places);

/* Add `count` elements at displacement. False if that leaves a gap, goes back, or has gaps itself. */
static bool run_add(struct stretch *r, const struct element *e, ptrdiff_t displacement, ptrdiff_t count)
{
    if (count == 0 || e->size == 0)
        return true;
    if (r->places) {
        struct trail all = trail_times(e->trail, (uint64_t)count, exponent(e->extent));
        r->trail = trail_join(r->trail, all, exponent(displacement));
        return e->yes;
    }
    if (!e->yes || (count > 1 && e->extent != e->size))
        return false;
    if (r->empty) {
        r->begin = r->end = displacement + e->lb;
        r->empty = false;
    }
    if (displacement + e->lb != r->end)
        return false;
    r->end += count * e->size;
    return true;
}

/* n blocks of length at a regular distance of stride bytes. */
static bool add_vector(struct stretch *r, const struct element *e, ptrdiff_t n, ptrdiff_t length,
                       ptrdiff_t stride)
{
    if (n <= 1 || stride == length * e->extent)
        return run_add(r, e, 0, n <= 0 ? 0 : n * length);
    if (length == 0 || e->size == 0)
        return true;
    if (r->places) {
        struct trail block = trail_times(e->trail, (uint64_t)length, exponent(e->extent));
        r->trail = trail_join(r->trail, trail_times(block, (uint64_t)n, exponent(stride)), 0);
    }
    return r->places && e->yes;
}

static bool add_struct(struct stretch *r, const struct contents *c)
{
    bool ok = true;
    for (int k = 0; k < c->ints[0] && ok; k++) {
        if (c->ints[1 + k] == 0)
            continue;
        struct element e = element_of(c->types[k], r->places);
        ok = run_add(r, &e, c->addresses[k], c->ints[1 + k]);
    }
    return ok;
}

static bool add_blocks(struct stretch *r, const struct contents *c)
{
    const int *i = c->ints;
    int n = c->n_ints > 0 ? i[0] : 0;
    if (c->combiner == MPI_COMBINER_STRUCT)
        return add_struct(r, c);
    struct element e = element_of(c->types[0], r->places);
    bool ok = true;
    switch (c->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return run_add(r, &e, 0, 1);
    case MPI_COMBINER_CONTIGUOUS:
        return run_add(r, &e, 0, n);
    case MPI_COMBINER_VECTOR:
        return add_vector(r, &e, n, i[1], i[2] * e.extent);
    case MPI_COMBINER_HVECTOR:
        return add_vector(r, &e, n, i[1], c->addresses[0]);
    case MPI_COMBINER_INDEXED:
        for (int k = 0; k < n && ok; k++)
            ok = run_add(r, &e, i[1 + n + k] * e.extent, i[1 + k]);
        return ok;
    case MPI_COMBINER_INDEXED_BLOCK:
        for (int k = 0; k < n && ok; k++)
            ok = run_add(r, &e, i[2 + k] * e.extent, i[1]);
        return ok;
    case MPI_COMBINER_HINDEXED:
        for (int k = 0; k < n && ok; k++)
            ok = run_add(r, &e, c->addresses[k], i[1 + k]);
        return ok;
    case MPI_COMBINER_HINDEXED_BLOCK:
        for (int k = 0; k < n && ok; k++)
            ok = run_add(r, &e, c->addresses[k], i[1]);
        return ok;
    default:
        return false;
    }
}

/* ---- a datatype ---- */

static void look_into(struct element *e, MPI_Datatype datatype, bool places)
{
    struct contents c;
    struct stretch r = {.places = places, .empty = true, .trail = {0, 1}};
    bool got = contents_get(&c, datatype);
    if (got && combiner_is_predefined(c.combiner)) {
        e->yes = e->extent == e->size;
        e->trail = trail_of_bytes((size_t)e->size);
    } else if (got) {
        e->yes = add_blocks(&r, &c);
        e->lb = r.begin;
        e->trail = r.trail;
    }
    contents_free(&c);
}

/* What has no data is not looked into. So no more parts are looked at, on each level, than there are data. (Which parts are one and
 * the same type cannot be asked: Open MPI gives a new handle for each, whose address was another's before.) */
static struct element element_of(MPI_Datatype datatype, bool places)
{
    MPI_Count size;
    MPI_Aint lb, extent;
    MPI_Type_size_x(datatype, &size);
    MPI_Type_get_extent(datatype, &lb, &extent);
    struct element e = {.size = (ptrdiff_t)size, .extent = extent, .yes = true, .trail = {0, 1}};
    if (size > 0)
        look_into(&e, datatype, places);
    return e;
}

bool type_is_contiguous(MPI_Datatype datatype, ptrdiff_t *lb)
{
    struct element e = element_of(datatype, false);
    *lb = e.lb;
    return e.yes;
}

struct places type_places(MPI_Datatype datatype)
{
    struct element e = element_of(datatype, true);
    struct places p = {.known = e.yes, .sum = e.trail.sum};
    MPI_Aint low = 0, length = 0;
    MPI_Type_get_true_extent(datatype, &low, &length);
    p.low = low;
    p.length = length;
    return p;
}
