/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sums.c: atomic operations of all endpoints on all endpoints at the same time, near and far, with the owner's own C11
 * atomics among them (MPI 11.7.1).
 *
 * Catches: updates that are lost between any two paths to one memory: near and far origins, two windows over one memory,
 * two endpoints that expose one array, an operation and the user's own atomics. A window per origin lost 7-9 % of them.
 */
#include "share.h"
#include <complex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 250 }; /* of what each endpoint does to each other, in the shape 1x4 */

/* Everybody adds to everybody's counter of each type. What is fetched rises. */
typedef struct {
    _Atomic int i;
    _Atomic float f;
    _Atomic long l;
    _Atomic double d;
    _Atomic short s;
    _Atomic unsigned char c;
} counters;

static void add_all(const share *a, int target, long *last)
{
    const struct {
        size_t at;
        MPI_Datatype type;
    } kinds[] = {{offsetof(counters, i), MPI_INT},   {offsetof(counters, f), MPI_FLOAT},
                 {offsetof(counters, l), MPI_LONG},  {offsetof(counters, d), MPI_DOUBLE},
                 {offsetof(counters, s), MPI_SHORT}, {offsetof(counters, c), MPI_UNSIGNED_CHAR}};
    const int i = 1;
    const float f = 1;
    const long l = 1;
    const double d = 1;
    const short s = 1;
    const unsigned char c = 1;
    const void *one[] = {&i, &f, &l, &d, &s, &c};
    char old[6][8];
    for (int k = 0; k < 6; k++)
        EXPECT_OK(ep_fetch_and_op(one[k], old[k], kinds[k].type, target, share_at(a, target, kinds[k].at),
                                  MPI_SUM, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    long now;
    memcpy(&now, old[2], sizeof now);
    EXPECT(now > *last);
    *last = now;
}

static void add_own(counters *own)
{
    atomic_fetch_add(&own->i, 1);
    atomic_fetch_add(&own->l, 1);
    atomic_fetch_add(&own->s, 1);
    atomic_fetch_add(&own->c, 1);
    double d = atomic_load(&own->d);
    while (!atomic_compare_exchange_weak(&own->d, &d, d + 1)) {
    }
    float f = atomic_load(&own->f);
    while (!atomic_compare_exchange_weak(&own->f, &f, f + 1)) {
    }
}

static void expect_counters(const counters *c, long n)
{
    EXPECT_EQ(atomic_load(&c->i), n);
    EXPECT_EQ(atomic_load(&c->f), n);
    EXPECT_EQ(atomic_load(&c->l), n);
    EXPECT_EQ(atomic_load(&c->d), n);
    EXPECT_EQ(atomic_load(&c->s), (short)n);
    EXPECT_EQ(atomic_load(&c->c), (unsigned char)n);
}

static void counting(team_t *t, void *arg)
{
    int n = times(t, SMALL);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, sizeof(counters)))
            return;
        long *last = xmalloc((size_t)t->size * sizeof *last);
        for (int r = 0; r < t->size; r++)
            last[r] = -1;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 0; i < n; i++)
            for (int k = 0; k < t->size; k++) {
                int target = (t->rank + k) % t->size;
                add_all(&a, target, &last[target]);
                add_own((counters *)a.base);
            }
        EXPECT_OK(ep_win_unlock_all(a.win));
        EXPECT_OK(ep_barrier(t->comm));
        expect_counters((counters *)a.base, 2L * n * t->size);
        free(last);
        share_free(&a);
    }
}

/* Arrays of doubles, some of several messages' size, with and without fetching. */
static void arrays(team_t *t, void *arg)
{
    enum { LENGTH = 3000 };
    int n = times(t, 12);
    double *ones = xmalloc(LENGTH * sizeof *ones), *old = xmalloc(LENGTH * sizeof *old);
    (void)arg;
    for (int i = 0; i < LENGTH; i++)
        ones[i] = 1;
    for (int kind = 0; kind < DYNAMIC; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, LENGTH * sizeof(double)))
            return;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 0; i < n; i++)
            for (int target = 0; target < t->size; target++) {
                int length = 1 << 2 * ((i + target) % 6), from = LENGTH - length;
                EXPECT_OK(ep_accumulate(ones, LENGTH, MPI_DOUBLE, target, share_at(&a, target, 0), LENGTH,
                                        MPI_DOUBLE, MPI_SUM, a.win));
                EXPECT_OK(ep_get_accumulate(ones, length, MPI_DOUBLE, old, length, MPI_DOUBLE, target,
                                            share_at(&a, target, (size_t)from * 8), length, MPI_DOUBLE,
                                            MPI_NO_OP, a.win));
                EXPECT_OK(ep_win_flush(target, a.win));
                for (int k = 0; k < length; k++)
                    EXPECT(old[k] >= i + 1 && old[k] <= n * t->size && old[k] == (int)old[k]);
            }
        EXPECT_OK(ep_win_unlock_all(a.win));
        EXPECT_OK(ep_barrier(t->comm));
        for (int k = 0; k < LENGTH; k++)
            EXPECT(((double *)a.base)[k] == n * t->size);
        share_free(&a);
    }
    free(ones);
    free(old);
}

/* Elements that no processor changes at once: both halves of a complex number are always the same; the index of a
 * maximum belongs to it; a misaligned long counts. */
typedef struct {
    double complex z[3];
    struct {
        double value;
        int index;
    } best;
    char misaligned[1 + sizeof(long)];
} odd_ones;

static void odd(team_t *t, void *arg)
{
    int n = times(t, 100);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, sizeof(odd_ones)))
            return;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 0; i < n * t->size; i++) {
            int target = (t->rank + i) % t->size;
            double complex z[3] = {1 + I, 2 + 2 * I, 3 + 3 * I}, old[3];
            struct {
                double value;
                int index;
            } mine = {(i * 7919 + t->rank) % 10007, (i * 7919 + t->rank) % 10007 * 2};
            EXPECT_OK(ep_get_accumulate(z, 3, MPI_C_DOUBLE_COMPLEX, old, 3, MPI_C_DOUBLE_COMPLEX, target,
                                        share_at(&a, target, 0), 3, MPI_C_DOUBLE_COMPLEX, MPI_SUM, a.win));
            EXPECT_OK(ep_accumulate(&mine, 1, MPI_DOUBLE_INT, target,
                                    share_at(&a, target, offsetof(odd_ones, best)), 1, MPI_DOUBLE_INT,
                                    MPI_MAXLOC, a.win));
            add(&a, target, offsetof(odd_ones, misaligned) + 1, 1);
            for (int k = 0; k < 3; k++)
                EXPECT(creal(old[k]) == cimag(old[k]));
        }
        EXPECT_OK(ep_win_unlock_all(a.win));
        EXPECT_OK(ep_barrier(t->comm));
        odd_ones *own = (odd_ones *)a.base;
        long count;
        memcpy(&count, own->misaligned + 1, sizeof count);
        EXPECT_EQ(count, n * t->size);
        for (int k = 0; k < 3; k++)
            EXPECT(own->z[k] == n * t->size * (k + 1) * (1 + I));
        EXPECT_EQ(own->best.index, 2 * (int)own->best.value);
        share_free(&a);
    }
}

/* The endpoints of a process expose one array, in two windows, in parts that overlap. Runs of elements are atomic with
 * C11 atomics where the window was made for that. */
static void overlapping(team_t *t, void *arg)
{
    enum { LONGS = 8 };
    static _Atomic long array[LONGS];
    int n = times(t, 400);
    ep_win win[2];
    MPI_Info info;
    (void)arg;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_c11_atomics", "true");
    if (t->index == 0)
        memset(array, 0, sizeof array);
    team_barrier(t);
    EXPECT_OK(ep_win_create(array, sizeof array, sizeof(long), info, t->comm, &win[0]));
    EXPECT_OK(ep_win_create(array + 1, sizeof array - 2 * sizeof(long), 1, MPI_INFO_NULL, t->comm, &win[1]));
    MPI_Info_free(&info);
    EXPECT_OK(ep_win_lock_all(0, win[0]));
    EXPECT_OK(ep_win_lock_all(0, win[1]));
    for (int i = 0; i < n; i++)
        for (int target = 0; target < t->size; target++) {
            long one = 1, two[2] = {1, 1}, old;
            EXPECT_OK(ep_fetch_and_op(&one, &old, MPI_LONG, target, 2, MPI_SUM, win[0]));
            EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, target, 8, 1, MPI_LONG, MPI_SUM, win[1]));
            EXPECT_OK(ep_accumulate(two, 2, MPI_LONG, target, 1, 2, MPI_LONG, MPI_SUM, win[0]));
            EXPECT_OK(ep_win_flush(target, win[0]));
            atomic_fetch_add(&array[2], 1);
        }
    EXPECT_OK(ep_win_unlock_all(win[1]));
    EXPECT_OK(ep_win_unlock_all(win[0]));
    EXPECT_OK(ep_barrier(t->comm));
    long all = (long)n * t->size * t->local;
    EXPECT_EQ(array[0], 0);
    EXPECT_EQ(array[1], all);
    EXPECT_EQ(array[2], 4 * all);
    EXPECT_EQ(array[3], 0);
    EXPECT_OK(ep_win_free(&win[0]));
    EXPECT_OK(ep_win_free(&win[1]));
}

/* Many operators on one long at once: the end is one that some order of them gives. */
static void mixed(team_t *t, void *arg)
{
    int n = times(t, 200);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind += 2) {
        share a;
        long bit = 1L << t->rank % 48, all = 0, max = n, old = 0, got = -1;
        if (!share_make(&a, t->comm, kind, 4 * sizeof(long)))
            return;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 1; i <= n; i++)
            for (int target = 0; target < t->size; target++) {
                long value = i;
                EXPECT_OK(ep_accumulate(&bit, 1, MPI_LONG, target, share_at(&a, target, 0), 1, MPI_LONG,
                                        i % 2 ? MPI_BXOR : MPI_BOR, a.win));
                EXPECT_OK(ep_accumulate(&value, 1, MPI_LONG, target, share_at(&a, target, 8), 1, MPI_LONG,
                                        MPI_MAX, a.win));
                do { /* + 1, as a program would that has no sum */
                    old = look(&a, target, 16);
                    value = old + 1;
                    EXPECT_OK(ep_compare_and_swap(&value, &old, &got, MPI_LONG, target,
                                                  share_at(&a, target, 16), a.win));
                    EXPECT_OK(ep_win_flush(target, a.win));
                } while (got != old);
            }
        EXPECT_OK(ep_win_unlock_all(a.win));
        EXPECT_OK(ep_barrier(t->comm));
        long *own = (long *)a.base;
        for (int r = 0; r < t->size; r++)
            all |= 1L << r % 48;
        EXPECT_EQ(own[0] & ~all, 0);
        if (n % 2 == 0 && t->size <= 48)
            EXPECT_EQ(own[0], all); /* each ends with its OR, and touches its own bit alone */
        EXPECT_EQ(own[1], max);
        EXPECT_EQ(own[2], (long)n * t->size);
        share_free(&a);
    }
}

static const harness_test tests[] = {
    {"counting", counting, NULL},       {"arrays", arrays, NULL}, {"odd", odd, NULL},
    {"overlapping", overlapping, NULL}, {"mixed", mixed, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma sums", tests);
}
