/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_map.c: type maps and walks over them, on random nested datatypes. MPI_Pack and MPI_Unpack say what is right.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "map_draw.h"
#include "rma/map.h"
#include "unit.h"

enum { DRAWS = 3000, DEEP = 4 };

/* A datatype with memory for `count` elements. */
struct world {
    MPI_Datatype mpi, basic;
    struct type *type;
    const struct map *map;
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
    w->map = map_of(w->type, w->mpi, MAP_DATA);
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
    ck_assert_ptr_eq(w->map, map_of(w->type, w->mpi, MAP_DATA));
    map_bounds(w->map, w->type, 1, &low, &high);
    ck_assert(low == w->map->low && high == w->map->high);
}

/* The walk tells where the data are, MPI at least where they are not: it may count empty parts, too. */
static void check_bounds(const struct world *w)
{
    ptrdiff_t low, high, first = 0, last = 0;
    struct cursor c;
    char *at;
    cursor_init(&c, NULL, (size_t)w->count, w->type, w->map);
    for (size_t n; (n = cursor_peek(&c, &at)) > 0; cursor_skip(&c, n)) {
        ptrdiff_t begin = (ptrdiff_t)(uintptr_t)at, end = begin + (ptrdiff_t)n;
        bool start = cursor_left(&c) == w->bytes;
        first = start || begin < first ? begin : first;
        last = start || end > last ? end : last;
    }
    map_bounds(w->map, w->type, (size_t)w->count, &low, &high);
    ck_assert_int_eq(low, first);
    ck_assert_int_eq(high, last);
    ck_assert(w->bytes == 0 || (low >= w->low && high <= w->high));
}

/* ---- walks ---- */

static void check_read(const struct world *w)
{
    struct cursor c;
    char *got = malloc(w->bytes + 1);
    size_t done = 0;
    cursor_init(&c, w->buf, (size_t)w->count, w->type, w->map);
    while (done < w->bytes) {
        size_t left = w->bytes - done, n = below(3) ? (size_t)below(40) : (size_t)below((int)left + 1);
        if (n > left)
            n = left;
        ck_assert_uint_eq(cursor_left(&c), left);
        cursor_read(&c, got + done, n);
        done += n;
    }
    ck_assert_uint_eq(cursor_left(&c), 0);
    ck_assert_mem_eq(got, w->packed, w->bytes);
    free(got);
}

static void check_peek(const struct world *w)
{
    struct cursor c;
    size_t done = 0;
    char *at;
    cursor_init(&c, w->buf, (size_t)w->count, w->type, w->map);
    for (size_t n; (n = cursor_peek(&c, &at)) > 0;) {
        ck_assert_uint_le(done + n, w->bytes);
        ck_assert_mem_eq(at, w->packed + done, n);
        size_t on = below(2) ? n : 1 + (size_t)below((int)(w->bytes - done));
        cursor_skip(&c, on);
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
    struct cursor c;
    cursor_init(&c, w->buf, (size_t)w->count, w->type, w->map);
    for (size_t n; (n = cursor_peek(&c, &at)) > 0; cursor_skip(&c, n))
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
    struct cursor c;
    if (!overlaps(w)) {
        memset(w->memory, 0, size);
        MPI_Unpack(w->packed, (int)w->bytes, &position, (char *)((uintptr_t)want - (uintptr_t)w->low),
                   w->count, w->mpi, MPI_COMM_SELF);
        cursor_init(&c, w->buf, (size_t)w->count, w->type, w->map);
        for (size_t done = 0, n; done < w->bytes; done += n) {
            n = 1 + (size_t)below((int)(w->bytes - done));
            cursor_write(&c, w->packed + done, n);
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
    struct patch *patches = malloc(room * sizeof *patches);
    struct cursor c;
    cursor_init(&c, NULL, (size_t)w->count, w->type, w->map);
    while (cursor_left(&c) > 0) {
        size_t before = g.n, taken = cursor_take(&c, max, g.unit, patches, room, &n);
        ck_assert(taken > 0 && taken <= max && n <= room);
        ck_assert_uint_le(g.n + taken, w->bytes);
        patches_each(patches, n, w->buf, gather_piece, &g);
        ck_assert_uint_eq(g.n - before, taken);
    }
    ck_assert_uint_eq(cursor_take(&c, max, g.unit, patches, room, &n), 0);
    ck_assert_uint_eq(n, 0);
    ck_assert_uint_eq(g.n, w->bytes);
    ck_assert_mem_eq(g.to, w->packed, w->bytes);
    free(patches);
    free(g.to);
}

/* Whole pairs, of which the two parts are packed. */
static void check_items(const struct world *w)
{
    const struct map *items = map_of(w->type, w->mpi, MAP_ITEMS);
    struct cursor c;
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
    cursor_init(&c, (char *)((uintptr_t)memory - (uintptr_t)w->low), (size_t)w->count, w->type, items);
    for (size_t done = 0; done < w->bytes; done += (size_t)size) {
        cursor_read(&c, item, (size_t)extent);
        ck_assert_mem_eq(item, w->packed + done, (size_t)value);
        ck_assert_mem_eq(item + index, w->packed + done + value, sizeof(int));
    }
    ck_assert_uint_eq(cursor_left(&c), 0);
    free(memory);
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
        world_close(&w);
    }
}
END_TEST

/* ---- what is small stays small ---- */

static size_t blocks_of(MPI_Datatype t)
{
    struct world w;
    MPI_Type_commit(&t);
    w.type = type_find(t);
    w.map = map_of(w.type, t, MAP_DATA);
    ck_assert_ptr_nonnull(w.map);
    size_t n = w.map->n;
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
    ck_assert_uint_eq(blocks_of(t), 100);
    MPI_Type_create_subarray(3, (int[]){50, 60, 70}, (int[]){20, 30, 40}, (int[]){1, 2, 3}, MPI_ORDER_C,
                             MPI_DOUBLE, &t);
    ck_assert_uint_eq(blocks_of(t), 20);
    MPI_Type_create_subarray(3, (int[]){50, 60, 70}, (int[]){20, 60, 70}, (int[]){1, 0, 0}, MPI_ORDER_C,
                             MPI_DOUBLE, &t);
    ck_assert_uint_eq(blocks_of(t), 1);
    MPI_Type_create_indexed_block(5, 1, (int[]){9, 7, 5, 3, 1}, MPI_DOUBLE, &t);
    ck_assert_uint_eq(blocks_of(t), 1);
    MPI_Type_create_indexed_block(5, 1, (int[]){0, 2, 3, 5, 6}, MPI_DOUBLE, &t);
    ck_assert_uint_eq(blocks_of(t), 2); /* 0, then 2 and 3, 5 and 6 */
}
END_TEST

/* No memory behind it: walks over dense data look at nothing and take no time. */
START_TEST(large)
{
    MPI_Datatype t;
    struct cursor c;
    struct patch p;
    unsigned n;
    char *at, *buf = (char *)(uintptr_t)4096;
    size_t size = (size_t)3 << 40;
    MPI_Type_contiguous(1 << 20, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    struct type *type = type_find(t);
    cursor_init(&c, buf, size >> 23, type, map_of(type, t, MAP_DATA));
    ck_assert_uint_eq(cursor_left(&c), size);
    ck_assert_uint_eq(cursor_peek(&c, &at), size);
    cursor_skip(&c, size - 12345);
    ck_assert_uint_eq(cursor_peek(&c, &at), 12345);
    ck_assert_ptr_eq(at, buf + size - 12345);
    cursor_init_bytes(&c, buf, size);
    cursor_skip(&c, 777);
    ck_assert_uint_eq(cursor_peek(&c, &at), size - 777);
    ck_assert_uint_eq(cursor_take(&c, size, 16, &p, 1, &n), UINT32_MAX - 15);
    ck_assert_uint_eq(p.bytes, UINT32_MAX - 15);
    ck_assert_int_eq(p.offset, 4096 + 777);
    MPI_Type_free(&t);
}
END_TEST

/* ---- by hand ---- */

static void check_elements(MPI_Datatype t, const int want[], int n)
{
    struct cursor c;
    char *at;
    MPI_Type_commit(&t);
    struct type *type = type_find(t);
    cursor_init(&c, NULL, 1, type, map_of(type, t, MAP_DATA));
    for (int i = 0; i < n; i++) {
        ck_assert_uint_ge(cursor_peek(&c, &at), sizeof(int));
        ck_assert_uint_eq((uintptr_t)at, (size_t)want[i] * sizeof(int));
        cursor_skip(&c, sizeof(int));
    }
    ck_assert_uint_eq(cursor_left(&c), 0);
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
    struct cursor c;
    MPI_Get_address(&a[1], &at[0]);
    MPI_Get_address(&b, &at[1]);
    MPI_Type_create_struct(2, (int[]){1, 1}, at, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &t);
    MPI_Type_commit(&t);
    struct type *type = type_find(t);
    cursor_init(&c, MPI_BOTTOM, 1, type, map_of(type, t, MAP_DATA));
    cursor_read(&c, got, sizeof got);
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
    const struct map *items = map_of(r->type, r->mpi, MAP_ITEMS);
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

START_TEST(no_memory)
{
    for (int i = 0; i < 300; i++) {
        struct drawn d = map_draw(DEEP);
        MPI_Type_commit(&d.type);
        struct type *type = type_find(d.type);
        const struct map *m = NULL;
        for (int k = 0; !m; k++) {
            fail_allocation(k);
            m = map_of(type, d.type, below(2) ? MAP_DATA : MAP_ITEMS);
            ck_assert(m || allocation_failed());
        }
        fail_allocation(-1);
        map_draw_free(&d.type);
    }
}
END_TEST

int main(int argc, char **argv)
{
    int provided;
    const TTest *tests[] = {random_types, folding,           large,   arrays,
                            absolute,     fortran_combiners, threads, no_memory};
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
