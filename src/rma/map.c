/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "rma/map_draft.h"

/* Predefined pairs of a value and an int. Their data are the value's bytes and the int's. */
struct pair {
    size_t value, second; /* bytes of the one, offset of the other */
};

static bool pair_find(MPI_Datatype basic, struct pair *p)
{
    const struct {
        MPI_Datatype basic;
        struct pair pair;
    } known[] = {
        {MPI_SHORT_INT,
         {sizeof(short), offsetof(
                             struct {
                                 short a;
                                 int b;
                             },
                             b)}},
        {MPI_FLOAT_INT,
         {sizeof(float), offsetof(
                             struct {
                                 float a;
                                 int b;
                             },
                             b)}},
        {MPI_LONG_INT,
         {sizeof(long), offsetof(
                            struct {
                                long a;
                                int b;
                            },
                            b)}},
        {MPI_DOUBLE_INT,
         {sizeof(double), offsetof(
                              struct {
                                  double a;
                                  int b;
                              },
                              b)}},
        {MPI_LONG_DOUBLE_INT,
         {sizeof(long double), offsetof(
                                   struct {
                                       long double a;
                                       int b;
                                   },
                                   b)}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (basic == known[i].basic) {
            *p = known[i].pair;
            return true;
        }
    return false;
}

static struct map *pair_data(MPI_Datatype basic, const struct pair *p)
{
    struct draft d;
    struct map *value = map_leaf(basic, p->value), *index = map_leaf(basic, sizeof(int));
    draft_start(&d);
    draft_place(&d, value, 0, 1, 0);
    draft_place(&d, index, (ptrdiff_t)p->second, 1, 0);
    free(value);
    free(index);
    return draft_finish(&d);
}

static struct map *build_leaf(MPI_Datatype basic, enum map_kind kind)
{
    MPI_Count size;
    MPI_Aint lb, extent;
    struct pair p;
    if (pair_find(basic, &p)) {
        MPI_Type_get_extent(basic, &lb, &extent);
        return kind == MAP_DATA ? pair_data(basic, &p) : map_leaf(basic, (size_t)extent);
    }
    MPI_Type_size_x(basic, &size);
    return map_leaf(basic, (size_t)size);
}

static struct map *build(MPI_Datatype datatype, enum map_kind kind);

/* What a type is made of. */
struct part {
    MPI_Datatype datatype;
    struct map *map;
    MPI_Aint extent;
};

/* Structs often name a type several times in a row. */
static void part_load(struct part *p, MPI_Datatype datatype, enum map_kind kind)
{
    MPI_Aint lb;
    if (p->map && p->datatype == datatype)
        return;
    free(p->map);
    p->datatype = datatype;
    p->map = build(datatype, kind);
    MPI_Type_get_extent(datatype, &lb, &p->extent);
}

static void place_struct(struct draft *d, const struct contents *c, enum map_kind kind)
{
    struct part p = {.map = NULL};
    for (int k = 0; k < c->ints[0]; k++)
        if (c->ints[1 + k] > 0) {
            part_load(&p, c->types[k], kind);
            draft_place(d, p.map, c->addresses[k], (size_t)c->ints[1 + k], p.extent);
        }
    free(p.map);
}

/* n rows of `length` elements. */
static void place_vector(struct draft *d, const struct part *p, int n, int length, ptrdiff_t stride)
{
    struct map *row = map_repeat(p->map, (size_t)length, p->extent);
    draft_place(d, row, 0, (size_t)n, stride);
    free(row);
}

static void place_blocks(struct draft *d, const struct part *p, const struct contents *c)
{
    const int *i = c->ints, n = i[0];
    bool alike = c->combiner == MPI_COMBINER_INDEXED_BLOCK || c->combiner == MPI_COMBINER_HINDEXED_BLOCK;
    bool in_elements = c->combiner == MPI_COMBINER_INDEXED || c->combiner == MPI_COMBINER_INDEXED_BLOCK;
    const int *displacements = alike ? i + 2 : i + 1 + n;
    for (int k = 0; k < n; k++) {
        ptrdiff_t at = in_elements ? displacements[k] * p->extent : c->addresses[k];
        draft_place(d, p->map, at, (size_t)(alike ? i[1] : i[1 + k]), p->extent);
    }
}

static struct map *build_elements(const struct contents *c, const struct part *p)
{
    struct draft d;
    const int *i = c->ints;
    if (c->combiner == MPI_COMBINER_SUBARRAY)
        return map_subarray(c, p->map, p->extent);
    if (c->combiner == MPI_COMBINER_DARRAY)
        return map_darray(c, p->map, p->extent);
    draft_start(&d);
    switch (c->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        draft_place(&d, p->map, 0, (size_t)i[0], p->extent);
        break;
    case MPI_COMBINER_VECTOR:
        place_vector(&d, p, i[0], i[1], i[2] * p->extent);
        break;
    case MPI_COMBINER_HVECTOR:
        place_vector(&d, p, i[0], i[1], c->addresses[0]);
        break;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_BLOCK:
        place_blocks(&d, p, c);
        break;
    default: /* DUP, RESIZED */
        draft_place(&d, p->map, 0, 1, 0);
    }
    return draft_finish(&d);
}

static struct map *build_derived(const struct contents *c, enum map_kind kind)
{
    struct part p = {.map = NULL};
    struct map *m;
    if (c->combiner == MPI_COMBINER_STRUCT) {
        struct draft d;
        draft_start(&d);
        place_struct(&d, c, kind);
        return draft_finish(&d);
    }
    part_load(&p, c->types[0], kind);
    m = build_elements(c, &p);
    free(p.map);
    return m;
}

static struct map *build(MPI_Datatype datatype, enum map_kind kind)
{
    struct contents c;
    struct map *m = NULL;
    if (contents_get(&c, datatype))
        m = combiner_is_predefined(c.combiner) ? build_leaf(datatype, kind) : build_derived(&c, kind);
    contents_free(&c);
    return m;
}

static const struct map *make(struct type *t, MPI_Datatype mpi, enum map_kind kind)
{
    const struct map *other = NULL, *none = NULL, *m;
    struct pair p;
    if (kind == MAP_ITEMS && !(other = map_of(t, mpi, MAP_DATA)))
        return NULL;
    if (other && other->basic != MPI_DATATYPE_NULL && !pair_find(other->basic, &p)) {
        store_release(&t->maps[MAP_ITEMS], other); /* pairs with map_of; all store the same */
        return other;
    }
    mpi_enter();
    m = build(mpi, kind);
    mpi_leave();
    if (!m || cas_acq_rel(&t->maps[kind], &none, m)) /* pairs with map_of */
        return m;
    free((void *)m); /* another thread was faster */
    return none;
}

const struct map *map_of(struct type *t, MPI_Datatype mpi, enum map_kind kind)
{
    const struct map *m = load_acquire(&t->maps[kind]); /* pairs with make */
    return likely(m != NULL) ? m : make(t, mpi, kind);
}

void map_bounds(const struct map *m, const struct type *t, size_t count, ptrdiff_t *low, ptrdiff_t *high)
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
