/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data.c: what is put, got and accumulated is there, byte by byte, and nothing else is: sizes around all limits, odd
 * offsets, types that differ at both ends, all operators. MPI_Pack, MPI_Unpack and MPI_Reduce_local say what is right.
 */
#include "share.h"
#include <stdlib.h>
#include <string.h>

/* ---- Sizes ---- */

enum { GUARD = 64, KEY_AROUND = 77, BIG = 4 << 20 };

static void there_and_back(const share *a, int target, size_t n, unsigned key, char *buf)
{
    size_t at = GUARD + key % 13;
    EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a->win));
    fill(buf + key % 7, n, key);
    EXPECT_OK(
        ep_put(buf + key % 7, (int)n, MPI_BYTE, target, share_at(a, target, at), (int)n, MPI_BYTE, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    memset(buf, 0, n + 16);
    EXPECT_OK(
        ep_get(buf + key % 5, (int)n, MPI_BYTE, target, share_at(a, target, at), (int)n, MPI_BYTE, a->win));
    EXPECT_OK(ep_win_unlock(target, a->win));
    EXPECT_FILLED(buf + key % 5, n, key);
    for (int i = 0; i < 5; i++)
        EXPECT(buf[i] == 0 || i >= (int)(key % 5));
    EXPECT_EQ(buf[key % 5 + n], 0);
}

/* Only the n bytes at `at` of own memory have changed. */
static void expect_own(const share *a, size_t at, size_t n, unsigned key, const char *before)
{
    EXPECT_FILLED(a->base + at, n, key);
    EXPECT(memcmp(a->base, before, at) == 0);
    EXPECT(memcmp(a->base + at + n, before + at + n, a->bytes - at - n) == 0);
}

static void one_size(team_t *t, share *a, size_t n, unsigned key, char *buf, char *before)
{
    fill(a->base, a->bytes, KEY_AROUND + key);
    memcpy(before, a->base, a->bytes);
    EXPECT_OK(ep_barrier(t->comm));
    there_and_back(a, (t->rank + 1) % t->size, n, key, buf);
    EXPECT_OK(ep_barrier(t->comm));
    expect_own(a, GUARD + key % 13, n, key, before);
    EXPECT_OK(ep_barrier(t->comm));
}

static void sizes(team_t *t, void *arg)
{
    static const size_t list[] = {0,    1,    3,     8,     17,    1000,  4095,  8103,   8191,
                                  8192, 8193, 16385, 32768, 65535, 65536, 65537, 100001, 300000};
    enum { COUNT = sizeof list / sizeof *list, MOST = 300000 + 2 * GUARD };
    char *buf = xmalloc(MOST), *before = xmalloc(MOST);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, MOST))
            return;
        for (int i = 0; i < COUNT; i++)
            one_size(t, &a, list[i], (unsigned)(19 * i + kind), buf, before);
        share_free(&a);
    }
    free(buf);
    free(before);
}

static void four_mib(team_t *t, void *arg)
{
    char *buf = xmalloc(BIG + GUARD), *before = xmalloc(BIG + 2 * GUARD);
    (void)arg;
    for (int kind = 0; kind <= DYNAMIC && t->size <= 5; kind += DYNAMIC) {
        share a;
        if (!share_make(&a, t->comm, kind, BIG + 2 * GUARD))
            return;
        one_size(t, &a, BIG, (unsigned)(5 + kind), buf, before);
        one_size(t, &a, BIG - 1, (unsigned)(11 + kind), buf, before);
        share_free(&a);
    }
    free(buf);
    free(before);
}

/* ---- Types: two of one signature, of `n` basic elements that fit into SPAN bytes ---- */

enum { SPAN = 40000, TYPES = 8 };

static MPI_Datatype make_type(int which, int n, MPI_Datatype basic)
{
    MPI_Datatype type, inner;
    MPI_Aint extent, lb;
    int half[2] = {n / 3, n - n / 3}, at[2] = {2 * n / 3 + 1, 0}, sizes[2] = {n + 3, 2}, subs[2] = {n, 1},
        starts[2] = {2, 1};
    MPI_Type_get_extent(basic, &lb, &extent);
    switch (which) {
    case 0:
        MPI_Type_contiguous(n, basic, &type);
        break;
    case 1:
        MPI_Type_vector(n, 1, 2, basic, &type);
        break;
    case 2:
        MPI_Type_indexed(2, half, at, basic, &type);
        break;
    case 3: /* the second part comes first in memory; and the first one is at an odd place */
        MPI_Type_create_hindexed(2, half, (MPI_Aint[]){(half[1] + 3) * extent, 0}, basic, &type);
        break;
    case 4:
        MPI_Type_create_subarray(2, sizes, subs, starts, MPI_ORDER_C, basic, &type);
        break;
    case 5: /* backwards */
        MPI_Type_create_hvector(n, 1, -2 * extent, basic, &inner);
        MPI_Type_create_struct(1, (int[]){1}, (MPI_Aint[]){2 * n * extent}, &inner, &type);
        MPI_Type_free(&inner);
        break;
    case 6: /* one block, but not at the beginning */
        MPI_Type_create_hindexed(1, &n, (MPI_Aint[]){24}, basic, &type);
        break;
    default:
        MPI_Type_contiguous(n, basic, &inner);
        MPI_Type_create_resized(inner, -8, (n + 5) * extent, &type);
        MPI_Type_free(&inner);
    }
    MPI_Type_commit(&type);
    return type;
}

/* The n elements of one of these in `buf`, packed, or the other way round. */
static void pack(char *buf, MPI_Datatype type, char *packed, int back)
{
    int at = 0;
    if (back)
        MPI_Unpack(packed, SPAN, &at, buf, 1, type, MPI_COMM_SELF);
    else
        MPI_Pack(buf, 1, type, packed, SPAN, &at, MPI_COMM_SELF);
}

typedef struct {
    char mine[SPAN], theirs[SPAN], got[SPAN], model[SPAN], packed[SPAN], packed_there[SPAN];
} workspace;

/* Put, accumulate and get between a type here and one there; w->theirs is what the target's memory is like. */
static void try_types(const share *a, int target, workspace *w, MPI_Datatype here, MPI_Datatype there,
                      MPI_Datatype basic, int n)
{
    MPI_Aint at = share_at(a, target, 0);
    EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, target, 0, a->win));
    EXPECT_OK(ep_put(w->mine, 1, here, target, at, 1, there, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    pack(w->mine, here, w->packed, 0);
    pack(w->theirs, there, w->packed, 1);
    EXPECT_OK(ep_get_accumulate(w->mine, 1, here, w->got, 1, here, target, at, 1, there, MPI_SUM, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    pack(w->model, here, w->packed, 1); /* it was what had been put */
    EXPECT(memcmp(w->got, w->model, SPAN) == 0);
    memcpy(w->packed_there, w->packed, SPAN);
    MPI_Reduce_local(w->packed, w->packed_there, n, basic, MPI_SUM);
    pack(w->theirs, there, w->packed_there, 1);
    EXPECT_OK(ep_get(w->got, 1, here, target, at, 1, there, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    pack(w->model, here, w->packed_there, 1);
    EXPECT(memcmp(w->got, w->model, SPAN) == 0);
    EXPECT_OK(ep_get(w->got, SPAN, MPI_BYTE, target, at, SPAN, MPI_BYTE, a->win));
    EXPECT_OK(ep_win_unlock(target, a->win));
    EXPECT(memcmp(w->got, w->theirs, SPAN) == 0);
    memset(w->got, 0, SPAN);
    memset(w->model, 0, SPAN);
}

/* Small ones, so that sums are exact. */
static void make_numbers(char *to, MPI_Datatype basic, int key)
{
    for (int i = 0; i < SPAN; i++) {
        int value = (i + key) % 100;
        if (basic == MPI_DOUBLE && i < SPAN / (int)sizeof(double))
            ((double *)(void *)to)[i] = value;
        else if (basic == MPI_INT && i < SPAN / (int)sizeof(int))
            ((int *)(void *)to)[i] = value;
        else if (basic == MPI_SHORT && i < SPAN / (int)sizeof(short))
            ((short *)(void *)to)[i] = (short)value;
        else if (basic == MPI_UNSIGNED_CHAR)
            to[i] = (char)value;
    }
}

static void types(team_t *t, void *arg)
{
    static const MPI_Datatype basics[] = {MPI_INT, MPI_DOUBLE, MPI_SHORT, MPI_UNSIGNED_CHAR};
    static const int counts[] = {1, 5, 100, 2000};
    int target = (t->rank + 1) % t->size, pairs = t->size > 4 ? TYPES : TYPES * TYPES;
    workspace *w = calloc(1, sizeof *w);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, SPAN))
            return;
        memset(w, 0, sizeof *w);
        for (int i = 0; i < pairs; i++) {
            MPI_Datatype basic = basics[(i + kind) % 4];
            int n = counts[i % 5 % 4];
            MPI_Datatype here = make_type(i % TYPES, n, basic),
                         there = make_type((i / TYPES + i) % TYPES, n, basic);
            make_numbers(w->mine, basic, i);
            try_types(&a, target, w, here, there, basic, n);
            MPI_Type_free(&here);
            MPI_Type_free(&there);
        }
        EXPECT_OK(ep_barrier(t->comm));
        share_free(&a);
    }
    free(w);
}

/* Several elements of a type on one side, basic ones on the other; nothing at all. */
static void counts(team_t *t, void *arg)
{
    int target = (t->rank + t->size - 1) % t->size, v[12], got[12] = {0};
    MPI_Datatype pair, none;
    (void)arg;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_commit(&none);
    for (int i = 0; i < 12; i++)
        v[i] = 100 * t->rank + i;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, sizeof v))
            return;
        MPI_Aint at = share_at(&a, target, 0), end = share_at(&a, target, sizeof v);
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a.win));
        EXPECT_OK(ep_put(v, 6, MPI_INT, target, at, 3, pair, a.win)); /* to 0 2 3 5 6 8 */
        EXPECT_OK(ep_put(NULL, 0, MPI_INT, target, at, 0, pair, a.win));
        EXPECT_OK(ep_put(v, 4, none, target, at, 0, MPI_INT, a.win));
        EXPECT_OK(ep_put(NULL, 0, MPI_INT, target, end, 0, MPI_INT, a.win));
        EXPECT_OK(ep_accumulate(NULL, 0, MPI_INT, target, at, 0, MPI_INT, MPI_SUM, a.win));
        EXPECT_OK(
            ep_get_accumulate(NULL, 0, MPI_INT, NULL, 0, MPI_INT, target, at, 0, MPI_INT, MPI_SUM, a.win));
        EXPECT_OK(ep_win_flush(target, a.win));
        EXPECT_OK(ep_get(got, 3, pair, target, at, 6, MPI_INT, a.win));
        EXPECT_OK(ep_win_unlock(target, a.win));
        EXPECT(got[0] == v[0] && got[2] == 0 && got[3] == v[1] && got[5] == v[2] && got[6] == 0 &&
               got[8] == v[3]);
        EXPECT_OK(ep_barrier(t->comm));
        EXPECT_EQ(((int *)a.base)[8], 100 * ((t->rank + 1) % t->size) + 5);
        EXPECT_EQ(((int *)a.base)[1], 0);
        share_free(&a);
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&none);
}

static const harness_test tests[] = {
    {"sizes", sizes, NULL},
    {"4 MiB", four_mib, NULL},
    {"types", types, NULL},
    {"counts", counts, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma data", tests);
}
