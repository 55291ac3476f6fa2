/* SPDX-License-Identifier: BSD-3-Clause */
/* Put and get, blocking and not, by the default and by another context, of all types, sizes and bytes: what arrives and what is left as
 * it was, in the heap and in static variables. */
#include "check.h"
#include "types.h"

typedef void put_fn(void *to, const void *from, size_t n, int pe);
typedef void ctx_put_fn(shmem_ctx_t ctx, void *to, const void *from, size_t n, int pe);

struct type {
    const char *name;
    size_t size;
    put_fn *plain[4]; /* put, put_nbi, get, get_nbi */
    ctx_put_fn *by_ctx[4];
};

#define WRAP_ONE(name, T, does, function) \
    static void does##_##name(void *to, const void *from, size_t n, int pe) \
    { \
        shmem_##function((T *)to, (const T *)from, n, pe); \
    } \
    static void ctx_##does##_##name(shmem_ctx_t ctx, void *to, const void *from, size_t n, int pe) \
    { \
        shmem_ctx_##function(ctx, (T *)to, (const T *)from, n, pe); \
    }
#define WRAP(name, T, before, after) \
    WRAP_ONE(name, T, put, before##put##after) \
    WRAP_ONE(name, T, put_nbi, before##put##after##_nbi) \
    WRAP_ONE(name, T, get, before##get##after) \
    WRAP_ONE(name, T, get_nbi, before##get##after##_nbi)
RMA_TYPES(WRAP)
RMA_SIZES(WRAP)
RMA_MEM(WRAP)

#define ROW(name, T, before, after) \
    {#name, sizeof(T), {put_##name, put_nbi_##name, get_##name, get_nbi_##name}, \
     {ctx_put_##name, ctx_put_nbi_##name, ctx_get_##name, ctx_get_nbi_##name}},
static const struct type types[] = {RMA_TYPES(ROW) RMA_SIZES(ROW) RMA_MEM(ROW)};

enum { ELEMENTS = 200, SLOTS = 4, SLOT = ELEMENTS * 16 };
static const size_t counts[SLOTS] = {0, 1, 3, ELEMENTS - 1};

static char static_source[SLOTS][SLOT], static_dest[SLOTS][SLOT];
static shmem_ctx_t ctx;

static void move(const struct type *t, int which, int by_ctx, char *to, const char *from, size_t n, int pe)
{
    if (by_ctx)
        t->by_ctx[which](ctx, to, from, n, pe);
    else
        t->plain[which](to, from, n, pe);
    if (by_ctx)
        shmem_ctx_quiet(ctx); /* a barrier completes what the default context does alone */
    else if (which == 3)
        shmem_quiet(); /* what was got is here before the barrier, too */
}

/* dest and source are symmetric. */
static void try(const struct type *t, int which, int by_ctx, char *dest, char *source, int round)
{
    int is_get = which >= 2;
    /* another peer in each round; itself, too */
    int to = right_of(round), from = is_get ? to : left_of(round);

    for (int s = 0; s < SLOTS; s++) {
        fill(source + s * SLOT, SLOT, shmem_my_pe(), round * SLOTS + s);
        memset(dest + s * SLOT, 0x5a, SLOT);
    }
    shmem_barrier_all();
    for (int s = 0; s < SLOTS; s++) /* one element further, where less aligned addresses are */
        move(t, which, by_ctx, dest + s * SLOT + t->size, source + s * SLOT, counts[s], to);
    shmem_barrier_all();
    for (int s = 0; s < SLOTS; s++) {
        char *got = dest + s * SLOT + t->size;
        size_t bytes = counts[s] * t->size;
        CHECK_OF(t->name, differs(got, bytes, from, round * SLOTS + s) < 0, which);
        CHECK_OF(t->name, is_filled(got - t->size, t->size, 0x5a), which);
        CHECK_OF(t->name, is_filled(got + bytes, SLOT - bytes - t->size, 0x5a), which);
        CHECK_OF(t->name, differs(source + s * SLOT, SLOT, shmem_my_pe(), round * SLOTS + s) < 0, which);
    }
}

/* The local side need not be symmetric. */
static void try_private(const struct type *t, char *dest, int round)
{
    char from[SLOT], to[SLOT];

    fill(from, SLOT, shmem_my_pe(), round);
    shmem_barrier_all();
    t->plain[0](dest, from, 3, right_of(1));
    memset(from, 0, sizeof from); /* a blocking put has taken it */
    shmem_barrier_all();
    CHECK_OF(t->name, differs(dest, 3 * t->size, left_of(1), round) < 0, round);
    t->plain[2](to, dest, 3, right_of(2));
    CHECK_OF(t->name, differs(to, 3 * t->size, right_of(1), round) < 0, round);
    shmem_barrier_all();
}

int main(void)
{
    int round = 0;

    shmem_init();
    char *heap = take(2 * SLOTS * SLOT);
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    for (size_t i = 0; i < COUNT(types); i++) {
        for (int which = 0; which < 4; which++) {
            try(&types[i], which, 0, heap, heap + SLOTS * SLOT, ++round);
            try(&types[i], which, 1, static_dest[0], static_source[0], ++round);
        }
        try_private(&types[i], i % 2 ? heap : static_dest[1], ++round);
    }
    shmem_ctx_destroy(ctx);
    shmem_free(heap);
    return check_end();
}
