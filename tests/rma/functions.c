/* SPDX-License-Identifier: BSD-3-Clause */
/* functions.c: every function of windows at least once, with data that are checked (MPI 11). */
#include "share.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What a window is ---- */

static const int flavors[KINDS] = {MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_SHARED,
                                   MPI_WIN_FLAVOR_DYNAMIC};

static void expect_attributes(ep_win win, int kind, const void *base, MPI_Aint size, int unit)
{
    void *got_base = NULL;
    MPI_Aint *got_size = NULL;
    int *got_unit = NULL, *flavor = NULL, *model = NULL, flag = 0;
    EXPECT(EXPECT_OK(ep_win_get_attr(win, MPI_WIN_BASE, &got_base, &flag)) && flag && got_base == base);
    if (EXPECT_OK(ep_win_get_attr(win, MPI_WIN_SIZE, &got_size, &flag)) && EXPECT(flag))
        EXPECT_EQ(*got_size, size);
    if (EXPECT_OK(ep_win_get_attr(win, MPI_WIN_DISP_UNIT, &got_unit, &flag)) && EXPECT(flag))
        EXPECT_EQ(*got_unit, unit);
    if (EXPECT_OK(ep_win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag)) && EXPECT(flag))
        EXPECT_EQ(*flavor, flavors[kind]);
    if (EXPECT_OK(ep_win_get_attr(win, MPI_WIN_MODEL, &model, &flag)) && EXPECT(flag))
        EXPECT_EQ(*model, MPI_WIN_UNIFIED);
}

static void expect_name(const team_t *t, ep_win win)
{
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1;
    EXPECT_OK(ep_win_get_name(win, name, &length));
    EXPECT_STR(name, "");
    EXPECT_EQ(length, 0);
    snprintf(name, sizeof name, "window of %d", t->rank);
    EXPECT_OK(ep_win_set_name(win, name));
    memset(name, 0, sizeof name);
    EXPECT_OK(ep_win_get_name(win, name, &length));
    EXPECT_CONTAINS(name, "window of ");
    EXPECT_EQ(atoi(name + 10), t->rank);
    EXPECT_EQ(length, strlen(name));
}

static void expect_group(ep_comm comm, ep_win win)
{
    ep_group all = EP_GROUP_NULL, own = EP_GROUP_NULL;
    int same = -1;
    EXPECT_OK(ep_win_get_group(win, &all));
    EXPECT_OK(ep_comm_group(comm, &own));
    EXPECT_OK(ep_group_compare(all, own, &same));
    EXPECT_EQ(same, MPI_IDENT);
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_group_free(&own));
}

static void expect_info(ep_win win)
{
    MPI_Info info, got = MPI_INFO_NULL;
    char value[32] = "";
    int flag = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "false");
    EXPECT_OK(ep_win_set_info(win, info));
    MPI_Info_free(&info);
    if (EXPECT_OK(ep_win_get_info(win, &got)) && EXPECT(got != MPI_INFO_NULL)) {
        MPI_Info_get(got, "no_locks", (int)sizeof value - 1, value, &flag);
        EXPECT(!flag || strcmp(value, "false") == 0);
        MPI_Info_free(&got);
    }
}

static void described(team_t *t, void *arg)
{
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        /* sizes and units differ; one is 0 */
        int unit = kind == DYNAMIC ? 1 : 1 << t->rank % 4;
        MPI_Aint size = kind == DYNAMIC ? 0 : 64 * (t->rank % 3);
        char *own = xmalloc(128), *base = own;
        ep_win win = EP_WIN_NULL;
        if (kind == CREATED)
            EXPECT_OK(ep_win_create(own, size, unit, MPI_INFO_NULL, t->comm, &win));
        else if (kind == ALLOCATED)
            EXPECT_OK(ep_win_allocate(size, unit, MPI_INFO_NULL, t->comm, &base, &win));
        else if (kind == SHARED)
            EXPECT_OK(ep_win_allocate_shared(size, unit, MPI_INFO_NULL, t->comm, &base, &win));
        else
            EXPECT_OK(ep_win_create_dynamic(MPI_INFO_NULL, t->comm, &win));
        if (!EXPECT(win != EP_WIN_NULL))
            return;
        expect_attributes(win, kind, kind == DYNAMIC ? MPI_BOTTOM : base, size, unit);
        expect_name(t, win);
        expect_group(t->comm, win);
        expect_info(win);
        for (MPI_Aint i = 0; i < size && (kind == ALLOCATED || kind == SHARED); i++)
            EXPECT_EQ(base[i], 0);
        memset(base, 1, (size_t)size);
        EXPECT_OK(ep_win_free(&win));
        EXPECT(win == EP_WIN_NULL);
        free(own);
    }
}

/* ---- Attributes, error handlers, numbers of the program ---- */

static int count_delete(ep_win win, int key, void *value, void *extra)
{
    (void)win;
    (void)key;
    *(int *)value += *(int *)extra;
    return MPI_SUCCESS;
}

static void attributes(team_t *t, void *arg)
{
    int key = MPI_KEYVAL_INVALID, step = 3, deleted[2] = {0, 0}, flag = -1, *got = NULL;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, 8))
        return;
    EXPECT_OK(ep_win_create_keyval(EP_WIN_NULL_COPY_FN, count_delete, &key, &step));
    EXPECT_OK(ep_win_get_attr(a.win, key, &got, &flag));
    EXPECT_EQ(flag, 0);
    EXPECT_OK(ep_win_set_attr(a.win, key, &deleted[0]));
    EXPECT_OK(ep_win_get_attr(a.win, key, &got, &flag));
    EXPECT(flag && got == &deleted[0]);
    EXPECT_OK(ep_win_set_attr(a.win, key, &deleted[1])); /* deletes the old one */
    EXPECT_EQ(deleted[0], 3);
    EXPECT_OK(ep_win_delete_attr(a.win, key));
    EXPECT_EQ(deleted[1], 3);
    EXPECT_OK(ep_win_set_attr(a.win, key, &deleted[1]));
    EXPECT_OK(ep_win_free_keyval(&key));
    EXPECT_EQ(key, MPI_KEYVAL_INVALID);
    share_free(&a); /* so does freeing the window */
    EXPECT_EQ(deleted[1], 6);
}

static _Thread_local struct {
    int calls, code;
    ep_win win;
} seen;

static void handler_function(ep_win *win, int *code, ...)
{
    seen.calls++;
    seen.code = *code;
    seen.win = *win;
}

static void handlers(team_t *t, void *arg)
{
    ep_errhandler handler = EP_ERRHANDLER_NULL, got = EP_ERRHANDLER_NULL;
    ep_win win = EP_WIN_NULL;
    long x = 0;
    (void)arg;
    memset(&seen, 0, sizeof seen);
    EXPECT_OK(ep_win_create(&x, sizeof x, 1, MPI_INFO_NULL, t->comm, &win));
    EXPECT_OK(ep_win_get_errhandler(win, &got));
    EXPECT(got == EP_ERRORS_ARE_FATAL); /* not inherited (MPI 8.3) */
    EXPECT_OK(ep_errhandler_free(&got));
    EXPECT_OK(ep_win_create_errhandler(handler_function, &handler));
    EXPECT_OK(ep_win_set_errhandler(win, handler));
    EXPECT_OK(ep_win_get_errhandler(win, &got));
    EXPECT(got == handler);
    EXPECT_OK(ep_errhandler_free(&got));
    EXPECT_OK(ep_errhandler_free(&handler));
    EXPECT_OK(ep_win_call_errhandler(win, MPI_ERR_RMA_SYNC));
    EXPECT_EQ(seen.calls, 1);
    EXPECT_EQ(seen.code, MPI_ERR_RMA_SYNC);
    EXPECT(seen.win == win);
    EXPECT(ep_win_f2c(ep_win_c2f(win)) == win);
    EXPECT(ep_win_f2c(ep_win_c2f(EP_WIN_NULL)) == EP_WIN_NULL);
    EXPECT_OK(ep_win_free(&win));
}

/* ---- Communication, to everybody in turn ---- */

enum { SLOT = 64 }; /* bytes that an origin has at each target */

/* Call the ten functions on the slot at target, which holds 8 longs of 0. */
static void use_all(const share *a, int target)
{
    MPI_Aint at = share_at(a, target, (size_t)a->rank * SLOT);
    long v[8], got[8] = {0}, one = 1, zero = 0, old = -1;
    ep_request r[4];
    ep_win win = a->win;
    for (int i = 0; i < 8; i++)
        v[i] = 1000 * a->rank + 10 * target + i;
    EXPECT_OK(ep_put(v, 8, MPI_LONG, target, at, 8, MPI_LONG, win));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT_OK(ep_get(got, 8, MPI_LONG, target, at, 8, MPI_LONG, win));
    EXPECT_OK(ep_win_flush_local(target, win));
    EXPECT(memcmp(v, got, sizeof v) == 0);
    EXPECT_OK(ep_accumulate(v, 8, MPI_LONG, target, at, 8, MPI_LONG, MPI_SUM, win));
    EXPECT_OK(ep_get_accumulate(v, 8, MPI_LONG, got, 8, MPI_LONG, target, at, 8, MPI_LONG, MPI_PROD, win));
    EXPECT_OK(ep_win_flush_all(win));
    for (int i = 0; i < 8; i++)
        EXPECT_EQ(got[i], 2 * v[i]);
    EXPECT_OK(ep_fetch_and_op(&one, &old, MPI_LONG, target, at, MPI_SUM, win));
    EXPECT_OK(ep_win_flush_local_all(win));
    EXPECT_EQ(old, 2 * v[0] * v[0]);
    one = old + 1;
    EXPECT_OK(ep_compare_and_swap(&zero, &one, &old, MPI_LONG, target, at, win));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT_EQ(old, one);
    EXPECT_OK(ep_rput(v, 1, MPI_LONG, target, at + 8, 1, MPI_LONG, win, &r[0]));
    EXPECT_OK(ep_raccumulate(v, 1, MPI_LONG, target, at + 16, 1, MPI_LONG, MPI_REPLACE, win, &r[1]));
    EXPECT_OK(ep_rget(&got[0], 1, MPI_LONG, target, at, 1, MPI_LONG, win, &r[2]));
    EXPECT_OK(ep_rget_accumulate(NULL, 0, MPI_LONG, &got[3], 2, MPI_LONG, target, at + 24, 2, MPI_LONG,
                                 MPI_NO_OP, win, &r[3]));
    EXPECT_OK(ep_waitall(4, r, EP_STATUSES_IGNORE));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT_EQ(got[0], 0);
    EXPECT_EQ(got[3], 2 * v[3] * v[3]);
    EXPECT_EQ(got[4], 2 * v[4] * v[4]);
    EXPECT_OK(ep_get(got, 3, MPI_LONG, target, at, 3, MPI_LONG, win));
    EXPECT_OK(ep_win_flush(target, win));
    EXPECT(got[0] == 0 && got[1] == v[0] && got[2] == v[0]);
}

static void communication(team_t *t, void *arg)
{
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, (size_t)t->size * SLOT))
            return;
        for (int i = 0; i < t->size; i++) {
            int target = (t->rank + i) % t->size;
            EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, target, 0, a.win));
            use_all(&a, target);
            EXPECT_OK(ep_win_unlock(target, a.win));
        }
        EXPECT_OK(ep_win_lock_all(0, a.win));
        EXPECT_OK(ep_barrier(t->comm));
        EXPECT_OK(ep_win_sync(a.win));
        EXPECT_OK(ep_win_unlock_all(a.win));
        for (int r = 0; r < t->size; r++) {
            long v[8];
            memcpy(v, a.base + r * SLOT, sizeof v);
            long first = 1000L * r + 10 * t->rank;
            EXPECT(v[0] == 0 && v[1] == first && v[2] == first);
            EXPECT_EQ(v[7], 2 * (first + 7) * (first + 7));
        }
        share_free(&a);
    }
}

/* ---- Synchronisation: a put to the next endpoint, in each kind of epoch ---- */

enum { BY_FENCE, BY_PSCW, BY_PSCW_TEST, BY_LOCK, BY_LOCK_ALL, WAYS };

static void put_next(const share *a, int way, int value)
{
    int next = (a->rank + 1) % a->size, before = (a->rank + a->size - 1) % a->size, flag = 0;
    ep_group all, to, from;
    EXPECT_OK(ep_win_get_group(a->win, &all));
    EXPECT_OK(ep_group_incl(all, 1, &next, &to));
    EXPECT_OK(ep_group_incl(all, 1, &before, &from));
    if (way == BY_FENCE)
        EXPECT_OK(ep_win_fence(MPI_MODE_NOPRECEDE, a->win));
    else if (way == BY_LOCK)
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, next, 0, a->win));
    else if (way == BY_LOCK_ALL)
        EXPECT_OK(ep_win_lock_all(0, a->win));
    else {
        EXPECT_OK(ep_win_post(from, 0, a->win));
        EXPECT_OK(ep_win_start(to, 0, a->win));
    }
    EXPECT_OK(ep_put(&value, 1, MPI_INT, next, share_at(a, next, 0), 1, MPI_INT, a->win));
    if (way == BY_FENCE)
        EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a->win));
    else if (way == BY_LOCK)
        EXPECT_OK(ep_win_unlock(next, a->win));
    else if (way == BY_LOCK_ALL)
        EXPECT_OK(ep_win_unlock_all(a->win));
    else {
        EXPECT_OK(ep_win_complete(a->win));
        if (way == BY_PSCW)
            EXPECT_OK(ep_win_wait(a->win));
        while (way == BY_PSCW_TEST && !flag)
            EXPECT_OK(ep_win_test(a->win, &flag));
    }
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_group_free(&to));
    EXPECT_OK(ep_group_free(&from));
}

static void synchronisation(team_t *t, void *arg)
{
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, 2 * sizeof(int)))
            return;
        for (int i = 0; i < 3 * WAYS; i++) {
            put_next(&a, i % WAYS, 100 * i + t->rank);
            EXPECT_OK(ep_barrier(t->comm));
            EXPECT_EQ(*(int *)a.base, 100 * i + (t->rank + t->size - 1) % t->size);
            EXPECT_OK(ep_barrier(t->comm));
        }
        share_free(&a);
    }
}

/* ---- The rest ---- */

static void shared_query(team_t *t, void *arg)
{
    ep_win win = EP_WIN_NULL;
    MPI_Aint size = -1, mine = t->rank % 3 * 4096;
    int unit = -1, *own = NULL, *at = NULL;
    (void)arg;
    EXPECT_OK(ep_win_allocate_shared(mine, 4 << t->rank % 2, MPI_INFO_NULL, t->comm, &own, &win));
    for (int i = 0; i < mine / 4; i++)
        own[i] = 1000 * t->rank + i;
    EXPECT_OK(ep_win_fence(0, win));
    for (int r = 0; r < t->size; r++) {
        EXPECT_OK(ep_win_shared_query(win, r, &size, &unit, &at));
        EXPECT_EQ(size, r % 3 * 4096);
        EXPECT_EQ(unit, 4 << r % 2);
        for (int i = 0; i < size / 4; i += 100)
            EXPECT_EQ(at[i], 1000 * r + i);
    }
    EXPECT_OK(ep_win_shared_query(win, MPI_PROC_NULL, &size, &unit, &at)); /* the first that has memory */
    EXPECT(size == 4096 && unit == 8 && at[1023] == 2023);
    EXPECT_OK(ep_win_fence(0, win));
    EXPECT_OK(ep_win_free(&win));
}

/* Nobody is a target in each kind of epoch. */
static void nobody(team_t *t, void *arg)
{
    const int p = MPI_PROC_NULL;
    long x = 5, y = 6, z = 7;
    ep_request r[4];
    ep_status s[4];
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, 64))
        return;
    for (int way = 0; way < 2; way++) {
        EXPECT_OK(way ? ep_win_lock_all(0, a.win) : ep_win_fence(0, a.win));
        EXPECT_OK(ep_put(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, a.win));
        EXPECT_OK(ep_get(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, a.win));
        EXPECT_OK(ep_accumulate(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, MPI_SUM, a.win));
        EXPECT_OK(ep_get_accumulate(&x, 1, MPI_LONG, &y, 1, MPI_LONG, p, 0, 1, MPI_LONG, MPI_SUM, a.win));
        EXPECT_OK(ep_fetch_and_op(&x, &y, MPI_LONG, p, 0, MPI_SUM, a.win));
        EXPECT_OK(ep_compare_and_swap(&x, &y, &z, MPI_LONG, p, 0, a.win));
        EXPECT_OK(way ? ep_win_flush_all(a.win) : ep_win_fence(MPI_MODE_NOSUCCEED, a.win));
    }
    EXPECT_OK(ep_rput(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, a.win, &r[0]));
    EXPECT_OK(ep_rget(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, a.win, &r[1]));
    EXPECT_OK(ep_raccumulate(&x, 1, MPI_LONG, p, 0, 1, MPI_LONG, MPI_SUM, a.win, &r[2]));
    EXPECT_OK(ep_rget_accumulate(&x, 1, MPI_LONG, &y, 1, MPI_LONG, p, 0, 1, MPI_LONG, MPI_SUM, a.win, &r[3]));
    for (int i = 0; i < 4; i++)
        EXPECT(r[i] != EP_REQUEST_NULL);
    EXPECT_OK(ep_waitall(4, r, s));
    EXPECT_OK(ep_win_unlock_all(a.win));
    EXPECT(x == 5 && y == 6 && z == 7);
    share_free(&a);
}

static const harness_test tests[] = {
    {"described", described, NULL},
    {"attributes", attributes, NULL},
    {"handlers", handlers, NULL},
    {"communication", communication, NULL},
    {"synchronisation", synchronisation, NULL},
    {"shared query", shared_query, NULL},
    {"nobody", nobody, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma functions", tests);
}
