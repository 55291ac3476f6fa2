/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * whole.c: accumulates of several elements that lie together at the target, up to 64 bytes, are done at once (docs/rma.md), also
 * where the origin's memory is scattered, and with operations on single elements between them; long ones keep each element
 * whole.
 *
 * Catches: torn reads and writes (one atomic operation for each element gave 2 % of torn reads), updates lost between a run that is
 * changed with plain stores and an atomic operation on one of its elements.
 */
#include "share.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, ROOM = 4096 };

/* ---- replaced and looked at ---- */

static const struct {
    const char *name;
    MPI_Datatype type;
    int bytes;
} types[] = {{"byte", MPI_BYTE, 1},
             {"short", MPI_SHORT, 2},
             {"int", MPI_INT, 4},
             {"float", MPI_FLOAT, 4},
             {"double", MPI_DOUBLE, 8},
             {"two ints", MPI_2INT, 8},
             {"complex", MPI_C_DOUBLE_COMPLEX, 16}};
enum { TYPES = sizeof types / sizeof types[0] };

/* Every second element of twice as much memory. */
static MPI_Datatype scattered(MPI_Datatype type, int count)
{
    MPI_Datatype v;
    MPI_Type_vector(count, 1, 2, type, &v);
    MPI_Type_commit(&v);
    return v;
}

static int uniform(const char *p, int first, int step, int width, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < width; k++)
            if (p[i * step + k] != (char)first)
                return 0;
    return 1;
}

/* All bytes of the run are what one call wrote. */
static void replace_and_look(const share *a, int target, int type, int count, MPI_Datatype v, int i)
{
    char from[2 * MOST], to[2 * MOST];
    size_t at = (size_t)(count * 8 * 37 % (ROOM - 2 * MOST)) / 8 * 8 + (size_t)(type % 2) * 3;
    MPI_Datatype t = types[type].type;
    int width = types[type].bytes, part = i % 3 == 2 ? 2 : 1; /* now and then scattered */
    memset(from, 1 + (a->rank * 31 + i) % 100, sizeof from);
    memset(to, 0, sizeof to);
    MPI_Aint there = share_at(a, target, at);
    EXPECT_OK(ep_accumulate(from, part == 2 ? 1 : count, part == 2 ? v : t, target, there, count, t,
                            MPI_REPLACE, a->win));
    EXPECT_OK(ep_get_accumulate(NULL, 0, MPI_BYTE, to, part == 2 ? 1 : count, part == 2 ? v : t, target,
                                there, count, t, MPI_NO_OP, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    expect_true(uniform(to, to[0], part * width, width, count) && to[0] != 0, types[type].name, "torn",
                count);
}

static void replaced(team_t *t, void *arg)
{
    int n = times(t, t->local == t->size ? 1500 : 32); /* near ones are over before others come */
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, ROOM))
            return;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int type = 0; type < TYPES; type++)
            for (int count = 2; count * types[type].bytes <= MOST; count += 1 + count / 3) {
                MPI_Datatype v = scattered(types[type].type, count);
                for (int i = 0; i < n; i++)
                    replace_and_look(&a, i % 4 == 3 ? t->size - 1 : 0, type, count, v, i);
                MPI_Type_free(&v);
                EXPECT_OK(ep_barrier(t->comm)); /* one type at a time */
            }
        EXPECT_OK(ep_win_unlock_all(a.win));
        share_free(&a);
    }
}

/* ---- whole runs and single elements together ---- */

enum { LONGS = MOST / (int)sizeof(long) };

/* All add one to each of the run; the first element is also counted up alone, the last by compare and swap. */
static void count_up(const share *a, int target, long *own_parts)
{
    const long one[LONGS] = {1, 1, 1, 1, 1, 1, 1, 1};
    long old[LONGS], seen, next, got;
    EXPECT_OK(ep_get_accumulate(one, LONGS, MPI_LONG, old, LONGS, MPI_LONG, target, share_at(a, target, 0),
                                LONGS, MPI_LONG, MPI_SUM, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    for (int k = 2; k < LONGS - 1; k++)
        EXPECT_EQ(old[k], old[1]);
    EXPECT(old[0] >= old[1] && old[LONGS - 1] >= old[1]);
    add(a, target, 0, 1);
    got = look(a, target, (LONGS - 1) * sizeof(long));
    do {
        seen = got;
        next = seen + 1;
        EXPECT_OK(ep_compare_and_swap(&next, &seen, &got, MPI_LONG, target,
                                      share_at(a, target, (LONGS - 1) * sizeof(long)), a->win));
        EXPECT_OK(ep_win_flush(target, a->win));
    } while (got != seen);
    ++*own_parts;
}

static void together(team_t *t, void *arg)
{
    int n = times(t, 200);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        long parts = 0;
        if (!share_make(&a, t->comm, kind, MOST))
            return;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 0; i < n; i++)
            for (int target = 0; target < t->size; target++)
                count_up(&a, target, &parts);
        EXPECT_OK(ep_win_unlock_all(a.win));
        EXPECT_OK(ep_barrier(t->comm));
        const long *own = (const long *)(void *)a.base;
        for (int k = 0; k < LONGS; k++)
            EXPECT_EQ(own[k], (long)n * t->size * (k == 0 || k == LONGS - 1 ? 2 : 1));
        EXPECT_EQ(parts, (long)n * t->size);
        share_free(&a);
    }
}

/* ---- long runs ---- */

enum { DOUBLES = 3000 };

/* Nothing is lost between long sums and single ones. */
static void long_runs(team_t *t, void *arg)
{
    int n = times(t, 30);
    double *ones = xmalloc(DOUBLES * sizeof *ones), one = 1, old;
    (void)arg;
    for (int i = 0; i < DOUBLES; i++)
        ones[i] = 1;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, DOUBLES * sizeof(double)))
            return;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 0; i < n; i++)
            for (int target = 0; target < t->size; target++) {
                if ((i + t->rank) % 2)
                    EXPECT_OK(ep_accumulate(ones, DOUBLES, MPI_DOUBLE, target, share_at(&a, target, 0),
                                            DOUBLES, MPI_DOUBLE, MPI_SUM, a.win));
                else
                    for (size_t k = 0; k < DOUBLES; k++)
                        if (k % 25 == 0)
                            EXPECT_OK(ep_fetch_and_op(&one, &old, MPI_DOUBLE, target,
                                                      share_at(&a, target, k * sizeof one), MPI_SUM, a.win));
                EXPECT_OK(ep_win_flush(target, a.win));
            }
        EXPECT_OK(ep_win_unlock_all(a.win));
        EXPECT_OK(ep_barrier(t->comm));
        long runs = 0, singles = 0;
        for (int r = 0; r < t->size; r++)
            for (int i = 0; i < n; i++)
                (i + r) % 2 ? runs++ : singles++;
        for (int k = 0; k < DOUBLES; k++)
            EXPECT(((double *)(void *)a.base)[k] == (double)(runs + (k % 25 ? 0 : singles)));
        share_free(&a);
    }
    free(ones);
}

static const harness_test tests[] = {
    {"replaced", replaced, NULL}, {"together", together, NULL}, {"long_runs", long_runs, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma whole", tests);
}
