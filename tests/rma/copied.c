/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copied.c: memory of created windows in other processes, which the kernel copies without a call of the target's.
 *
 * Catches: what is put beside the window's ends; displacement units of another rank; windows that lie over each other and are
 * taken for one; memory that the kernel does not copy; targets that would have to make a call; a flush after which
 * an accumulate and a put or get are still in no order.
 */
#include "share.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- Ends ---- */

enum { GUARD = 32, UNITS = 6 };

/* Each rank has another unit and another size: UNITS units. */
static int unit_of(int rank)
{
    static const int units[] = {1, 8, 3, 4096};
    return units[rank % 4];
}

static void put_beyond(ep_win win, int target, MPI_Aint disp, int bytes)
{
    char data[8192] = {0};
    int rc = ep_put(data, bytes, MPI_BYTE, target, disp, bytes, MPI_BYTE, win);
    EXPECT_RC(rc, disp < 0 ? MPI_ERR_DISP : MPI_ERR_RMA_RANGE);
    rc = ep_get(data, bytes, MPI_BYTE, target, disp, bytes, MPI_BYTE, win);
    EXPECT_RC(rc, disp < 0 ? MPI_ERR_DISP : MPI_ERR_RMA_RANGE);
}

static void use_ends(ep_win win, int target, unsigned key)
{
    int unit = unit_of(target), all = UNITS * unit;
    char *sent = xmalloc((size_t)all), *got = xmalloc((size_t)all);
    fill(sent, (size_t)all, key);
    EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
    put_beyond(win, target, UNITS, 1);
    put_beyond(win, target, UNITS - 1, unit + 1);
    put_beyond(win, target, -1, 1);
    EXPECT_OK(ep_put(NULL, 0, MPI_BYTE, target, UNITS, 0, MPI_BYTE, win));
    EXPECT_OK(ep_get(NULL, 0, MPI_BYTE, target, UNITS, 0, MPI_BYTE, win));
    EXPECT_OK(ep_put(sent, all, MPI_BYTE, target, 0, all, MPI_BYTE, win));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT_OK(ep_get(got, all, MPI_BYTE, target, 0, all, MPI_BYTE, win));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT_FILLED(got, (size_t)all, key);
    EXPECT_OK(ep_put(sent, unit, MPI_BYTE, target, UNITS - 1, unit, MPI_BYTE, win));
    EXPECT_OK(ep_get(got, unit, MPI_BYTE, target, 1, unit, MPI_BYTE, win));
    EXPECT_OK(ep_win_unlock(target, win));
    EXPECT(memcmp(got, sent + unit, (size_t)unit) == 0);
    free(sent);
    free(got);
}

static void ends(team_t *t, void *arg)
{
    int unit = unit_of(t->rank);
    size_t bytes = (size_t)(UNITS * unit);
    char *memory = xmalloc(bytes + 2 * GUARD), *base = memory + GUARD, first[4096];
    ep_win win;
    (void)arg;
    memset(memory, 0x5a, bytes + 2 * GUARD);
    if (!EXPECT_OK(ep_win_create(base, (MPI_Aint)bytes, unit, MPI_INFO_NULL, t->comm, &win)))
        return;
    EXPECT_OK(ep_win_set_errhandler(win, EP_ERRORS_RETURN));
    for (int i = 0; i < t->size; i++)
        use_ends(win, (t->rank + i) % t->size, 100 + (unsigned)t->rank);
    EXPECT_OK(ep_win_free(&win));
    for (int i = 0; i < GUARD; i++)
        EXPECT(memory[i] == 0x5a && base[bytes + (size_t)i] == 0x5a);
    memcpy(first, base, (size_t)unit); /* whoever was the last put it at both ends */
    EXPECT(memcmp(first, base + bytes - (size_t)unit, (size_t)unit) == 0);
    free(memory);
}

/* ---- Windows over each other ---- */

/* Three over the same memory: all of it, its second half, and the same bytes in longs from the middle of the first half on. */
static void over(team_t *t, void *arg)
{
    enum { LONGS = 1024 };
    long *memory = xmalloc(LONGS * sizeof *memory), got;
    static const struct {
        int first, n, unit;
    } part[] = {{0, LONGS, sizeof(long)}, {LONGS / 2, LONGS / 2, 1}, {LONGS / 4, LONGS / 2, sizeof(long)}};
    ep_win win[3];
    (void)arg;
    memset(memory, 0, LONGS * sizeof *memory);
    for (int k = 0; k < 3; k++)
        if (!EXPECT_OK(ep_win_create(memory + part[k].first, part[k].n * (MPI_Aint)sizeof *memory,
                                     part[k].unit, MPI_INFO_NULL, t->comm, &win[k])))
            return;
    int next = (t->rank + 1) % t->size;
    for (long at = 0; at < LONGS; at += 31)
        for (int k = 0; k < 3; k++) {
            long in = at - part[k].first, value = at * 8 + k;
            MPI_Aint disp = in * (MPI_Aint)sizeof value / part[k].unit;
            if (in < 0 || in >= part[k].n)
                continue;
            EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win[k]));
            EXPECT_OK(ep_put(&value, 1, MPI_LONG, next, disp, 1, MPI_LONG, win[k]));
            EXPECT_OK(ep_win_unlock(next, win[k]));
            EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, next, 0, win[0]));
            EXPECT_OK(ep_get(&got, 1, MPI_LONG, next, at, 1, MPI_LONG, win[0]));
            EXPECT_OK(ep_win_unlock(next, win[0]));
            EXPECT_EQ(got, value);
        }
    for (int k = 0; k < 3; k++)
        EXPECT_OK(ep_win_free(&win[k]));
    for (long at = 0; at < LONGS; at++)
        EXPECT_EQ(at % 31 ? 0 : memory[at] / 8, at % 31 ? 0 : at);
    free(memory);
}

/* ---- Memory that the kernel does not copy ---- */

/* NULL: there is none on this system. */
static long *secret_memory(size_t bytes)
{
#ifdef SYS_memfd_secret
    int fd = (int)syscall(SYS_memfd_secret, 0);
    if (fd < 0)
        return NULL;
    void *at = ftruncate(fd, (off_t)bytes) ? MAP_FAILED
                                           : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return at == MAP_FAILED ? NULL : at;
#else
    (void)bytes;
    return NULL;
#endif
}

/* Exposed, and as origin. */
static void secret(team_t *t, void *arg)
{
    enum { BYTES = 4 << 12, LONGS = BYTES / sizeof(long) };
    long *exposed = secret_memory(BYTES), *own = secret_memory(BYTES), *at = exposed;
    int next = (t->rank + 1) % t->size;
    ep_win win;
    (void)arg;
    if (!exposed || !own)
        at = xmalloc(BYTES);
    long *from = at == exposed ? own : xmalloc(BYTES);
    for (int i = 0; i < LONGS; i++)
        from[i] = 1000 * t->rank + i;
    if (!EXPECT_OK(ep_win_create(at, BYTES, sizeof(long), MPI_INFO_NULL, t->comm, &win)))
        return;
    for (int n = 1; n <= LONGS; n += n < LONGS / 2 ? 301 : LONGS / 2) {
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win));
        EXPECT_OK(ep_put(from, n, MPI_LONG, next, 0, n, MPI_LONG, win));
        EXPECT_OK(ep_win_flush(next, win));
        memset(from, 0, (size_t)n * sizeof *from);
        EXPECT_OK(ep_get(from, n, MPI_LONG, next, 0, n, MPI_LONG, win));
        EXPECT_OK(ep_win_unlock(next, win));
        for (int i = 0; i < n; i++)
            EXPECT_EQ(from[i], 1000 * t->rank + i);
    }
    EXPECT_OK(ep_win_free(&win));
    if (at != exposed) {
        free(at);
        free(from);
    }
    if (exposed)
        munmap(exposed, BYTES);
    if (own)
        munmap(own, BYTES);
}

/* ---- Targets that make no call ---- */

/* Not for ever: who has given up makes calls, and all come to an end. */
static int see(_Atomic long *word, long value)
{
    time_t end = time(NULL) + 40;
    while (atomic_load(word) != value && time(NULL) < end)
        sched_yield();
    return atomic_load(word) == value;
}

static void tell(const share *a, int target)
{
    long got = 0, value = 2;
    EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a->win));
    EXPECT_OK(ep_get(&got, 1, MPI_LONG, target, share_at(a, target, 0), 1, MPI_LONG, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    EXPECT_EQ(got, 1);
    EXPECT_OK(ep_put(&value, 1, MPI_LONG, target, share_at(a, target, 0), 1, MPI_LONG, a->win));
    EXPECT_OK(ep_win_unlock(target, a->win));
}

/* Rank 0 looks at what the others have written, and answers. */
static void computing(team_t *t, void *arg)
{
    (void)arg;
    for (int kind = CREATED; kind <= SHARED; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, sizeof(long)))
            return;
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, t->rank, 0, a.win));
        atomic_store((_Atomic long *)a.base, 1);
        EXPECT_OK(ep_win_unlock(t->rank, a.win));
        EXPECT_OK(ep_barrier(t->comm));
        for (int r = 1; r < t->size && t->rank == 0; r++)
            tell(&a, r);
        if (t->rank > 0)
            EXPECT(see((_Atomic long *)a.base, 2));
        share_free(&a);
    }
}

/* ---- Order ---- */

/* One word of each origin's at the target, changed by accumulates, puts and gets with a flush after each. */
static void order(team_t *t, void *arg)
{
    int n = times(t, 400);
    (void)arg;
    for (int kind = CREATED; kind <= DYNAMIC; kind++) {
        share a;
        size_t at = (size_t)t->rank * sizeof(long);
        int target = (t->rank + t->size / 2) % t->size;
        long expected = 0;
        if (!share_make(&a, t->comm, kind, (size_t)t->size * sizeof(long)))
            return;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 0; i < n; i++) {
            MPI_Aint disp = share_at(&a, target, at);
            long value = random_below(&t->random, 1000), got = -1;
            int what = random_below(&t->random, 4);
            if (what == 0)
                EXPECT_OK(ep_put(&value, 1, MPI_LONG, target, disp, 1, MPI_LONG, a.win));
            else if (what == 1)
                EXPECT_OK(ep_accumulate(&value, 1, MPI_LONG, target, disp, 1, MPI_LONG, MPI_SUM, a.win));
            else if (what == 2)
                EXPECT_OK(ep_accumulate(&value, 1, MPI_LONG, target, disp, 1, MPI_LONG, MPI_REPLACE, a.win));
            else
                EXPECT_OK(ep_get(&got, 1, MPI_LONG, target, disp, 1, MPI_LONG, a.win));
            if (value % 2 || what == 3)
                EXPECT_OK(ep_win_flush(target, a.win));
            else
                EXPECT_OK(ep_win_flush_all(a.win));
            expected = what == 1 ? expected + value : what == 3 ? expected : value;
            if (what == 3)
                EXPECT_EQ(got, expected);
        }
        EXPECT_OK(ep_win_unlock_all(a.win));
        share_free(&a);
    }
}

static const harness_test tests[] = {
    {"ends", ends, NULL},           {"over", over, NULL},   {"secret", secret, NULL},
    {"computing", computing, NULL}, {"order", order, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma copied", tests);
}
