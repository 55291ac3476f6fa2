/* SPDX-License-Identifier: BSD-3-Clause */
/* put_signal of all types, sizes and bytes, blocking and not, plain and by a context, with both operations: who sees the signal sees the
 * data. */
#include "check.h"
#include "types.h"

typedef void signal_fn(void *to, const void *from, size_t n, uint64_t *sig, uint64_t signal, int op, int pe);
typedef void ctx_signal_fn(shmem_ctx_t ctx, void *to, const void *from, size_t n, uint64_t *sig, uint64_t signal, int op, int pe);

struct type {
    const char *name;
    size_t size;
    signal_fn *plain[2]; /* blocking, not */
    ctx_signal_fn *by_ctx[2];
};

#define WRAP_ONE(name, T, does, function) \
    static void does##_##name(void *to, const void *from, size_t n, uint64_t *sig, uint64_t signal, int op, int pe) \
    { \
        shmem_##function((T *)to, (const T *)from, n, sig, signal, op, pe); \
    } \
    static void ctx_##does##_##name(shmem_ctx_t ctx, void *to, const void *from, size_t n, uint64_t *sig, uint64_t signal, int op, \
                                    int pe) \
    { \
        shmem_ctx_##function(ctx, (T *)to, (const T *)from, n, sig, signal, op, pe); \
    }
#define WRAP(name, T, before, after) \
    WRAP_ONE(name, T, put, before##put##after##_signal) \
    WRAP_ONE(name, T, put_nbi, before##put##after##_signal_nbi)
RMA_TYPES(WRAP)
RMA_SIZES(WRAP)
RMA_MEM(WRAP)

#define ROW(name, T, before, after) {#name, sizeof(T), {put_##name, put_nbi_##name}, {ctx_put_##name, ctx_put_nbi_##name}},
static const struct type types[] = {RMA_TYPES(ROW) RMA_SIZES(ROW) RMA_MEM(ROW)};

enum { ELEMENTS = 50, ROOM = ELEMENTS * 16 };
static char static_dest[2][ROOM], source[ROOM];
static uint64_t set_here, added_here;
static shmem_ctx_t ctx;

/* From the left; the answer says that the next may overwrite it. */
static void try(const struct type *t, int which, char *dest, int round)
{
    static uint64_t answer;
    size_t n = (size_t)(round * 7) % (ELEMENTS + 1); /* 0, too: a signal alone */
    int adds = round % 3 == 0;
    uint64_t *sig = adds ? &added_here : &set_here;
    uint64_t signal = adds ? 1 : pattern(left_of(1), 0, round), mine = adds ? 1 : pattern(shmem_my_pe(), 0, round);
    static uint64_t added;

    fill(source, sizeof source, shmem_my_pe(), round);
    if (which < 2)
        t->plain[which](dest, source, n, sig, mine, adds ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET, right_of(1));
    else
        t->by_ctx[which - 2](ctx, dest, source, n, sig, mine, adds ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET, right_of(1));
    added += (uint64_t)adds;
    uint64_t want = adds ? added : signal;
    CHECK_OF(t->name, shmem_signal_wait_until(sig, SHMEM_CMP_EQ, want) == want, round);
    CHECK_OF(t->name, shmem_signal_fetch(sig) == want, round);
    CHECK_OF(t->name, differs(dest, n * t->size, left_of(1), round) < 0, round);
    shmem_uint64_p(&answer, (uint64_t)round, left_of(1));
    shmem_uint64_wait_until(&answer, SHMEM_CMP_GE, (uint64_t)round);
    if (which < 2)
        shmem_quiet(); /* source is used again */
    else
        shmem_ctx_quiet(ctx);
}

int main(void)
{
    int round = 0;

    shmem_init();
    char *heap = take(ROOM);
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    shmem_barrier_all();
    for (size_t k = 0; k < COUNT(types); k++)
        for (int which = 0; which < 4; which++) {
            try(&types[k], which, heap, ++round);
            try(&types[k], which, static_dest[1], ++round);
        }
    shmem_ctx_destroy(ctx);
    shmem_free(heap);
    return check_end();
}
