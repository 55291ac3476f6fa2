/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared.c: memory that all endpoints of a machine load and store, near and in other processes (MPI 11.2.3), together with the
 * operations of windows on it.
 *
 * Catches: memory that is not where it is said to be, atomic operations that processes do not do on the same memory, or
 * under locks of their own.
 */
#include "share.h"
#include <complex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static char *memory_of(ep_win win, int rank)
{
    char *at = NULL;
    MPI_Aint size;
    int unit;
    EXPECT_OK(ep_win_shared_query(win, rank, &size, &unit, &at));
    return at;
}

/* One behind the other, or each on a page of its own. */
static void layout(team_t *t, void *arg)
{
    static const int sizes[] = {100, 0, 4096, 1, 12345};
    MPI_Info apart;
    (void)arg;
    MPI_Info_create(&apart);
    MPI_Info_set(apart, "alloc_shared_noncontig", "true");
    for (int contiguous = 0; contiguous < 2; contiguous++) {
        MPI_Aint mine = sizes[t->rank % 5];
        char *own = NULL, *end = NULL;
        ep_win win = EP_WIN_NULL;
        EXPECT_OK(ep_win_allocate_shared(mine, 1, contiguous ? MPI_INFO_NULL : apart, t->comm, &own, &win));
        EXPECT(own == memory_of(win, t->rank));
        for (int r = 0; r < t->size && contiguous; r++) {
            char *at = memory_of(win, r);
            EXPECT(!end || sizes[r % 5] == 0 || at == end);
            end = sizes[r % 5] ? at + sizes[r % 5] : end;
        }
        EXPECT(contiguous || mine == 0 || (uintptr_t)own % 4096 == 0);
        fill(own, (size_t)mine, (unsigned)t->rank);
        EXPECT_OK(ep_win_fence(0, win));
        for (int r = 0; r < t->size; r++) {
            EXPECT((memory_of(win, r) == NULL) == (sizes[r % 5] == 0)); /* none is nowhere */
            EXPECT_FILLED(memory_of(win, r), (size_t)sizes[r % 5], (unsigned)r);
        }
        EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, win));
        EXPECT_OK(ep_win_free(&win));
    }
    MPI_Info_free(&apart);
}

/* Everybody adds to everybody's: by C11 atomics, by operations, in turns. The striped ones keep to their own kind. */
static void atomics(team_t *t, void *arg)
{
    typedef struct {
        _Atomic long sum;
        _Atomic int bits;
        double complex z;
    } cell;
    int n = times(t, 400);
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, SHARED, sizeof(cell)))
        return;
    EXPECT_OK(ep_win_lock_all(0, a.win));
    for (int i = 0; i < n; i++)
        for (int r = 0; r < t->size; r++) {
            int target = (t->rank + r) % t->size, bit = 1 << t->rank % 30;
            cell *c = (cell *)(void *)memory_of(a.win, target);
            double complex z = 1 - 2 * I;
            atomic_fetch_add(&c->sum, 1);
            add(&a, target, offsetof(cell, sum), 1);
            atomic_fetch_xor(&c->bits, bit);
            EXPECT_OK(ep_accumulate(&bit, 1, MPI_INT, target, share_at(&a, target, offsetof(cell, bits)), 1,
                                    MPI_INT, MPI_BXOR, a.win));
            EXPECT_OK(ep_accumulate(&z, 1, MPI_C_DOUBLE_COMPLEX, target,
                                    share_at(&a, target, offsetof(cell, z)), 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM,
                                    a.win));
            EXPECT_OK(ep_win_flush_local(target, a.win));
        }
    EXPECT_OK(ep_win_unlock_all(a.win));
    EXPECT_OK(ep_barrier(t->comm));
    cell *own = (cell *)(void *)a.base;
    EXPECT_EQ(own->sum, 2L * n * t->size);
    EXPECT_EQ(own->bits, 0);
    EXPECT(own->z == n * t->size * (1 - 2 * I));
    share_free(&a);
}

/* Loads and stores of others' memory under its lock. They are atomic ones, of no order, since a lock that goes by way of
 * another process is nothing that the thread sanitizer could see. */
static void locked(team_t *t, void *arg)
{
    enum { LONGS = 100 };
    int n = times(t, 300);
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, SHARED, LONGS * sizeof(long)))
        return;
    for (int i = 0; i < n; i++) {
        int target = random_below(&t->random, t->size), writes = random_below(&t->random, 2);
        _Atomic long *v = (_Atomic long *)(void *)memory_of(a.win, target);
        EXPECT_OK(ep_win_lock(writes ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target, 0, a.win));
        long first = atomic_load_explicit(&v[0], memory_order_relaxed);
        for (int k = LONGS - 1; k >= 0; k--) {
            EXPECT_EQ(atomic_load_explicit(&v[k], memory_order_relaxed), first);
            if (writes)
                atomic_store_explicit(&v[k], first + 1, memory_order_relaxed);
        }
        EXPECT_OK(ep_win_unlock(target, a.win));
    }
    EXPECT_OK(ep_barrier(t->comm));
    share_free(&a);
}

/* A message passes from one to the next by stores and a flag (MPI 11.4, 11.7: win_sync). */
static void flags(team_t *t, void *arg)
{
    enum { LONGS = 64 };
    int laps = times(t, 50), next = (t->rank + 1) % t->size;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, SHARED, (LONGS + 1) * sizeof(long)))
        return;
    long *own = (long *)(void *)a.base, *there = (long *)(void *)memory_of(a.win, next);
    EXPECT_OK(ep_win_lock_all(MPI_MODE_NOCHECK, a.win));
    for (long lap = 1; lap <= laps; lap++) {
        while (t->rank && atomic_load((_Atomic long *)own) != lap)
            EXPECT_OK(ep_win_sync(a.win));
        for (int i = 1; i <= LONGS && t->rank; i++)
            EXPECT_EQ(own[i], lap * i + t->rank - 1);
        for (int i = 1; i <= LONGS; i++)
            there[i] = lap * i + t->rank;
        EXPECT_OK(ep_win_sync(a.win));
        atomic_store((_Atomic long *)there, lap);
        while (t->rank == 0 && atomic_load((_Atomic long *)own) != lap)
            EXPECT_OK(ep_win_sync(a.win));
    }
    EXPECT_OK(ep_win_unlock_all(a.win));
    share_free(&a);
}

static const harness_test tests[] = {
    {"layout", layout, NULL},
    {"atomics", atomics, NULL},
    {"locked", locked, NULL},
    {"flags", flags, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma shared", tests);
}
