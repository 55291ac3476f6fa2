/* SPDX-License-Identifier: BSD-3-Clause */
/* all, any, some: waits and tests for several variables of all types, with and without a status array, with one value and with a vector of
 * them. Local answers first; then for what others write. */
#include "check.h"
#include "types.h"

enum { N = 9 };
typedef unsigned long long bits;

struct type {
    const char *name;
    void *words;
    size_t size;
    void (*set)(size_t i, int value);
    void (*p)(size_t i, int value, int pe);
    /* how: ALL, ANY, SOME; value NULL: a vector of those of `values` */
    size_t (*wait)(int how, size_t n, size_t *indices, const int *status, int cmp, const int *values, int vector);
    size_t (*test)(int how, size_t n, size_t *indices, const int *status, int cmp, const int *values, int vector);
};

enum { ALL, ANY, SOME };

#define DEFINE(name, T, before, after) \
    static T words_##name[N]; \
    static void set_##name(size_t i, int value) \
    { \
        words_##name[i] = (T)value; \
    } \
    static void p_##name(size_t i, int value, int pe) \
    { \
        shmem_##name##_p(&words_##name[i], (T)value, pe); \
    } \
    static size_t wait_##name(int how, size_t n, size_t *indices, const int *status, int cmp, const int *values, int vector) \
    { \
        T v[N], *w = words_##name; \
        for (int i = 0; i < N; i++) \
            v[i] = (T)values[i]; \
        switch (how * 2 + vector) { \
        case ALL * 2: shmem_##name##_wait_until_all(w, n, status, cmp, v[0]); return 0; \
        case ALL * 2 + 1: shmem_##name##_wait_until_all_vector(w, n, status, cmp, v); return 0; \
        case ANY * 2: return shmem_##name##_wait_until_any(w, n, status, cmp, v[0]); \
        case ANY * 2 + 1: return shmem_##name##_wait_until_any_vector(w, n, status, cmp, v); \
        case SOME * 2: return shmem_##name##_wait_until_some(w, n, indices, status, cmp, v[0]); \
        default: return shmem_##name##_wait_until_some_vector(w, n, indices, status, cmp, v); \
        } \
    } \
    static size_t test_##name(int how, size_t n, size_t *indices, const int *status, int cmp, const int *values, int vector) \
    { \
        T v[N], *w = words_##name; \
        for (int i = 0; i < N; i++) \
            v[i] = (T)values[i]; \
        switch (how * 2 + vector) { \
        case ALL * 2: return (size_t)shmem_##name##_test_all(w, n, status, cmp, v[0]); \
        case ALL * 2 + 1: return (size_t)shmem_##name##_test_all_vector(w, n, status, cmp, v); \
        case ANY * 2: return shmem_##name##_test_any(w, n, status, cmp, v[0]); \
        case ANY * 2 + 1: return shmem_##name##_test_any_vector(w, n, status, cmp, v); \
        case SOME * 2: return shmem_##name##_test_some(w, n, indices, status, cmp, v[0]); \
        default: return shmem_##name##_test_some_vector(w, n, indices, status, cmp, v); \
        } \
    }
WAIT_TYPES(DEFINE)
#define ROW(name, T, before, after) {#name, words_##name, sizeof(T), set_##name, p_##name, wait_##name, test_##name},
static const struct type types[] = {WAIT_TYPES(ROW)};

/* The indices are those of `want`'s bits, each once. */
static void check_some(const struct type *t, const size_t *indices, size_t count, bits want)
{
    bits seen = 0;

    for (size_t i = 0; i < count; i++) {
        CHECK_OF(t->name, indices[i] < N && (want >> indices[i] & 1) && !(seen >> indices[i] & 1), indices[i]);
        seen |= 1ull << indices[i];
    }
    CHECK_OF(t->name, count == 0 || seen == want, seen);
}

/* The words hold where `holding` has a bit; those with a bit in `excluded` do not count. */
static void answers(const struct type *t, bits holding, bits excluded, int with_status, int vector)
{
    int status[N], values[N];
    size_t indices[N];
    bits counted = ((1ull << N) - 1) & (with_status ? ~excluded : ~0ull), want = holding & counted;

    for (size_t i = 0; i < N; i++) {
        status[i] = excluded >> i & 1 ? 1 + (int)i : 0;
        values[i] = vector ? 10 + 3 * (int)i : 10;
        t->set(i, holding >> i & 1 ? values[i] : values[i] + 1);
    }
    const int *s = with_status ? status : NULL;
    int cmp = counted % 2 ? SHMEM_CMP_EQ : SHMEM_CMP_LE;
    CHECK_OF(t->name, t->test(ALL, N, NULL, s, cmp, values, vector) == (want == counted), vector);
    size_t one = t->test(ANY, N, NULL, s, cmp, values, vector);
    CHECK_OF(t->name, want ? one < N && (want >> one & 1) : one == SIZE_MAX, one);
    size_t some = t->test(SOME, N, indices, s, cmp, values, vector);
    CHECK_OF(t->name, some == (size_t)__builtin_popcountll(want), some);
    check_some(t, indices, some, want);
    if (want || !counted) {
        one = t->wait(ANY, N, NULL, s, cmp, values, vector);
        CHECK_OF(t->name, want ? one < N && (want >> one & 1) : one == SIZE_MAX, one);
        some = t->wait(SOME, N, indices, s, cmp, values, vector);
        CHECK_OF(t->name, some == (size_t)__builtin_popcountll(want), some);
        check_some(t, indices, some, want);
    }
    if (want == counted)
        t->wait(ALL, N, NULL, s, cmp, values, vector);
}

/* Of none: at once. */
static void nothing(const struct type *t, int vector)
{
    int values[N] = {12345};
    size_t indices[N];

    CHECK_OF(t->name, t->test(ALL, 0, NULL, NULL, SHMEM_CMP_EQ, values, vector) == 1, vector);
    CHECK_OF(t->name, t->test(ANY, 0, NULL, NULL, SHMEM_CMP_EQ, values, vector) == SIZE_MAX, vector);
    CHECK_OF(t->name, t->test(SOME, 0, indices, NULL, SHMEM_CMP_EQ, values, vector) == 0, vector);
    CHECK_OF(t->name, t->wait(ANY, 0, NULL, NULL, SHMEM_CMP_EQ, values, vector) == SIZE_MAX, vector);
    CHECK_OF(t->name, t->wait(SOME, 0, indices, NULL, SHMEM_CMP_EQ, values, vector) == 0, vector);
    t->wait(ALL, 0, NULL, NULL, SHMEM_CMP_EQ, values, vector);
}

/* The left one writes one word after the other, in an order of its own; each is taken once. */
static void arrivals(const struct type *t, int how, int vector, int round)
{
    int status[N] = {0}, values[N];
    size_t indices[N], taken = 0;

    for (size_t i = 0; i < N; i++) {
        values[i] = vector ? 20 + (int)i : 20;
        t->set(i, 0);
    }
    shmem_barrier_all();
    for (size_t k = 0; k < N; k++) {
        size_t i = (k * 4 + (size_t)round) % N;
        t->p(i, values[i], right_of(1));
        if (k % 4 == 3)
            shmem_quiet();
    }
    if (how == ALL) {
        t->wait(ALL, N, NULL, NULL, SHMEM_CMP_EQ, values, vector);
        while (t->test(ALL, N, NULL, NULL, SHMEM_CMP_EQ, values, vector) != 1)
            rest();
    } else {
        while (taken < N) {
            size_t count = 1;
            if (round % 2 == 0 && how == ANY) {
                while ((indices[0] = t->test(ANY, N, NULL, status, SHMEM_CMP_EQ, values, vector)) == SIZE_MAX)
                    rest();
            } else if (how == ANY) {
                indices[0] = t->wait(ANY, N, NULL, status, SHMEM_CMP_EQ, values, vector);
            } else if (round % 2 == 0) {
                while ((count = t->test(SOME, N, indices, status, SHMEM_CMP_EQ, values, vector)) == 0)
                    rest();
            } else {
                count = t->wait(SOME, N, indices, status, SHMEM_CMP_EQ, values, vector);
            }
            CHECK_OF(t->name, count >= 1 && taken + count <= N, count);
            taken += count;
            for (size_t i = 0; i < count; i++) {
                CHECK_OF(t->name, indices[i] < N && status[indices[i]] == 0, indices[i]);
                status[indices[i]] = 1;
            }
        }
        CHECK_OF(t->name, t->wait(ANY, N, NULL, status, SHMEM_CMP_EQ, values, vector) == SIZE_MAX, how);
    }
    shmem_barrier_all();
}

int main(void)
{
    static const bits sets[] = {0, 0x1ff, 1, 0x100, 0x0aa, 0x155, 0x0f0};

    shmem_init();
    for (size_t k = 0; k < COUNT(types); k++)
        for (int vector = 0; vector < 2; vector++) {
            for (size_t h = 0; h < COUNT(sets); h++)
                for (size_t e = 0; e < COUNT(sets); e++)
                    for (int with_status = 0; with_status < 2; with_status++)
                        answers(&types[k], sets[h], sets[e], with_status, vector);
            nothing(&types[k], vector);
            for (int how = ALL; how <= SOME; how++)
                arrivals(&types[k], how, vector, (int)k + how);
        }
    return check_end();
}
