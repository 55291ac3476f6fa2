/* SPDX-License-Identifier: BSD-3-Clause */
/* test_heap_block.c: the books of a symmetric heap against a map that says of each granule whose it is. */
#include "shmem/heap_block.h"

#include <stdlib.h>

#include "unit.h"

enum { BYTES = 1 << 17, GRANULES = BYTES / HEAP_GRANULE, BLOCKS = 300, STEPS = 20000, MANY = 1000000 };

struct model_block {
    size_t offset, bytes; /* bytes 0: there is none */
};

static struct model_block blocks[BLOCKS];
static int map[GRANULES]; /* number of the block + 1; 0: free */

/* As the header promises: at least this is a block's own. */
static size_t own_granules(size_t bytes)
{
    size_t unit = bytes < CACHE_LINE ? HEAP_GRANULE : CACHE_LINE;
    return (bytes + unit - 1) / unit * unit / HEAP_GRANULE;
}

static size_t own_align(size_t bytes, size_t align)
{
    size_t least = own_granules(bytes) * HEAP_GRANULE < CACHE_LINE ? HEAP_GRANULE : CACHE_LINE;
    return align > least ? align : least;
}

static void model_set(int i, size_t offset, size_t bytes)
{
    struct model_block *b = &blocks[i];
    for (size_t g = 0; g < own_granules(b->bytes); g++)
        map[b->offset / HEAP_GRANULE + g] = 0;
    *b = (struct model_block){offset, bytes};
    int overlaps = 0;
    ck_assert_uint_le(offset / HEAP_GRANULE + own_granules(bytes), GRANULES);
    for (size_t g = 0; g < own_granules(bytes); g++) {
        overlaps += map[offset / HEAP_GRANULE + g] != 0;
        map[offset / HEAP_GRANULE + g] = i + 1;
    }
    ck_assert_int_eq(overlaps, 0);
}

static bool model_fits(size_t bytes, size_t align)
{
    size_t run = 0, need = own_granules(bytes);
    for (size_t g = GRANULES; g-- > 0;) {
        run = map[g] ? 0 : run + 1;
        if (run >= need && g * HEAP_GRANULE % own_align(bytes, align) == 0)
            return true;
    }
    return false;
}

static size_t model_largest(void)
{
    size_t run = 0, largest = 0;
    for (size_t g = 0; g < GRANULES; g++) {
        run = map[g] ? 0 : run + 1;
        largest = run > largest ? run : largest;
    }
    return largest * HEAP_GRANULE;
}

static size_t random_bytes(void)
{
    switch (below(8)) {
    case 0:
        return (size_t)(1 + below(BYTES));
    case 1:
        return (size_t)(1 + below(BYTES / 20));
    case 2:
    case 3:
        return (size_t)(1 + below(2000));
    default:
        return (size_t)(1 + below(200));
    }
}

/* Both heaps have the same blocks, but in the second one others come and go between. */
static struct heap heap, other;

static void disturb(struct heap *h)
{
    size_t offset = heap_take(h, random_bytes(), (size_t)1 << below(12));
    if (offset != HEAP_NOWHERE)
        heap_release(h, offset);
}

static void take(int i)
{
    size_t bytes = random_bytes(), align = below(3) ? 0 : (size_t)1 << below(17);
    bool fits = model_fits(bytes, align);
    size_t offset = heap_take(&heap, bytes, align);
    ck_assert_uint_eq(heap_take(&other, bytes, align), offset);
    ck_assert_int_eq(offset != HEAP_NOWHERE, fits);
    if (!fits)
        return;
    ck_assert_uint_eq(offset % own_align(bytes, align), 0);
    model_set(i, offset, bytes);
}

static void release(int i)
{
    heap_release(&heap, blocks[i].offset);
    heap_release(&other, blocks[i].offset);
    model_set(i, 0, 0);
}

/* It can where the granules behind it are free. */
static bool model_can_resize(int i, size_t bytes)
{
    size_t begin = blocks[i].offset / HEAP_GRANULE, need = own_granules(bytes);
    if (begin + need > GRANULES || blocks[i].offset % own_align(bytes, 0) != 0)
        return false;
    for (size_t g = begin; g < begin + need; g++)
        if (map[g] && map[g] != i + 1)
            return false;
    return true;
}

static void resize(int i)
{
    size_t bytes = below(4) ? (size_t)(1 + below((int)(2 * blocks[i].bytes))) : random_bytes();
    bool can = model_can_resize(i, bytes);
    ck_assert_int_eq(heap_resize(&heap, blocks[i].offset, bytes), can);
    ck_assert_int_eq(heap_resize(&other, blocks[i].offset, bytes), can);
    if (can)
        model_set(i, blocks[i].offset, bytes);
}

static void check_at(size_t offset)
{
    struct heap_place p = heap_at(&heap, offset);
    int owner = offset < BYTES ? map[offset / HEAP_GRANULE] : 0;
    ck_assert_uint_eq(p.begin, owner ? blocks[owner - 1].offset : HEAP_NOWHERE);
    ck_assert_uint_eq(p.asked, owner ? blocks[owner - 1].bytes : 0);
}

START_TEST(does_as_the_map_says)
{
    ck_assert(heap_open(&heap, BYTES + HEAP_GRANULE - 1));
    ck_assert(heap_open(&other, BYTES));
    for (int step = 0; step < STEPS; step++) {
        int i = below(BLOCKS);
        disturb(&other);
        if (blocks[i].bytes == 0)
            take(i);
        else if (below(2))
            release(i);
        else
            resize(i);
        check_at((size_t)below(BYTES + 1000));
        if (step % 100 == 0)
            ck_assert_uint_eq(heap_largest(&heap), model_largest());
    }
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].bytes)
            release(i);
    ck_assert_uint_eq(heap_largest(&heap), BYTES);
    ck_assert_uint_eq(heap_take(&heap, BYTES, 0), 0);
    heap_close(&heap);
    heap_close(&other);
}
END_TEST

/* None of the ways to ask for too much wraps around. */
START_TEST(refuses_what_is_too_much)
{
    ck_assert(heap_open(&heap, BYTES));
    ck_assert_uint_eq(heap_take(&heap, SIZE_MAX, 0), HEAP_NOWHERE);
    ck_assert_uint_eq(heap_take(&heap, SIZE_MAX - 100, 1024), HEAP_NOWHERE);
    ck_assert_uint_eq(heap_take(&heap, BYTES + 1, 0), HEAP_NOWHERE);
    ck_assert_uint_eq(heap_take(&heap, 0, 0), HEAP_NOWHERE);
    ck_assert_uint_eq(heap_take(&heap, 1, 2 * HEAP_ALIGN_MOST), HEAP_NOWHERE);
    size_t offset = heap_take(&heap, 100, 0);
    ck_assert(!heap_resize(&heap, offset, SIZE_MAX - 5));
    ck_assert(!heap_resize(&heap, offset, BYTES + 1));
    ck_assert(heap_resize(&heap, offset, BYTES));
    heap_close(&heap);
    ck_assert(heap_open(&heap, 0));
    ck_assert_uint_eq(heap_take(&heap, 1, 0), HEAP_NOWHERE);
    ck_assert_uint_eq(heap_largest(&heap), 0);
    heap_close(&heap);
}
END_TEST

/* Of many free spaces that are large enough, the only one that begins at a page. */
START_TEST(finds_what_is_aligned)
{
    enum { PAGE = 4096, PAGES = 64, LAST = PAGES / 2 * PAGE };
    ck_assert(heap_open(&heap, PAGES * PAGE));
    size_t holes[PAGES];
    for (int i = 0; i < PAGES; i++) {
        ck_assert_uint_eq(heap_take(&heap, CACHE_LINE, 0), (size_t)i * PAGE);
        holes[i] = heap_take(&heap, PAGE - CACHE_LINE, 0);
        ck_assert_uint_eq(holes[i], (size_t)i * PAGE + CACHE_LINE);
    }
    for (int i = 0; i < PAGES; i += 2)
        heap_release(&heap, holes[i]);
    ck_assert_uint_eq(heap_take(&heap, PAGE / 2, PAGE), HEAP_NOWHERE);
    heap_release(&heap, LAST);
    ck_assert_uint_eq(heap_take(&heap, PAGE / 2, PAGE), LAST);
    heap_close(&heap);
}
END_TEST

START_TEST(has_many_blocks)
{
    static size_t offsets[MANY];
    static int order[MANY];
    int wrong = 0; /* a check of each would take longer than all else */
    ck_assert(heap_open(&heap, (size_t)1 << 30));
    for (int i = 0; i < MANY; i++) {
        order[i] = i;
        offsets[i] = heap_take(&heap, (size_t)(1 + below(400)), 0);
        wrong += offsets[i] == HEAP_NOWHERE;
    }
    shuffle(order, MANY);
    for (int i = 0; i < MANY; i++) {
        wrong += heap_at(&heap, offsets[order[i]]).begin != offsets[order[i]];
        heap_release(&heap, offsets[order[i]]);
        if (i % 4)
            continue;
        size_t again = heap_take(&heap, (size_t)(1 + below(400)), 0); /* among the holes */
        wrong += again == HEAP_NOWHERE;
        heap_release(&heap, again);
    }
    ck_assert_int_eq(wrong, 0);
    ck_assert_uint_eq(heap_largest(&heap), (size_t)1 << 30);
    heap_close(&heap);
}
END_TEST

/* Blocks of 32 bytes until the books have no memory; Check needs some itself, so nothing is checked before. */
static size_t take_until_none(size_t *last)
{
    size_t n = 0;
    bool agree = true;
    for (bool has = true; has;) {
        fail_allocation(0);
        has = heap_reserve(&heap);
        fail_allocation(0);
        size_t offset = heap_take(&heap, 32, 0);
        agree = agree && has == (offset != HEAP_NOWHERE);
        if (has) {
            n++;
            *last = offset;
        }
    }
    fail_allocation(-1);
    ck_assert(agree);
    return n;
}

START_TEST(lasts_without_memory)
{
    fail_allocation(0);
    bool opened = heap_open(&heap, BYTES);
    fail_allocation(-1);
    ck_assert(!opened);
    heap_close(&heap);
    ck_assert(heap_open(&heap, BYTES));
    size_t last, n = take_until_none(&last);
    ck_assert_uint_gt(n, 0);
    ck_assert_uint_eq(last, (n - 1) * 32);
    ck_assert_uint_eq(heap_largest(&heap), BYTES - n * 32);
    ck_assert(heap_reserve(&heap));
    ck_assert_uint_eq(heap_take(&heap, 32, 0), n * 32);
    heap_close(&heap);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {does_as_the_map_says, refuses_what_is_too_much, finds_what_is_aligned,
                            has_many_blocks, lasts_without_memory};
    return UNIT_MAIN("heap_block", tests);
}
