/* SPDX-License-Identifier: BSD-3-Clause */
/* One element: p and g of all types, plain and by a context, to and from all PEs. */
#include "check.h"
#include "types.h"

struct type {
    const char *name;
    size_t size, bytes; /* bytes: those of a value; the others of a long double are not copied */
    void (*p)(void *to, const void *from, int pe), (*ctx_p)(shmem_ctx_t ctx, void *to, const void *from, int pe);
    void (*g)(void *to, const void *from, int pe), (*ctx_g)(shmem_ctx_t ctx, void *to, const void *from, int pe);
};

#define WRAP(name, T, before, after) \
    static void p_##name(void *to, const void *from, int pe) \
    { \
        shmem_##before##p((T *)to, *(const T *)from, pe); \
    } \
    static void ctx_p_##name(shmem_ctx_t ctx, void *to, const void *from, int pe) \
    { \
        shmem_ctx_##before##p(ctx, (T *)to, *(const T *)from, pe); \
    } \
    static void g_##name(void *to, const void *from, int pe) \
    { \
        *(T *)to = shmem_##before##g((const T *)from, pe); \
    } \
    static void ctx_g_##name(shmem_ctx_t ctx, void *to, const void *from, int pe) \
    { \
        *(T *)to = shmem_ctx_##before##g(ctx, (const T *)from, pe); \
    }
RMA_TYPES(WRAP)

#define ROW(name, T, before, after) \
    {#name, sizeof(T), sizeof(T) == sizeof(long double) ? 10 : sizeof(T), p_##name, ctx_p_##name, g_##name, ctx_g_##name},
static const struct type types[] = {RMA_TYPES(ROW)};

enum { ROOM = 64 * 16 };
static _Alignas(16) char dest[ROOM], source[ROOM];

/* Floating values, whose bits must be valid ones: not what pattern makes of bytes. */
static void fill_values(const struct type *t, char *at, size_t n, int pe, int round)
{
    fill(at, n * t->size, pe, round);
    for (size_t i = 0; i < n && strstr(t->name, "float"); i++)
        ((float *)at)[i] = (float)(pattern(pe, i, round) >> 40);
    for (size_t i = 0; i < n && strcmp(t->name, "double") == 0; i++)
        ((double *)at)[i] = (double)(pattern(pe, i, round) >> 12);
    for (size_t i = 0; i < n && strstr(t->name, "longdouble"); i++)
        ((long double *)at)[i] = (long double)pattern(pe, i, round);
}

static void check_value(const struct type *t, const char *got, size_t index, int pe, int round)
{
    _Alignas(16) char want[ROOM];

    fill_values(t, want, index + 1, pe, round);
    CHECK_OF(t->name, memcmp(got, want + index * t->size, t->bytes) == 0, index);
}

int main(void)
{
    shmem_ctx_t ctx;

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    for (int k = 0; k < (int)COUNT(types); k++) {
        const struct type *t = &types[k];
        _Alignas(16) char one[16];
        fill_values(t, source, (size_t)n, me, k);
        memset(dest, 0, sizeof dest);
        shmem_barrier_all();
        for (int pe = 0; pe < n; pe++) { /* my element of each */
            if (pe % 2)
                t->p(dest + (size_t)me * t->size, source + (size_t)pe * t->size, pe);
            else
                t->ctx_p(ctx, dest + (size_t)me * t->size, source + (size_t)pe * t->size, pe);
        }
        shmem_ctx_quiet(ctx);
        shmem_barrier_all();
        for (int pe = 0; pe < n; pe++)
            check_value(t, dest + (size_t)pe * t->size, (size_t)me, pe, k);
        CHECK_OF(t->name, is_filled(dest + (size_t)n * t->size, sizeof dest - (size_t)n * t->size, 0), k);
        for (int pe = 0; pe < n; pe++) {
            t->g(one, source + (size_t)me * t->size, pe);
            check_value(t, one, (size_t)me, pe, k);
            t->ctx_g(ctx, one, source + (size_t)me * t->size, pe);
            check_value(t, one, (size_t)me, pe, k);
        }
        shmem_barrier_all();
    }
    shmem_ctx_destroy(ctx);
    return check_end();
}
