/* SPDX-License-Identifier: BSD-3-Clause */
/* iput and iget of all types and sizes, plain and by a context: each element, and nothing between them. */
#include "check.h"
#include "types.h"

typedef void iput_fn(void *to, const void *from, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe);
typedef void ctx_iput_fn(shmem_ctx_t ctx, void *to, const void *from, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe);

struct type {
    const char *name;
    size_t size;
    iput_fn *plain[2]; /* iput, iget */
    ctx_iput_fn *by_ctx[2];
};

#define WRAP_ONE(name, T, does, function) \
    static void does##_##name(void *to, const void *from, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) \
    { \
        shmem_##function((T *)to, (const T *)from, dst, sst, n, pe); \
    } \
    static void ctx_##does##_##name(shmem_ctx_t ctx, void *to, const void *from, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe) \
    { \
        shmem_ctx_##function(ctx, (T *)to, (const T *)from, dst, sst, n, pe); \
    }
#define WRAP(name, T, before, after) \
    WRAP_ONE(name, T, iput, before##iput##after) \
    WRAP_ONE(name, T, iget, before##iget##after)
RMA_TYPES(WRAP)
RMA_SIZES(WRAP)

#define ROW(name, T, before, after) {#name, sizeof(T), {iput_##name, iget_##name}, {ctx_iput_##name, ctx_iget_##name}},
static const struct type types[] = {RMA_TYPES(ROW) RMA_SIZES(ROW)};

enum { ELEMENTS = 60, ROOM = ELEMENTS * 16 };
static char static_dest[ROOM], static_source[ROOM];
static const struct {
    ptrdiff_t dst, sst;
    size_t n;
} shapes[] = {{1, 1, 20}, {2, 1, 7}, {1, 3, 5}, {3, 2, 19}, {7, 7, 8}, {2, 5, 1}, {4, 4, 0}, {1, 2, 30}};

static void try(const struct type *t, int which, shmem_ctx_t *ctx, char *dest, char *source, int round)
{
    size_t shape = (size_t)round % COUNT(shapes), n = shapes[shape].n, size = t->size;
    ptrdiff_t dst = shapes[shape].dst, sst = shapes[shape].sst;
    int to = right_of(round), from = which == 1 ? to : left_of(round);
    char want[ROOM], all[ROOM];

    fill(source, ROOM, shmem_my_pe(), round);
    memset(dest, 0x77, ROOM);
    shmem_barrier_all();
    if (ctx)
        t->by_ctx[which](*ctx, dest, source, dst, sst, n, to);
    else
        t->plain[which](dest, source, dst, sst, n, to);
    if (ctx)
        shmem_ctx_quiet(*ctx);
    shmem_barrier_all();
    memset(want, 0x77, ROOM);
    fill(all, ROOM, from, round);
    for (size_t i = 0; i < n; i++)
        memcpy(want + i * (size_t)dst * size, all + i * (size_t)sst * size, size);
    CHECK_OF(t->name, memcmp(dest, want, ROOM) == 0, round);
    CHECK_OF(t->name, differs(source, ROOM, shmem_my_pe(), round) < 0, round);
    shmem_barrier_all();
}

int main(void)
{
    shmem_ctx_t ctx;
    int round = 0;

    shmem_init();
    char *heap = take(2 * ROOM);
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    for (size_t k = 0; k < COUNT(types); k++)
        for (int which = 0; which < 2; which++) {
            try(&types[k], which, NULL, heap, heap + ROOM, ++round);
            try(&types[k], which, &ctx, static_dest, static_source, ++round);
            try(&types[k], which, NULL, static_dest, heap, ++round);
        }
    for (size_t k = 0; k < COUNT(shapes); k++) /* each of them with a wide and a narrow type */
        try(&types[k % COUNT(types)], 0, NULL, heap, heap + ROOM, ++round);
    shmem_ctx_destroy(ctx);
    shmem_free(heap);
    return check_end();
}
