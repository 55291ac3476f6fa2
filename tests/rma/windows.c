/* SPDX-License-Identifier: BSD-3-Clause */
/* windows.c: what windows are: attributes, names, hints, error handlers, memory (MPI 11.2). */
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
        if (size > 0)
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

static const harness_test tests[] = {
    {"described", described, NULL},
    {"attributes", attributes, NULL},
    {"handlers", handlers, NULL},
    {"shared query", shared_query, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma windows", tests);
}
