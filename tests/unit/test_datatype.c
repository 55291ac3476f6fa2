/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_datatype.c: type maps and walks over them, on random nested datatypes. MPI_Pack and MPI_Unpack say what is right.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "datatype/datatype.h"
#include "datatype/map_builder.h"
#include "map_draw.h"

#include "unit.h"

enum { DRAWS = 3000, DEEP = 4 };

/* A datatype with memory for `count` elements. */
struct world {
    MPI_Datatype mpi, basic;
    struct type *type;
    const struct type_map *map;
    int count;
    ptrdiff_t low, high; /* the memory, seen from buf */
    size_t bytes;        /* packed */
    char *memory, *buf, *packed;
};

static void bytes_fill(char *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        at[i] = (char)below(256);
}

/* What MPI says of `count` elements. */
static void true_bounds(MPI_Datatype mpi, int count, ptrdiff_t *low, ptrdiff_t *high)
{
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Count size;
    MPI_Type_get_extent(mpi, &lb, &extent);
    MPI_Type_get_true_extent(mpi, &true_lb, &true_extent);
    MPI_Type_size_x(mpi, &size);
    *low = *high = 0;
    if (size == 0 || count == 0)
        return;
    MPI_Aint last = (count - 1) * extent;
    *low = true_lb + (last < 0 ? last : 0);
    *high = true_lb + true_extent + (last > 0 ? last : 0);
}

static void world_open(struct world *w, struct drawn d, int count)
{
    int position = 0;
    *w = (struct world){.mpi = d.type, .basic = d.basic, .count = count};
    MPI_Type_commit(&w->mpi);
    w->type = type_find(w->mpi);
    ck_assert_ptr_nonnull(w->type);
    w->map = type_map_of(w->type, w->mpi, TYPE_DATA);
    ck_assert_ptr_nonnull(w->map);
    true_bounds(w->mpi, count, &w->low, &w->high);
    w->memory = malloc((size_t)(w->high - w->low) + 1);
    w->buf = (char *)((uintptr_t)w->memory - (uintptr_t)w->low);
    bytes_fill(w->memory, (size_t)(w->high - w->low));
    w->bytes = w->type->size * (size_t)count;
    w->packed = malloc(w->bytes + 1);
    MPI_Pack(w->buf, count, w->mpi, w->packed, (int)w->bytes, &position, MPI_COMM_SELF);
    ck_assert_int_eq(position, (int)w->bytes);
}

static void world_close(struct world *w)
{
    free(w->memory);
    free(w->packed);
    map_draw_free(&w->mpi);
}

/* ---- what a map says ---- */

static void check_map(const struct world *w)
{
    ptrdiff_t low, high;
    size_t bytes = 0;
    for (size_t i = 0; i < w->map->n; i++) {
        ck_assert(w->map->block[i].bytes > 0 && w->map->block[i].times > 0);
        bytes += w->map->block[i].bytes * w->map->block[i].times;
    }
    ck_assert_uint_eq(bytes, w->map->bytes);
    ck_assert_uint_eq(bytes, w->type->size);
    ck_assert(w->map->basic == w->basic);
    ck_assert_ptr_eq(w->map, type_map_of(w->type, w->mpi, TYPE_DATA));
    type_map_bounds(w->map, w->type, 1, &low, &high);
    ck_assert(low == w->map->low && high == w->map->high);
}

/* The walk tells where the data are, MPI at least where they are not: it may count empty parts, too. */
static void check_bounds(const struct world *w)
{
    ptrdiff_t low, high, first = 0, last = 0;
    struct type_iter c;
    char *at;
    type_iter_init(&c, NULL, (size_t)w->count, w->type, w->map);
    for (size_t n; (n = type_iter_peek(&c, &at)) > 0; type_iter_skip(&c, n)) {
        ptrdiff_t begin = (ptrdiff_t)(uintptr_t)at, end = begin + (ptrdiff_t)n;
        bool start = c.left == w->bytes;
        first = start || begin < first ? begin : first;
        last = start || end > last ? end : last;
    }
    type_map_bounds(w->map, w->type, (size_t)w->count, &low, &high);
    ck_assert_int_eq(low, first);
    ck_assert_int_eq(high, last);
    ck_assert(w->bytes == 0 || (low >= w->low && high <= w->high));
}

/* ---- walks ---- */

static void check_read(const struct world *w)
{
    struct type_iter c;
    char *got = malloc(w->bytes + 1);
    size_t done = 0;
    type_iter_init(&c, w->buf, (size_t)w->count, w->type, w->map);
    while (done < w->bytes) {
        size_t left = w->bytes - done, n = below(3) ? (size_t)below(40) : (size_t)below((int)left + 1);
        if (n > left)
            n = left;
        ck_assert_uint_eq(c.left, left);
        type_iter_read(&c, got + done, n);
        done += n;
    }
    ck_assert_uint_eq(c.left, 0);
    ck_assert_mem_eq(got, w->packed, w->bytes);
    free(got);
}

static void check_peek(const struct world *w)
{
    struct type_iter c;
    size_t done = 0;
    char *at;
    type_iter_init(&c, w->buf, (size_t)w->count, w->type, w->map);
    for (size_t n; (n = type_iter_peek(&c, &at)) > 0;) {
        ck_assert_uint_le(done + n, w->bytes);
        ck_assert_mem_eq(at, w->packed + done, n);
        size_t on = below(2) ? n : 1 + (size_t)below((int)(w->bytes - done));
        type_iter_skip(&c, on);
        done += on;
    }
    ck_assert_uint_eq(done, w->bytes);
}

/* Does the type name a byte twice? Then MPI_Unpack may write it in any order. */
static bool overlaps(const struct world *w)
{
    size_t size = (size_t)(w->high - w->low);
    char *seen = calloc(size + 1, 1), *at;
    bool twice = false;
    struct type_iter c;
    type_iter_init(&c, w->buf, (size_t)w->count, w->type, w->map);
    for (size_t n; (n = type_iter_peek(&c, &at)) > 0; type_iter_skip(&c, n))
        for (size_t i = 0; i < n; i++)
            twice |= seen[at + i - w->memory]++ > 0;
    free(seen);
    return twice;
}

static void check_write(const struct world *w)
{
    size_t size = (size_t)(w->high - w->low);
    char *want = calloc(size + 1, 1);
    int position = 0;
    struct type_iter c;
    if (!overlaps(w)) {
        memset(w->memory, 0, size);
        MPI_Unpack(w->packed, (int)w->bytes, &position, (char *)((uintptr_t)want - (uintptr_t)w->low),
                   w->count, w->mpi, MPI_COMM_SELF);
        type_iter_init(&c, w->buf, (size_t)w->count, w->type, w->map);
        for (size_t done = 0, n; done < w->bytes; done += n) {
            n = 1 + (size_t)below((int)(w->bytes - done));
            type_iter_write(&c, w->packed + done, n);
        }
        ck_assert_mem_eq(w->memory, want, size);
    }
    free(want);
}

struct gather {
    char *to;
    size_t n, unit;
};

static void gather_piece(void *arg, char *at, size_t bytes)
{
    struct gather *g = arg;
    ck_assert_uint_eq(bytes % g->unit, 0);
    memcpy(g->to + g->n, at, bytes);
    g->n += bytes;
}

static size_t unit_of(const struct world *w)
{
    int value, index, size;
    if (w->basic == MPI_DATATYPE_NULL || map_draw_pair(w->basic, &value, &index) || below(2))
        return 1;
    MPI_Type_size(w->basic, &size);
    return (size_t)size;
}

/* Pieces go to where the base is known. */
static void check_take(const struct world *w)
{
    struct gather g = {malloc(w->bytes + 1), 0, unit_of(w)};
    size_t max = g.unit + (size_t)below(below(2) ? 100 : 30000);
    unsigned room = 1 + (unsigned)below(9), n;
    struct type_iov *patches = malloc(room * sizeof *patches);
    struct type_iter c;
    type_iter_init(&c, NULL, (size_t)w->count, w->type, w->map);
    while (c.left > 0) {
        size_t before = g.n, taken = type_iter_take(&c, max, g.unit, patches, room, &n);
        ck_assert(taken > 0 && taken <= max && n <= room);
        ck_assert_uint_le(g.n + taken, w->bytes);
        type_iov_each(patches, n, w->buf, gather_piece, &g);
        ck_assert_uint_eq(g.n - before, taken);
    }
    ck_assert_uint_eq(type_iter_take(&c, max, g.unit, patches, room, &n), 0);
    ck_assert_uint_eq(n, 0);
    ck_assert_uint_eq(g.n, w->bytes);
    ck_assert_mem_eq(g.to, w->packed, w->bytes);
    free(patches);
    free(g.to);
}

/* Whole pairs, of which the two parts are packed. */
static void check_items(const struct world *w)
{
    const struct type_map *items = type_map_of(w->type, w->mpi, TYPE_ITEMS);
    struct type_iter c;
    char item[64];
    int value, index, size;
    MPI_Aint lb, extent;
    ck_assert_ptr_nonnull(items);
    ck_assert(items->basic == w->basic);
    if (w->basic == MPI_DATATYPE_NULL)
        return;
    if (!map_draw_pair(w->basic, &value, &index)) {
        ck_assert_ptr_eq(items, w->map);
        return;
    }
    MPI_Type_get_extent(w->basic, &lb, &extent);
    MPI_Type_size(w->basic, &size);
    ck_assert_int_eq(size, value + (int)sizeof(int));
    ck_assert_uint_eq(items->bytes / (size_t)extent * (size_t)size, w->map->bytes);
    for (size_t i = 0; i < items->n; i++)
        ck_assert_uint_eq(items->block[i].bytes % (size_t)extent, 0);
    /* the last pair may end with a gap: there the memory ends, too */
    char *memory = calloc((size_t)(w->high - w->low + extent), 1);
    memcpy(memory, w->memory, (size_t)(w->high - w->low));
    type_iter_init(&c, (char *)((uintptr_t)memory - (uintptr_t)w->low), (size_t)w->count, w->type, items);
    for (size_t done = 0; done < w->bytes; done += (size_t)size) {
        type_iter_read(&c, item, (size_t)extent);
        ck_assert_mem_eq(item, w->packed + done, (size_t)value);
        ck_assert_mem_eq(item + index, w->packed + done + value, sizeof(int));
    }
    ck_assert_uint_eq(c.left, 0);
    free(memory);
}

/* From one layout to another, in pieces. What lies between the data stays. */
static void check_copy(const struct world *from)
{
    struct world to;
    struct type_iter source, sink;
    world_open(&to, map_draw(below(DEEP + 1)), 1 + below(5));
    size_t size = (size_t)(to.high - to.low), n = from->bytes < to.bytes ? from->bytes : to.bytes, done = 0;
    char *want = malloc(size + 1);
    memcpy(want, to.memory, size);
    type_iter_init(&sink, want - to.low, (size_t)to.count, to.type, to.map);
    type_iter_write(&sink, from->packed, n);
    type_iter_init(&source, from->buf, (size_t)from->count, from->type, from->map);
    type_iter_init(&sink, to.buf, (size_t)to.count, to.type, to.map);
    while (done < n) {
        size_t piece = below(2) ? n - done : 1 + (size_t)below((int)(n - done));
        type_iter_copy(&sink, &source, piece);
        done += piece;
        ck_assert(source.left == from->bytes - done && sink.left == to.bytes - done);
    }
    if (!overlaps(&to))
        ck_assert_mem_eq(to.memory, want, size);
    free(want);
    world_close(&to);
}

/* From one buffer to another of the same type. */
static void check_move(const struct world *w)
{
    size_t size = (size_t)(w->high - w->low), n = (size_t)below((int)w->bytes + 1);
    char *other = malloc(size + 1), *want = malloc(size + 1);
    struct type_iter i;
    bytes_fill(other, size);
    memcpy(want, other, size);
    type_iter_init(&i, (char *)((uintptr_t)want - (uintptr_t)w->low), (size_t)w->count, w->type, w->map);
    type_iter_write(&i, w->packed, n);
    type_iter_init(&i, w->buf, (size_t)w->count, w->type, w->map);
    type_iter_move(&i, other - w->memory, n / 2);
    type_iter_move(&i, other - w->memory, n - n / 2);
    ck_assert_mem_eq(other, want, size);
    free(other);
    free(want);
}

/* The map that lists all stretches, from number `shift` on and then from the first. */
static struct type_map *make_list(const struct world *w, int shift, int n)
{
    struct type_builder d;
    builder_start(&d);
    for (int i = 0; i < n; i++) {
        struct type_iter c;
        char *at;
        size_t bytes;
        type_iter_init(&c, NULL, 1, w->type, w->map);
        for (int k = (i + shift) % n; (bytes = type_iter_peek(&c, &at)) > 0 && k > 0; k--)
            type_iter_skip(&c, bytes);
        struct type_map *stretch = map_leaf(MPI_BYTE, bytes);
        builder_place(&d, stretch, (ptrdiff_t)(uintptr_t)at, 1, 0);
        reserve_free(stretch);
    }
    return builder_finish(&d);
}

static int stretches_of(const struct world *w)
{
    struct type_iter c;
    char *at;
    int n = 0;
    type_iter_init(&c, NULL, 1, w->type, w->map);
    for (size_t bytes; (bytes = type_iter_peek(&c, &at)) > 0; type_iter_skip(&c, bytes))
        n++;
    return n;
}

/* They are those of the list, and those of the list in another order only if that places the same bytes. */
static void check_places(const struct world *w)
{
    int n = stretches_of(w);
    if (n == 0 || n > 300 || w->count == 0)
        return;
    struct type_map *list = make_list(w, 0, n), *turned = make_list(w, n / 2, n);
    struct places here = type_map_places(w->map), there = type_map_places(list),
                  other = type_map_places(turned);
    ck_assert(here.known && there.known && other.known);
    ck_assert(here.sum == there.sum && here.low == there.low && here.high == there.high);
    ck_assert(n == 1 || overlaps(w) || here.sum != other.sum);
    reserve_free(list);
    reserve_free(turned);
}

START_TEST(random_types)
{
    for (int i = 0; i < DRAWS; i++) {
        struct world w;
        world_open(&w, map_draw(below(DEEP + 1)), below(4) ? 1 + below(3) : below(20));
        check_map(&w);
        check_bounds(&w);
        check_read(&w);
        check_peek(&w);
        check_items(&w);
        check_take(&w);
        check_write(&w);
        check_copy(&w);
        check_move(&w);
        check_places(&w);
        world_close(&w);
    }
}
END_TEST

static void check_world(MPI_Datatype t, int count)
{
    struct world w;
    world_open(&w, (struct drawn){t, MPI_DATATYPE_NULL}, count);
    check_bounds(&w);
    check_read(&w);
    check_peek(&w);
    check_take(&w);
    check_write(&w);
    check_move(&w);
    world_close(&w);
}

/* ---- what is small stays small ---- */

static size_t blocks_of(MPI_Datatype t)
{
    struct world w;
    MPI_Type_commit(&t);
    w.type = type_find(t);
    w.map = type_map_of(w.type, t, TYPE_DATA);
    ck_assert_ptr_nonnull(w.map);
    size_t n = w.map->all;
    MPI_Type_free(&t);
    return n;
}

START_TEST(folding)
{
    MPI_Datatype t, u;
    MPI_Type_contiguous(1000000000, MPI_INT, &t);
    ck_assert_uint_eq(blocks_of(t), 1);
    MPI_Type_vector(1000000000, 3, 5, MPI_INT, &t);
    ck_assert_uint_eq(blocks_of(t), 1);
    MPI_Type_vector(10, 3, 5, MPI_INT, &u);
    MPI_Type_create_resized(u, 0, 10 * 5 * (int)sizeof(int), &t);
    MPI_Type_free(&u);
    MPI_Type_contiguous(100000000, t, &u);
    MPI_Type_free(&t);
    ck_assert_uint_eq(blocks_of(u), 1);
    MPI_Type_vector(10, 1, 2, MPI_INT, &u);
    MPI_Type_create_hvector(100, 1, 1000, u, &t);
    MPI_Type_free(&u);
    ck_assert_uint_eq(blocks_of(t), 2); /* a loop of rows */
    MPI_Type_create_hvector(1000, 1, 100000, MPI_DOUBLE_INT, &u);
    MPI_Type_create_hvector(1000, 2, 100000000, u, &t);
    MPI_Type_free(&u);
    MPI_Type_create_hvector(1000, 1, 7, t, &u);
    MPI_Type_free(&t);
    ck_assert_uint_le(blocks_of(u), 10);
    int lengths[1000], at[1000];
    for (int i = 0; i < 1000; i++) {
        lengths[i] = 1;
        at[i] = 7 * i;
    }
    MPI_Type_create_struct(3, lengths, (MPI_Aint[]){0, 8, 16}, (MPI_Datatype[]){MPI_CHAR, MPI_CHAR, MPI_INT},
                           &t);
    MPI_Type_indexed(1000, lengths, at, t, &u);
    MPI_Type_free(&t);
    ck_assert_uint_le(blocks_of(u), 7);
    MPI_Type_create_subarray(3, (int[]){50, 60, 70}, (int[]){20, 30, 40}, (int[]){1, 2, 3}, MPI_ORDER_C,
                             MPI_DOUBLE, &t);
    ck_assert_uint_eq(blocks_of(t), 2);
    MPI_Type_create_subarray(3, (int[]){50, 60, 70}, (int[]){20, 60, 70}, (int[]){1, 0, 0}, MPI_ORDER_C,
                             MPI_DOUBLE, &t);
    ck_assert_uint_eq(blocks_of(t), 1);
    MPI_Type_create_indexed_block(5, 1, (int[]){9, 7, 5, 3, 1}, MPI_DOUBLE, &t);
    ck_assert_uint_eq(blocks_of(t), 1);
    MPI_Type_create_indexed_block(5, 1, (int[]){0, 2, 3, 5, 6}, MPI_DOUBLE, &t);
    ck_assert_uint_eq(blocks_of(t), 2); /* 0, then 2 and 3, 5 and 6 */
}
END_TEST

enum { PLACES = 200000, NESTED = TYPE_DEPTH };

/* Ten parts, none of which continues another. */
static MPI_Datatype make_parts(void)
{
    MPI_Datatype t;
    MPI_Aint at[10];
    int lengths[10];
    for (int i = 0; i < 10; i++) {
        at[i] = i * i * 4;
        lengths[i] = 1 + i % 2;
    }
    MPI_Type_create_hindexed(10, lengths, at, MPI_SHORT, &t);
    return t;
}

/* A map has a few blocks for each argument, of however many parts what is named there is. */
START_TEST(arguments)
{
    static int lengths[PLACES];
    static MPI_Aint at[PLACES];
    MPI_Datatype t = make_parts(), u;
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < PLACES; i++) {
            lengths[i] = kind == 0 ? 1 : kind == 1 ? 2 : 1 + i % (kind == 2 ? 3 : 7) / 2;
            at[i] = (i ? at[i - 1] : 0) + 10000 + (kind == 3 && i % 9 == 0 ? 40 : 0);
        }
        at[PLACES - 1] += 7;
        MPI_Type_create_hindexed(PLACES, lengths, at, t, &u);
        ck_assert_uint_le(blocks_of(u), kind < 2 ? 50 : PLACES + 1000);
    }
    /* what is named again and again, between others */
    for (int i = 0; i < NESTED; i++) {
        MPI_Aint lb, extent;
        MPI_Type_get_extent(t, &lb, &extent);
        MPI_Type_create_struct(4, (int[]){1, 1, 1, 1}, (MPI_Aint[]){8, 0, extent + 11, 2 * extent + 24},
                               (MPI_Datatype[]){t, MPI_INT, t, MPI_DOUBLE}, &u);
        MPI_Type_free(&t);
        t = u;
    }
    MPI_Type_dup(t, &u);
    ck_assert_uint_le(blocks_of(u), 20 * NESTED * NESTED);
    check_world(t, 2);
}
END_TEST

enum { DEEPEST = TYPE_DEPTH + 5, SEVEN = 7 };

/* Of `depth` loops of seven, none of which continues another; their distances, the innermost first. */
static MPI_Datatype make_deep(int depth, MPI_Aint stride[])
{
    MPI_Datatype t, next;
    MPI_Type_contiguous(3, MPI_CHAR, &t);
    for (int i = 0; i < depth; i++) {
        stride[i] = i ? 8 * stride[i - 1] + 1 : 4;
        MPI_Type_create_hvector(SEVEN, 1, stride[i], t, &next);
        MPI_Type_free(&t);
        t = next;
    }
    MPI_Type_commit(&t);
    return t;
}

/* Where byte i of its data is. */
static ptrdiff_t deep_place(ptrdiff_t i, const MPI_Aint stride[], int depth)
{
    ptrdiff_t at = i % 3;
    i /= 3;
    for (int k = 0; k < depth; k++, i /= SEVEN)
        at += i % SEVEN * stride[k];
    return at;
}

/* Loops that are too many for a walk are listed. No memory behind it. */
START_TEST(deep)
{
    char *at, *buf = (char *)(uintptr_t)4096;
    MPI_Aint stride[DEEPEST];
    ptrdiff_t size = 3;
    for (int depth = 1; depth <= DEEPEST; depth++) {
        MPI_Datatype t = make_deep(depth, stride);
        struct type *type = type_find(t);
        const struct type_map *m = type_map_of(type, t, TYPE_DATA);
        struct type_iter c;
        size *= SEVEN;
        ck_assert_uint_eq(m->bytes, (size_t)size);
        ck_assert_uint_eq(m->depth, depth < TYPE_DEPTH ? (unsigned)depth : TYPE_DEPTH);
        for (int i = 0; i < 300; i++) {
            ptrdiff_t first = below(1 << 30) % (size - 1),
                      next = first + 1 + below(1 << 30) % (size - first - 1);
            type_iter_init(&c, buf, 1, type, m);
            type_iter_skip(&c, (size_t)first);
            ck_assert_uint_eq(type_iter_peek(&c, &at), (size_t)(3 - first % 3));
            ck_assert_ptr_eq(at, buf + deep_place(first, stride, depth));
            type_iter_skip(&c, (size_t)(next - first));
            ck_assert_uint_eq(type_iter_peek(&c, &at), (size_t)(3 - next % 3));
            ck_assert_ptr_eq(at, buf + deep_place(next, stride, depth));
        }
        MPI_Type_free(&t);
    }
}
END_TEST

enum { NAMES = 20 };

/* What many blocks name, each of them named by many, is looked at once: by all ways to it that would take years. */
START_TEST(places)
{
    struct type_map *m = map_leaf(MPI_CHAR, 1), *next;
    ptrdiff_t extent = 2;
    uint64_t sum = 0;
    for (int depth = 1; depth <= TYPE_DEPTH; depth++, m = next, extent *= 3 * NAMES) {
        struct type_builder d;
        builder_start(&d);
        for (int i = 0; i < NAMES; i++)
            builder_place(&d, m, (3 * i + i * i % 7 % 2) * extent, 2, extent);
        next = builder_finish(&d);
        reserve_free(m);
        struct places p = type_map_places(next);
        ck_assert_uint_eq(next->depth, (unsigned)depth);
        ck_assert(p.known && p.sum != sum);
        sum = p.sum;
    }
    reserve_free(m);
}
END_TEST

/* What follows at the right place, but is something else. */
START_TEST(neighbours)
{
    MPI_Datatype t, part[2];
    for (int i = 0; i < 2; i++) {
        MPI_Datatype pair;
        MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, i ? 12 : 8},
                               (MPI_Datatype[]){MPI_INT, MPI_SHORT}, &pair);
        MPI_Type_create_resized(pair, 0, 16, &part[i]);
        MPI_Type_free(&pair);
    }
    MPI_Type_create_struct(2, (int[]){9, 9}, (MPI_Aint[]){0, 9 * 16}, part, &t);
    check_world(t, 2);
    MPI_Type_free(&part[0]);
    MPI_Type_free(&part[1]);
    MPI_Type_vector(9, 1, 2, MPI_DOUBLE, &part[0]);
    MPI_Type_vector(9, 1, 3, MPI_DOUBLE, &part[1]);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 9 * 16}, part, &t);
    check_world(t, 2);
    MPI_Type_free(&part[0]);
    MPI_Type_free(&part[1]);
}
END_TEST

/* Many elements of many parts, which go column by column, and loops of them. */
START_TEST(tables)
{
    for (int i = 0; i < 300; i++) {
        MPI_Datatype t, u, v;
        int step = 9 + below(8);
        MPI_Type_create_struct(3, (int[]){1, 1 + below(2), below(3)},
                               (MPI_Aint[]){below(3), 7 + below(5), 40 + below(9)},
                               (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_CHAR}, &t);
        MPI_Type_create_resized(t, 0, 56, &u);
        MPI_Type_free(&t);
        MPI_Type_vector(1 + below(9), step - below(9), step, u, &t);
        MPI_Type_create_hvector(1 + below(4), 1, 100000, t, &v);
        MPI_Type_free(&t);
        MPI_Type_free(&u);
        check_world(v, 1 + below(3));
    }
}
END_TEST

/* No memory behind it: walks over dense data look at nothing and take no time. */
START_TEST(large)
{
    MPI_Datatype t;
    struct type_iter c;
    struct type_iov p;
    unsigned n;
    char *at, *buf = (char *)(uintptr_t)4096;
    size_t size = (size_t)3 << 40;
    MPI_Type_contiguous(1 << 20, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    struct type *type = type_find(t);
    type_iter_init(&c, buf, size >> 23, type, type_map_of(type, t, TYPE_DATA));
    ck_assert_uint_eq(c.left, size);
    ck_assert_uint_eq(type_iter_peek(&c, &at), size);
    type_iter_skip(&c, size - 12345);
    ck_assert_uint_eq(type_iter_peek(&c, &at), 12345);
    ck_assert_ptr_eq(at, buf + size - 12345);
    type_iter_bytes(&c, buf, size);
    type_iter_skip(&c, 777);
    ck_assert_uint_eq(type_iter_peek(&c, &at), size - 777);
    ck_assert_uint_eq(type_iter_take(&c, size, 16, &p, 1, &n), UINT32_MAX - 15);
    ck_assert_uint_eq(p.bytes, UINT32_MAX - 15);
    ck_assert_int_eq(p.offset, 4096 + 777);
    MPI_Type_free(&t);
    /* rows whose distance no int holds, of elements farther apart than the data are long */
    MPI_Aint far = (MPI_Aint)5 << 32;
    MPI_Datatype row;
    MPI_Type_create_hvector(3, 1, far, MPI_DOUBLE, &row);
    MPI_Type_create_hvector(1 << 24, 2, -far, row, &t);
    MPI_Type_free(&row);
    MPI_Type_commit(&t);
    type = type_find(t);
    ck_assert_uint_eq(type->size, (size_t)3 << 28);
    type_iter_init(&c, buf, 1, type, type_map_of(type, t, TYPE_DATA));
    for (ptrdiff_t i = 0; i < 1000; i++) {
        ptrdiff_t k = (i * 1048583) % (1 << 24), skip = i % 2;
        type_iter_init(&c, buf, 1, type, type_map_of(type, t, TYPE_DATA));
        type_iter_skip(&c, (size_t)k * 48 + (size_t)skip * 8 + 3);
        ck_assert_uint_eq(type_iter_peek(&c, &at), 5);
        ck_assert_ptr_eq(at, (char *)((uintptr_t)buf + (uintptr_t)(skip * far - k * far + 3)));
    }
    MPI_Type_free(&t);
}
END_TEST

/* ---- by hand ---- */

static void check_elements(MPI_Datatype t, const int want[], int n)
{
    struct type_iter c;
    char *at;
    MPI_Type_commit(&t);
    struct type *type = type_find(t);
    type_iter_init(&c, NULL, 1, type, type_map_of(type, t, TYPE_DATA));
    for (int i = 0; i < n; i++) {
        ck_assert_uint_ge(type_iter_peek(&c, &at), sizeof(int));
        ck_assert_uint_eq((uintptr_t)at, (size_t)want[i] * sizeof(int));
        type_iter_skip(&c, sizeof(int));
    }
    ck_assert_uint_eq(c.left, 0);
    MPI_Type_free(&t);
}

START_TEST(arrays)
{
    MPI_Datatype t;
    /* 5 x 4 in row major order; process 1 of a row of 2: columns 2 and 3, rows in turn by twos */
    MPI_Type_create_darray(4, 1, 2, (int[]){5, 4}, (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
                           (int[]){2, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 2}, MPI_ORDER_C, MPI_INT, &t);
    check_elements(t, (int[]){2, 3, 6, 7, 18, 19}, 6);
    /* the same grid, the array in column major order */
    MPI_Type_create_darray(4, 1, 2, (int[]){5, 4}, (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
                           (int[]){2, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 2}, MPI_ORDER_FORTRAN, MPI_INT,
                           &t);
    check_elements(t, (int[]){10, 11, 14, 15, 16, 19}, 6);
    MPI_Type_create_darray(2, 1, 2, (int[]){3, 3}, (int[]){MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC},
                           (int[]){MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){1, 2},
                           MPI_ORDER_C, MPI_INT, &t);
    check_elements(t, (int[]){1, 4, 7}, 3);
    MPI_Type_create_subarray(2, (int[]){4, 5}, (int[]){2, 3}, (int[]){1, 2}, MPI_ORDER_FORTRAN, MPI_INT, &t);
    check_elements(t, (int[]){9, 10, 13, 14, 17, 18}, 6);
}
END_TEST

START_TEST(absolute)
{
    MPI_Datatype t;
    int a[4] = {1, 2, 3, 4}, got[3];
    double b = 5;
    MPI_Aint at[2];
    struct type_iter c;
    MPI_Get_address(&a[1], &at[0]);
    MPI_Get_address(&b, &at[1]);
    MPI_Type_create_struct(2, (int[]){1, 1}, at, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &t);
    MPI_Type_commit(&t);
    struct type *type = type_find(t);
    type_iter_init(&c, MPI_BOTTOM, 1, type, type_map_of(type, t, TYPE_DATA));
    type_iter_read(&c, got, sizeof got);
    ck_assert_int_eq(got[0], 2);
    ck_assert_mem_eq(&got[1], &b, sizeof b);
    MPI_Type_free(&t);
}
END_TEST

/* ---- combiners of Fortran functions of MPI-1 that this MPI never gives: the test does ---- */

static MPI_Datatype disguised = MPI_DATATYPE_NULL;

int MPI_Type_get_envelope(MPI_Datatype t, int *ints, int *addresses, int *types, int *combiner)
{
    int rc = PMPI_Type_get_envelope(t, ints, addresses, types, combiner);
    if (t == disguised && t != MPI_DATATYPE_NULL) {
        *ints += *addresses;
        *addresses = 0;
        --*combiner;
    }
    return rc;
}

int MPI_Type_get_contents(MPI_Datatype t, int n_ints, int n_addresses, int n_types, int ints[],
                          MPI_Aint addresses[], MPI_Datatype types[])
{
    MPI_Aint at[8];
    int plain, n, m, combiner;
    if (t != disguised || t == MPI_DATATYPE_NULL)
        return PMPI_Type_get_contents(t, n_ints, n_addresses, n_types, ints, addresses, types);
    PMPI_Type_get_envelope(t, &plain, &n, &m, &combiner);
    int rc = PMPI_Type_get_contents(t, plain, n, n_types, ints, at, types);
    for (int i = 0; i < n; i++)
        ints[plain + i] = (int)at[i];
    return rc;
}

START_TEST(fortran_combiners)
{
    MPI_Type_create_hvector(3, 1, 8, MPI_INT, &disguised);
    check_elements(disguised, (int[]){0, 2, 4}, 3);
    MPI_Type_create_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){12, 0}, MPI_INT, &disguised);
    check_elements(disguised, (int[]){3, 0, 1}, 3);
    MPI_Type_create_struct(2, (int[]){2, 1}, (MPI_Aint[]){4, 0}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT},
                           &disguised);
    check_elements(disguised, (int[]){1, 2, 0}, 3);
    disguised = MPI_DATATYPE_NULL;
}
END_TEST

/* Open MPI makes a type for each pair of parameters; other libraries have few. */
START_TEST(fortran_parameters)
{
#ifdef OPEN_MPI
    MPI_Datatype t;
    for (int digits = 1; digits <= 15; digits++)
        for (int range = 1; range <= 37; range++) {
            int bytes;
            MPI_Type_create_f90_real(digits, range, &t);
            MPI_Type_size(t, &bytes);
            for (int again = 0; again < 2; again++) {
                struct type *type = type_find(t);
                ck_assert_ptr_nonnull(type);
                ck_assert(type->size == (size_t)bytes && type->contiguous);
            }
        }
    for (int i = 0; i < 3; i++) {
        struct type *type = type_find((MPI_Datatype[]){MPI_WCHAR, MPI_UINT16_T, MPI_2DOUBLE_PRECISION}[i]);
        ck_assert_ptr_nonnull(type);
        ck_assert(type->named);
    }
#endif
}
END_TEST

/* Made with counts that an int need not hold. */
START_TEST(large_counts)
{
#if MPI_VERSION >= 4
    MPI_Datatype t, u;
    const MPI_Count lengths[] = {1, 2, 1}, at[] = {3, 0, 7}, bytes[] = {3 * sizeof(int), 0, 7 * sizeof(int)};
    MPI_Type_contiguous_c(3, MPI_INT, &t);
    check_elements(t, (int[]){0, 1, 2}, 3);
    MPI_Type_vector_c(2, 2, 3, MPI_INT, &t);
    check_elements(t, (int[]){0, 1, 3, 4}, 4);
    MPI_Type_create_hvector_c(3, 1, 8, MPI_INT, &t);
    check_elements(t, (int[]){0, 2, 4}, 3);
    MPI_Type_indexed_c(3, lengths, at, MPI_INT, &t);
    check_elements(t, (int[]){3, 0, 1, 7}, 4);
    MPI_Type_create_hindexed_c(3, lengths, bytes, MPI_INT, &t);
    check_elements(t, (int[]){3, 0, 1, 7}, 4);
    MPI_Type_create_indexed_block_c(3, 2, at, MPI_INT, &t);
    check_elements(t, (int[]){3, 4, 0, 1, 7, 8}, 6);
    MPI_Type_create_hindexed_block_c(3, 2, bytes, MPI_INT, &t);
    check_elements(t, (int[]){3, 4, 0, 1, 7, 8}, 6);
    MPI_Type_create_struct_c(3, lengths, bytes, (MPI_Datatype[]){MPI_INT, MPI_FLOAT, MPI_INT}, &t);
    check_elements(t, (int[]){3, 0, 1, 7}, 4);
    MPI_Type_create_subarray_c(2, (MPI_Count[]){4, 5}, (MPI_Count[]){2, 3}, (MPI_Count[]){1, 2},
                               MPI_ORDER_FORTRAN, MPI_INT, &t);
    check_elements(t, (int[]){9, 10, 13, 14, 17, 18}, 6);
    MPI_Type_create_darray_c(4, 1, 2, (MPI_Count[]){5, 4},
                             (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
                             (int[]){2, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 2}, MPI_ORDER_C, MPI_INT, &t);
    check_elements(t, (int[]){2, 3, 6, 7, 18, 19}, 6);
    MPI_Type_create_resized_c(MPI_INT, 0, 12, &u);
    MPI_Type_contiguous(3, u, &t);
    MPI_Type_free(&u);
    check_elements(t, (int[]){0, 3, 6}, 3);
    MPI_Type_vector_c((MPI_Count)1 << 33, 1, 2, MPI_CHAR, &t);
    ck_assert_uint_eq(blocks_of(t), 1);
#endif
}
END_TEST

/* ---- several threads, no memory ---- */

enum { THREADS = 4 };

struct race {
    struct type *type;
    MPI_Datatype mpi;
    pthread_barrier_t start;
};

static void *race_map(void *arg)
{
    struct race *r = arg;
    pthread_barrier_wait(&r->start);
    const struct type_map *items = type_map_of(r->type, r->mpi, TYPE_ITEMS);
    ck_assert_ptr_nonnull(items);
    return (void *)items;
}

START_TEST(threads)
{
    struct race r;
    pthread_barrier_init(&r.start, NULL, THREADS);
    for (int i = 0; i < 100; i++) {
        pthread_t ids[THREADS];
        void *maps[THREADS];
        MPI_Type_vector(3, 1, 2, below(2) ? MPI_DOUBLE_INT : MPI_INT, &r.mpi);
        MPI_Type_commit(&r.mpi);
        r.type = type_find(r.mpi);
        for (int k = 0; k < THREADS; k++)
            pthread_create(&ids[k], NULL, race_map, &r);
        for (int k = 0; k < THREADS; k++)
            pthread_join(ids[k], &maps[k]);
        for (int k = 0; k < THREADS; k++)
            ck_assert_ptr_eq(maps[k], maps[0]);
        MPI_Type_free(&r.mpi);
    }
    pthread_barrier_destroy(&r.start);
}
END_TEST

/* Learn a duplicate of d while allocation k fails. Was there one? */
static bool learn_without(const struct drawn *d, int k, const struct type *want, bool reserve)
{
    MPI_Datatype copy;
    MPI_Type_dup(d->type, &copy);
    fail_allocation(k);
    struct type *t = type_find(copy);
    const struct type_map *m = t && below(2) ? type_map_of(t, copy, TYPE_ITEMS) : NULL;
    bool failed = allocation_failed();
    fail_allocation(-1);
    ck_assert(t || !reserve);
    if (t) {
        ck_assert(t->size == want->size && t->extent == want->extent);
        ck_assert(t->contiguous == want->contiguous || (!reserve && !t->contiguous));
        ck_assert(!m || m == type_map_of(t, copy, TYPE_ITEMS));
        ck_assert(t->size == type_map_of(t, copy, TYPE_DATA)->bytes);
    }
    MPI_Type_free(&copy);
    return failed;
}

static void without_memory(bool reserve)
{
    for (int i = 0; i < 300; i++) {
        struct drawn d = map_draw(DEEP);
        MPI_Type_commit(&d.type);
        const struct type *want = type_find(d.type);
        for (int k = 0; !want->named && learn_without(&d, k, want, reserve);)
            k++;
        map_draw_free(&d.type);
    }
}

START_TEST(no_memory)
{
    static void *taken[RESERVE_UNITS];
    int n = 0;
    without_memory(true);
    while (n < RESERVE_UNITS && (taken[n] = reserve_take(RESERVE_UNIT)))
        n++;
    without_memory(false);
    while (n > 0)
        reserve_free(taken[--n]);
}
END_TEST

int main(int argc, char **argv)
{
    int provided;
    const TTest *tests[] = {random_types,
                            folding,
                            arguments,
                            deep,
                            places,
                            neighbours,
                            tables,
                            large,
                            arrays,
                            absolute,
                            fortran_combiners,
                            fortran_parameters,
                            large_counts,
                            threads,
                            no_memory};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (process_start() != MPI_SUCCESS)
        return EXIT_FAILURE;
    types_start();
    int rc = UNIT_MAIN("map", tests);
    types_stop();
    process_stop();
    MPI_Finalize();
    return rc;
}
