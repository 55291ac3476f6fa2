/* SPDX-License-Identifier: BSD-3-Clause */
#include "datatype/map_builder.h"

#include "datatype/arith.h"

/* Predefined pairs of a value and an index: their data are the bytes of both. */
static struct type_map *pair_data(MPI_Datatype basic, const struct arith_type *t)
{
    struct type_builder d;
    builder_start(&d);
    for (int k = 0; k < t->parts; k++) {
        struct type_map *part = map_leaf(basic, t->part[k].width);
        builder_place(&d, part, t->part[k].offset, 1, 0);
        reserve_free(part);
    }
    return builder_finish(&d);
}

static bool map_has_gaps(const struct arith_type *t)
{
    return t && t->gaps;
}

bool type_map_has_gaps(const struct type_map *m)
{
    return map_has_gaps(arith_type_known(m->basic));
}

static struct type_map *build_leaf(MPI_Datatype basic, enum type_map_kind kind)
{
    MPI_Count size;
    const struct arith_type *t = arith_type_known(basic);
    if (map_has_gaps(t))
        return kind == TYPE_DATA ? pair_data(basic, t) : map_leaf(basic, t->size);
    MPI_Type_size_x(basic, &size);
    return map_leaf(basic, (size_t)size);
}

/* What a type is made of. */
struct map_part {
    MPI_Datatype datatype;
    struct type_map *map;
    MPI_Aint extent;
};

static void part_load(struct map_part *p, MPI_Datatype datatype, enum type_map_kind kind)
{
    MPI_Aint lb;
    p->datatype = datatype;
    p->map = type_map_build(datatype, kind);
    MPI_Type_get_extent(datatype, &lb, &p->extent);
}

/* Structs often name a type several times in a row. */
static void place_struct(struct type_builder *d, const struct type_contents *c, enum type_map_kind kind)
{
    struct map_part p = {.map = NULL};
    for (ptrdiff_t k = 0; k < c->ints[0] && !d->failed; k++) {
        if (c->ints[1 + k] == 0)
            continue;
        if (!p.map || p.datatype != c->types[k]) {
            builder_forget(d, p.map);
            reserve_free(p.map);
            part_load(&p, c->types[k], kind);
        }
        builder_place(d, p.map, c->addresses[k], (size_t)c->ints[1 + k], p.extent);
    }
    reserve_free(p.map);
}

/* The blocks of an indexed type. */
struct index {
    const struct type_contents *c;
    ptrdiff_t extent, n;
    bool alike, in_elements;
};

static ptrdiff_t index_at(const struct index *x, ptrdiff_t k)
{
    const ptrdiff_t *displacements = x->c->ints + (x->alike ? 2 : 1 + x->n);
    return x->in_elements ? displacements[k] * x->extent : x->c->addresses[k];
}

static ptrdiff_t index_length(const struct index *x, ptrdiff_t k)
{
    return x->c->ints[x->alike ? 1 : 1 + k];
}

/* How many blocks from k on are of one length and at one distance. */
static ptrdiff_t index_run(const struct index *x, ptrdiff_t k)
{
    ptrdiff_t end = k + 1, apart = end < x->n ? index_at(x, end) - index_at(x, k) : 0;
    while (end < x->n && index_length(x, end) == index_length(x, k) &&
           index_at(x, end) - index_at(x, end - 1) == apart)
        end++;
    return end - k;
}

/* n blocks from k on, `stride` apart: as rows if all are, or so many that what stands for a row is little. */
static void place_run(struct type_builder *d, const struct map_part *p, const struct index *x, ptrdiff_t k,
                      ptrdiff_t n, ptrdiff_t stride)
{
    size_t length = (size_t)index_length(x, k);
    if (length == 1)
        builder_place(d, p->map, index_at(x, k), (size_t)n, stride);
    else if (n > 1 && (n == x->n || (size_t)n > p->map->all))
        builder_place_rows(d, p->map, index_at(x, k), (size_t)n, stride, length, p->extent);
    else
        for (ptrdiff_t i = 0; i < n; i++)
            builder_place(d, p->map, index_at(x, k + i), length, p->extent);
}

/* Stretches find their neighbours themselves. */
static void place_blocks(struct type_builder *d, const struct map_part *p, const struct type_contents *c)
{
    struct index x = {c, p->extent, c->ints[0],
                      c->combiner == MPI_COMBINER_INDEXED_BLOCK || c->combiner == MPI_COMBINER_HINDEXED_BLOCK,
                      c->combiner == MPI_COMBINER_INDEXED || c->combiner == MPI_COMBINER_INDEXED_BLOCK};
    bool runs = p->map && !type_map_is_stretch(p->map);
    for (ptrdiff_t k = 0, n; k < x.n && !d->failed; k += n) {
        n = runs ? index_run(&x, k) : 1;
        place_run(d, p, &x, k, n, n > 1 ? index_at(&x, k + 1) - index_at(&x, k) : 0);
    }
}

static struct type_map *build_elements(const struct type_contents *c, const struct map_part *p)
{
    struct type_builder d;
    const ptrdiff_t *i = c->ints;
    if (c->combiner == MPI_COMBINER_SUBARRAY)
        return map_subarray(c, p->map, p->extent);
    if (c->combiner == MPI_COMBINER_DARRAY)
        return map_darray(c, p->map, p->extent);
    builder_start(&d);
    switch (c->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        builder_place(&d, p->map, 0, (size_t)i[0], p->extent);
        break;
    case MPI_COMBINER_VECTOR:
        builder_place_rows(&d, p->map, 0, (size_t)i[0], i[2] * p->extent, (size_t)i[1], p->extent);
        break;
    case MPI_COMBINER_HVECTOR:
        builder_place_rows(&d, p->map, 0, (size_t)i[0], c->addresses[0], (size_t)i[1], p->extent);
        break;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_BLOCK:
        place_blocks(&d, p, c);
        break;
    default: /* DUP, RESIZED */
        builder_place(&d, p->map, 0, 1, 0);
    }
    return builder_finish(&d);
}

static struct type_map *build_derived(const struct type_contents *c, enum type_map_kind kind)
{
    struct map_part p = {.map = NULL};
    struct type_map *m;
    if (c->combiner == MPI_COMBINER_STRUCT) {
        struct type_builder d;
        builder_start(&d);
        place_struct(&d, c, kind);
        return builder_finish(&d);
    }
    part_load(&p, c->types[0], kind);
    m = build_elements(c, &p);
    reserve_free(p.map);
    return m;
}

/* What has no data is not looked into. So no more parts are looked at, on each level, than there are data. (What two parts are
 * the same type cannot be asked: Open MPI gives another handle for each.) */
struct type_map *type_map_build(MPI_Datatype datatype, enum type_map_kind kind)
{
    struct type_contents c;
    struct type_map *m = NULL;
    MPI_Count size;
    MPI_Type_size_x(datatype, &size);
    if (size == 0)
        return map_leaf(MPI_DATATYPE_NULL, 0);
    if (type_contents_get(&c, datatype))
        m = combiner_is_predefined(c.combiner) ? build_leaf(datatype, kind) : build_derived(&c, kind);
    type_contents_free(&c);
    return m;
}

static const struct type_map *map_make(struct type *t, MPI_Datatype mpi, enum type_map_kind kind)
{
    const struct type_map *other = NULL, *none = NULL;
    if (mpi == MPI_DATATYPE_NULL) /* there was no memory, and the user's handle may be gone (type_hold) */
        return NULL;
    if (kind == TYPE_ITEMS && !(other = type_map_of(t, mpi, TYPE_DATA)))
        return NULL;
    if (other && other->basic != MPI_DATATYPE_NULL && !type_map_has_gaps(other)) {
        store_release(&t->maps[TYPE_ITEMS], other); /* pairs with type_map_of; all store the same */
        return other;
    }
    mpi_enter();
    struct type_map *m = type_map_build(mpi, kind);
    mpi_leave();
    if (!m || cas_acq_rel(&t->maps[kind], &none, m)) /* pairs with type_map_of */
        return m;
    reserve_free(m); /* another thread was faster */
    return none;
}

const struct type_map *type_map_of(struct type *t, MPI_Datatype mpi, enum type_map_kind kind)
{
    const struct type_map *m = load_acquire(&t->maps[kind]); /* pairs with make */
    return likely(m != NULL) ? m : map_make(t, mpi, kind);
}

void type_map_bounds(const struct type_map *m, const struct type *t, size_t count, ptrdiff_t *low,
                     ptrdiff_t *high)
{
    *low = *high = 0;
    if (count == 0 || m->n == 0)
        return;
    ptrdiff_t last;
    if (__builtin_mul_overflow((ptrdiff_t)(count - 1), t->extent, &last) ||
        __builtin_add_overflow(m->low, last < 0 ? last : 0, low) ||
        __builtin_add_overflow(m->high, last > 0 ? last : 0, high)) {
        *low = PTRDIFF_MIN;
        *high = PTRDIFF_MAX;
    }
}
