/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric heap, function by function: alignment, contents, the same place in all PEs, and what is beside it. */
#include "check.h"

/* All PEs have the block at the same distance from the first one. */
static void same_place(const char *at, int round)
{
    static const char *first;
    static long offset;

    if (!first)
        first = at;
    offset = at - first;
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        CHECK_AT(shmem_long_g(&offset, pe) == at - first, round);
    shmem_barrier_all();
}

static void reached(char *at, size_t bytes, int round)
{
    char *mine = malloc(bytes);

    CHECK_AT((uintptr_t)at % _Alignof(max_align_t) == 0, bytes);
    same_place(at, round);
    fill(mine, bytes, shmem_my_pe(), round);
    shmem_putmem(at, mine, bytes, right_of(1));
    shmem_barrier_all();
    CHECK_AT(differs(at, bytes, left_of(1), round) < 0, bytes);
    free(mine);
}

static void sizes(void)
{
    static const size_t some[] = {1, 7, 8, 16, 17, 100, 4095, 4097, 70000, 1 << 20};
    char *at[COUNT(some)];

    for (size_t k = 0; k < COUNT(some); k++) {
        at[k] = k % 2 ? shmem_malloc_with_hints(some[k], SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE)
                      : shmem_malloc(some[k]);
        CHECK_AT(at[k] != NULL, some[k]);
        reached(at[k], some[k], (int)k);
    }
    shmem_barrier_all();
    for (size_t k = 0; k < COUNT(some); k++) /* none has touched another */
        CHECK_AT(differs(at[k], some[k], left_of(1), (int)k) < 0, some[k]);
    for (size_t k = 0; k < COUNT(some); k += 2)
        shmem_free(at[k]);
    for (size_t k = 1; k < COUNT(some); k += 2)
        shmem_free(at[k]);
    CHECK(shmem_malloc_with_hints(0, 0) == NULL && shmem_malloc(0) == NULL);
    shmem_free(NULL);
}

static void calloc_zero(void)
{
    for (int round = 0; round < 3; round++) {
        char *dirty = take(5000);
        memset(dirty, 0xff, 5000);
        shmem_free(dirty);
        char *clean = shmem_calloc(1250, 4);
        CHECK(clean && is_filled(clean, 5000, 0));
        reached(clean, 5000, 20 + round);
        shmem_free(clean);
    }
    CHECK(shmem_calloc(0, 8) == NULL && shmem_calloc(8, 0) == NULL);
    CHECK(shmem_calloc(SIZE_MAX / 2, 4) == NULL); /* the product is too large */
}

static void alignments(void)
{
    char *at[12];

    for (int k = 0; k < 12; k++) {
        size_t align = (size_t)8 << k;
        at[k] = shmem_align(align, 24 + (size_t)k);
        CHECK_AT(at[k] && (uintptr_t)at[k] % align == 0, align);
        same_place(at[k], k);
    }
    for (int k = 0; k < 12; k++)
        shmem_free(at[k]);
}

static void realloc_keeps(void)
{
    char *at = take(100), *wall;

    fill(at, 100, shmem_my_pe(), 40);
    at = shmem_realloc(at, 300); /* perhaps where it is */
    CHECK(at && differs(at, 100, shmem_my_pe(), 40) < 0);
    reached(at, 300, 41);
    wall = take(64);
    memset(wall, 3, 64);
    shmem_barrier_all();
    at = shmem_realloc(at, 100000); /* elsewhere */
    CHECK(at && differs(at, 300, left_of(1), 41) < 0);
    reached(at, 100000, 42);
    shmem_barrier_all();
    at = shmem_realloc(at, 10);
    CHECK(at && differs(at, 10, left_of(1), 42) < 0);
    same_place(at, 43);
    CHECK(is_filled(wall, 64, 3));
    shmem_barrier_all();
    CHECK(shmem_realloc(at, 0) == NULL); /* freed */
    at = shmem_realloc(NULL, 50);
    CHECK(at != NULL);
    reached(at, 50, 44);
    shmem_free(at);
    shmem_free(wall);
}

int main(void)
{
    shmem_init();
    sizes();
    calloc_zero();
    alignments();
    realloc_keeps();
    return check_end();
}
