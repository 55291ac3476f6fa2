/* SPDX-License-Identifier: BSD-3-Clause */
/* windows.c: endpoints whose tasks share their threads access each other's windows, and wait for each other. */
#include "ends.h"

#include <stdlib.h>
#include <string.h>

#include "share.h"

enum { SMALL = 64, LARGE = 200000 };

static size_t part(const share *a)
{
    return a->bytes / (size_t)a->size;
}

/* Everybody writes its part of everybody's memory. */
static void fence(team_t *t, void *arg)
{
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        size_t size = (size_t)t->size * (kind == CREATED ? LARGE : SMALL);
        if (kind == SHARED && t->processes > 1)
            continue;
        if (!share_make(&a, t->comm, kind, size))
            return;
        size_t n = part(&a);
        char *data = xmalloc(n);
        EXPECT_OK(ep_win_fence(0, a.win));
        for (int round = 0; round < effort(10); round++) {
            fill(data, n, (unsigned)(t->rank * 100 + round));
            for (int k = 0; k < t->size; k++) {
                int to = (t->rank + k) % t->size;
                EXPECT_OK(ep_put(data, (int)n, MPI_CHAR, to, share_at(&a, to, (size_t)t->rank * n), (int)n,
                                 MPI_CHAR, a.win));
            }
            EXPECT_OK(ep_win_fence(0, a.win));
            for (int k = 0; k < t->size; k++)
                EXPECT_FILLED(a.base + (size_t)k * n, n, (unsigned)(k * 100 + round));
            EXPECT_OK(ep_win_fence(0, a.win));
        }
        free(data);
        share_free(&a);
    }
}
IN_TASKS(fence)

static ep_group group_of(const share *a, int rank)
{
    ep_group all = EP_GROUP_NULL, one = EP_GROUP_NULL;
    EXPECT_OK(ep_win_get_group(a->win, &all));
    EXPECT_OK(ep_group_incl(all, 1, &rank, &one));
    EXPECT_OK(ep_group_free(&all));
    return one;
}

/* Access to the right neighbour, exposure to the left one. Every second time the end is tested for. */
static void pscw(team_t *t, void *arg)
{
    (void)arg;
    share a;
    if (!share_make(&a, t->comm, ALLOCATED, LARGE))
        return;
    ep_group left = group_of(&a, left_of(t)), right = group_of(&a, right_of(t));
    for (int round = 0; round < effort(60); round++) {
        int n = round % 5 ? 8 : LARGE, flag = 0;
        char *data = xmalloc((size_t)n);
        fill(data, (size_t)n, (unsigned)(t->rank * 100 + round));
        EXPECT_OK(ep_win_post(left, 0, a.win));
        EXPECT_OK(ep_win_start(right, 0, a.win));
        EXPECT_OK(ep_put(data, n, MPI_CHAR, right_of(t), share_at(&a, right_of(t), 0), n, MPI_CHAR, a.win));
        EXPECT_OK(ep_win_complete(a.win));
        while (round % 2 && !flag)
            EXPECT_OK(ep_win_test(a.win, &flag));
        if (!flag)
            EXPECT_OK(ep_win_wait(a.win));
        EXPECT_FILLED(a.base, (size_t)n, (unsigned)(left_of(t) * 100 + round));
        free(data);
    }
    EXPECT_OK(ep_group_free(&left));
    EXPECT_OK(ep_group_free(&right));
    share_free(&a);
}
IN_TASKS(pscw)

/* Everybody wants the same lock; who has it reads, lets others run, and writes. */
static void locks(team_t *t, void *arg)
{
    (void)arg;
    share a;
    int rounds = effort(40);
    long value;
    if (!share_make(&a, t->comm, CREATED, 2 * sizeof(long)))
        return;
    for (int i = 0; i < rounds; i++) {
        int at = i % t->size;
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, at, 0, a.win));
        EXPECT_OK(ep_get(&value, 1, MPI_LONG, at, share_at(&a, at, 0), 1, MPI_LONG, a.win));
        EXPECT_OK(ep_win_flush(at, a.win));
        linger(&t->random, 3);
        value++;
        EXPECT_OK(ep_put(&value, 1, MPI_LONG, at, share_at(&a, at, 0), 1, MPI_LONG, a.win));
        EXPECT_OK(ep_win_unlock(at, a.win));
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, at, 0, a.win));
        add(&a, at, sizeof(long), 1);
        linger(&t->random, 2);
        EXPECT_OK(ep_win_unlock(at, a.win));
    }
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_win_lock_all(0, a.win));
    for (int at = 0; at < t->size; at++) {
        int times = rounds / t->size + (at < rounds % t->size);
        EXPECT_EQ(look(&a, at, 0), times * t->size);
        EXPECT_EQ(look(&a, at, sizeof(long)), times * t->size);
    }
    EXPECT_OK(ep_win_unlock_all(a.win));
    share_free(&a);
}
IN_TASKS(locks)

/* Loops that look until others, on the same thread, have done something: a barrier of counters, and a ring in which a
 * number goes round by compare and swap. */
static void spinning(team_t *t, void *arg)
{
    (void)arg;
    share a;
    int rounds = effort(40);
    if (!share_make(&a, t->comm, ALLOCATED, 2 * sizeof(long)))
        return;
    EXPECT_OK(ep_win_lock_all(0, a.win));
    for (int i = 1; i <= rounds; i++) {
        int at = i % t->size, times = i / t->size + (at > 0);
        add(&a, at, 0, 1);
        while (look(&a, at, 0) < (long)times * t->size) {
        }
        EXPECT(look(&a, at, 0) <= (long)times * t->size);
    }
    for (long i = 0; i < rounds; i++) {
        long from = i * t->size + t->rank, to = from + 1, seen = -1;
        while (seen != from) {
            EXPECT_OK(
                ep_compare_and_swap(&to, &from, &seen, MPI_LONG, 0, share_at(&a, 0, sizeof(long)), a.win));
            EXPECT_OK(ep_win_flush(0, a.win));
        }
    }
    EXPECT_OK(ep_win_unlock_all(a.win));
    share_free(&a);
}
IN_TASKS(spinning)

/* Operations with requests that other tasks of the endpoint wait for. */
static void requests(team_t *t, void *arg)
{
    (void)arg;
    enum { K = 8 };
    share a;
    int to = right_of(t);
    if (!share_make(&a, t->comm, CREATED, (size_t)K * LARGE))
        return;
    EXPECT_OK(ep_win_lock_all(0, a.win));
    for (int round = 0; round < effort(6); round++) {
        char *data = xmalloc((size_t)K * LARGE);
        for (int k = 0; k < K; k++) {
            int n = k % 2 ? LARGE : 8;
#pragma omp task firstprivate(k, n)
            {
                ep_request r;
                char *mine = data + (size_t)k * LARGE;
                MPI_Aint there = share_at(&a, to, (size_t)k * LARGE);
                fill(mine, (size_t)n, (unsigned)(t->rank * 1000 + round * K + k));
                EXPECT_OK(ep_rput(mine, n, MPI_CHAR, to, there, n, MPI_CHAR, a.win, &r));
                EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
                EXPECT_OK(ep_win_flush(to, a.win));
                memset(mine, 0, (size_t)n);
                EXPECT_OK(ep_rget(mine, n, MPI_CHAR, to, there, n, MPI_CHAR, a.win, &r));
                for (int flag = 0; k % 4 == 3 && !flag;)
                    EXPECT_OK(ep_test(&r, &flag, EP_STATUS_IGNORE));
                EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
                EXPECT_FILLED(mine, (size_t)n, (unsigned)(t->rank * 1000 + round * K + k));
            }
        }
#pragma omp taskwait
        free(data);
    }
    EXPECT_OK(ep_win_unlock_all(a.win));
    share_free(&a);
}
IN_TASKS(requests)

/* Several windows at once, each in a task of every endpoint, which are created in different orders: made, used, freed. */
static void side_by_side(team_t *t, void *arg)
{
    (void)arg;
    enum { WINS = 4 };
    ep_comm comms[WINS];
    for (int i = 0; i < WINS; i++)
        EXPECT_OK(ep_comm_dup(t->comm, &comms[i]));
    for (int k = 0; k < WINS; k++) {
        int i = t->rank % 2 ? k : WINS - 1 - k;
#pragma omp task firstprivate(i)
        for (int round = 0; round < effort(6); round++) {
            share a;
            if (!share_make(&a, comms[i], i == SHARED && t->processes > 1 ? CREATED : i, 1000))
                break;
            EXPECT_OK(ep_win_fence(MPI_MODE_NOPRECEDE, a.win));
            EXPECT_OK(
                ep_put(&t->rank, 1, MPI_INT, right_of(t), share_at(&a, right_of(t), 0), 1, MPI_INT, a.win));
            EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a.win));
            EXPECT_EQ(*(int *)(void *)a.base, left_of(t));
            EXPECT_OK(ep_barrier(comms[i]));
            EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, a.win));
            add(&a, 0, 8, 1);
            EXPECT_OK(ep_win_unlock(0, a.win));
            EXPECT_OK(ep_barrier(comms[i]));
            if (t->rank == 0)
                EXPECT_EQ(*(long *)(void *)(a.base + 8), t->size);
            share_free(&a);
        }
    }
#pragma omp taskwait
    for (int i = 0; i < WINS; i++)
        EXPECT_OK(ep_comm_free(&comms[i]));
}
IN_TASKS(side_by_side)

static const harness_test tests[] = {
    {"fence", NULL, fence_in_tasks},       {"pscw", NULL, pscw_in_tasks},
    {"locks", NULL, locks_in_tasks},       {"spinning", NULL, spinning_in_tasks},
    {"requests", NULL, requests_in_tasks}, {"side_by_side", NULL, side_by_side_in_tasks}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: windows", tests);
}
