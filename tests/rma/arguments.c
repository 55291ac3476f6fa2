/* SPDX-License-Identifier: BSD-3-Clause */
/* arguments.c: wrong arguments of window functions give MPI's error class and a message that names the call and the argument;
 * the window goes on as if nothing had been. What is wrong with the making of a window is everybody's error. */
#include "harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refused(team_t *t, int rc, int want, const char *call, const char *part)
{
    char text[MPI_MAX_ERROR_STRING] = "", endpoint[32];
    int length;
    if (!EXPECT_RC(rc, want))
        return;
    EXPECT_OK(ep_error_string(rc, text, &length));
    snprintf(endpoint, sizeof endpoint, "endpoint %d of %d", t->rank, t->size);
    EXPECT_CONTAINS(text, call);
    EXPECT_CONTAINS(text, part);
    EXPECT_CONTAINS(text, endpoint);
}

/* Of one long, 0 at first. */
static ep_win new_window(team_t *t, long *at)
{
    ep_win win = EP_WIN_NULL;
    *at = 0;
    if (EXPECT_OK(ep_win_create(at, sizeof *at, sizeof *at, MPI_INFO_NULL, t->comm, &win)))
        EXPECT_OK(ep_win_set_errhandler(win, EP_ERRORS_RETURN));
    return win;
}

/* ---- making ---- */

enum { SIZE, UNIT, BASE, WRONGS };

/* One endpoint is wrong, in each of the ways; all are told. */
static void making(team_t *t, void *arg)
{
    static const struct {
        int class;
        const char *part;
    } wrong[] = {{MPI_ERR_SIZE, "size"}, {MPI_ERR_DISP, "disp_unit"}, {MPI_ERR_ARG, "base"}};
    long x = 0, *base = &x;
    ep_win win = EP_WIN_NULL;
    ep_comm none = EP_COMM_NULL;
    (void)arg;
    for (int i = 0; i < WRONGS; i++) {
        int me = t->rank == i % t->size;
        MPI_Aint size = me && i == SIZE ? -8 : 8;
        int unit = me && i == UNIT ? 0 : 1, rc;
        win = (ep_win)&x;
        rc = ep_win_create(me && i == BASE ? NULL : &x, size, unit, MPI_INFO_NULL, t->comm, &win);
        if (me)
            refused(t, rc, wrong[i].class, "ep_win_create", wrong[i].part);
        EXPECT_RC(rc, wrong[i].class);
        EXPECT(win == EP_WIN_NULL);
        rc =
            ep_win_allocate(size, unit, MPI_INFO_NULL, t->comm, me && i == BASE ? NULL : (void *)&base, &win);
        EXPECT_RC(rc, wrong[i].class);
        EXPECT(win == EP_WIN_NULL && base == &x);
    }
    refused(t, ep_win_create(&x, 8, 1, MPI_INFO_NULL, t->comm, NULL), MPI_ERR_ARG, "ep_win_create", "win");
    EXPECT_OK(ep_comm_dup(t->comm, &none));
    EXPECT_OK(ep_comm_free(&none));
    win = new_window(t, &x);
    EXPECT_OK(ep_win_free(&win));
}

static void intercommunicator(team_t *t, void *arg)
{
    ep_comm half = EP_COMM_NULL, inter = EP_COMM_NULL;
    ep_win win = EP_WIN_NULL;
    int odd = t->rank % 2;
    (void)arg;
    if (t->size < 2)
        return;
    EXPECT_OK(ep_comm_split(t->comm, odd, t->rank, &half));
    if (!EXPECT_OK(ep_intercomm_create(half, 0, t->comm, !odd, 0, &inter)))
        return;
    EXPECT_RC(ep_win_create(NULL, 0, 1, MPI_INFO_NULL, inter, &win), MPI_ERR_COMM);
    EXPECT_RC(ep_win_create_dynamic(MPI_INFO_NULL, inter, &win), MPI_ERR_COMM);
    EXPECT_OK(ep_comm_free(&inter));
    EXPECT_OK(ep_comm_free(&half));
}

/* ---- handles ---- */

/* All functions of windows; errors without a window go to the process's handler. */
static void expect_no_window(ep_win win, ep_group group)
{
    ep_errhandler handler;
    ep_request request;
    MPI_Info info;
    MPI_Aint size;
    char name[MPI_MAX_OBJECT_NAME];
    int n, flag, w = MPI_ERR_WIN;
    long x = 0, y = 0, z = 0;
    void *at;
    EXPECT_RC(ep_put(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win), w);
    EXPECT_RC(ep_get(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win), w);
    EXPECT_RC(ep_accumulate(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win), w);
    EXPECT_RC(ep_get_accumulate(&x, 1, MPI_LONG, &y, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win), w);
    EXPECT_RC(ep_fetch_and_op(&x, &y, MPI_LONG, 0, 0, MPI_SUM, win), w);
    EXPECT_RC(ep_compare_and_swap(&x, &y, &z, MPI_LONG, 0, 0, win), w);
    EXPECT_RC(ep_rput(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win, &request), w);
    EXPECT_RC(ep_rget(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win, &request), w);
    EXPECT_RC(ep_raccumulate(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win, &request), w);
    EXPECT_RC(ep_rget_accumulate(&x, 1, MPI_LONG, &y, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win, &request),
              w);
    EXPECT_RC(ep_win_fence(0, win), w);
    EXPECT_RC(ep_win_post(group, 0, win), w);
    EXPECT_RC(ep_win_start(group, 0, win), w);
    EXPECT_RC(ep_win_complete(win), w);
    EXPECT_RC(ep_win_wait(win), w);
    EXPECT_RC(ep_win_test(win, &flag), w);
    EXPECT_RC(ep_win_lock(MPI_LOCK_SHARED, 0, 0, win), w);
    EXPECT_RC(ep_win_unlock(0, win), w);
    EXPECT_RC(ep_win_lock_all(0, win), w);
    EXPECT_RC(ep_win_unlock_all(win), w);
    EXPECT_RC(ep_win_flush(0, win), w);
    EXPECT_RC(ep_win_flush_all(win), w);
    EXPECT_RC(ep_win_flush_local(0, win), w);
    EXPECT_RC(ep_win_flush_local_all(win), w);
    EXPECT_RC(ep_win_sync(win), w);
    EXPECT_RC(ep_win_shared_query(win, 0, &size, &n, &at), w);
    EXPECT_RC(ep_win_attach(win, &x, sizeof x), w);
    EXPECT_RC(ep_win_detach(win, &x), w);
    EXPECT_RC(ep_win_get_group(win, &group), w);
    EXPECT_RC(ep_win_set_info(win, MPI_INFO_NULL), w);
    EXPECT_RC(ep_win_get_info(win, &info), w);
    EXPECT_RC(ep_win_set_name(win, "x"), w);
    EXPECT_RC(ep_win_get_name(win, name, &n), w);
    EXPECT_RC(ep_win_set_attr(win, MPI_WIN_BASE, &x), w);
    EXPECT_RC(ep_win_get_attr(win, MPI_WIN_BASE, &at, &flag), w);
    EXPECT_RC(ep_win_delete_attr(win, MPI_WIN_BASE), w);
    EXPECT_RC(ep_win_set_errhandler(win, EP_ERRORS_RETURN), w);
    EXPECT_RC(ep_win_get_errhandler(win, &handler), w);
    EXPECT_RC(ep_win_call_errhandler(win, MPI_ERR_OTHER), w);
    EXPECT_RC(ep_win_free(&win), w);
    EXPECT_RC(ep_win_free(NULL), MPI_ERR_ARG);
    EXPECT_EQ(ep_win_c2f(win), ep_win_c2f(EP_WIN_NULL));
}

static void dead_in_team(team_t *t, void *arg)
{
    ep_group group = EP_GROUP_EMPTY;
    long x;
    ep_win win = new_window(t, &x), copy = win;
    MPI_Fint number = ep_win_c2f(win);
    (void)arg;
    EXPECT(number != 0 && ep_win_f2c(number) == win);
    EXPECT(ep_comm_f2c(number) == EP_COMM_NULL);
    EXPECT_OK(ep_win_free(&win));
    team_barrier(t);
    expect_no_window(copy, group);
    expect_no_window(EP_WIN_NULL, group);
    EXPECT(ep_win_f2c(number) == EP_WIN_NULL);
    team_barrier(t);
    win = new_window(t, &x); /* the next one is not found by the old one's number, wherever it lies */
    EXPECT(ep_win_f2c(number) == EP_WIN_NULL);
    EXPECT_OK(ep_win_free(&win));
}

static void dead_handles(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(dead_in_team, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

/* ---- communication ---- */

typedef int move_fn(void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, ep_win);

static int put(void *buf, int count, MPI_Datatype type, int rank, MPI_Aint disp, int n, MPI_Datatype target,
               ep_win win)
{
    return ep_put(buf, count, type, rank, disp, n, target, win);
}

static int sum(void *buf, int count, MPI_Datatype type, int rank, MPI_Aint disp, int n, MPI_Datatype target,
               ep_win win)
{
    return ep_accumulate(buf, count, type, rank, disp, n, target, MPI_SUM, win);
}

static int get_sum(void *buf, int count, MPI_Datatype type, int rank, MPI_Aint disp, int n,
                   MPI_Datatype target, ep_win win)
{
    long result[4];
    return ep_get_accumulate(buf, count, type, result, 1, MPI_LONG, rank, disp, n, target, MPI_SUM, win);
}

static int rput(void *buf, int count, MPI_Datatype type, int rank, MPI_Aint disp, int n, MPI_Datatype target,
                ep_win win)
{
    ep_request request;
    return ep_rput(buf, count, type, rank, disp, n, target, win, &request);
}

static int rget(void *buf, int count, MPI_Datatype type, int rank, MPI_Aint disp, int n, MPI_Datatype target,
                ep_win win)
{
    ep_request request;
    return ep_rget(buf, count, type, rank, disp, n, target, win, &request);
}

static int rsum(void *buf, int count, MPI_Datatype type, int rank, MPI_Aint disp, int n, MPI_Datatype target,
                ep_win win)
{
    ep_request request;
    return ep_raccumulate(buf, count, type, rank, disp, n, target, MPI_SUM, win, &request);
}

static int rget_sum(void *buf, int count, MPI_Datatype type, int rank, MPI_Aint disp, int n,
                    MPI_Datatype target, ep_win win)
{
    long result[4];
    ep_request request;
    return ep_rget_accumulate(buf, count, type, result, 1, MPI_LONG, rank, disp, n, target, MPI_SUM, win,
                              &request);
}

static const struct {
    move_fn *fn;
    const char *name;
} moves[] = {{put, "ep_put"},
             {ep_get, "ep_get"},
             {sum, "ep_accumulate"},
             {rput, "ep_rput"},
             {rget, "ep_rget"},
             {rsum, "ep_raccumulate"},
             {get_sum, "ep_get_accumulate"},
             {rget_sum, "ep_rget_accumulate"}};
enum { MOVES = sizeof moves / sizeof *moves };

static void transfers(team_t *t, void *arg)
{
    long x = 0, mine;
    MPI_Datatype raw;
    ep_win win = new_window(t, &mine);
    (void)arg;
    MPI_Type_contiguous(1, MPI_LONG, &raw);
    EXPECT_OK(ep_win_lock_all(0, win));
    for (int i = 0; i < MOVES; i++) {
        move_fn *f = moves[i].fn;
        const char *name = moves[i].name;
        refused(t, f(&x, 1, MPI_LONG, t->size, 0, 1, MPI_LONG, win), MPI_ERR_RANK, name, "target_rank");
        refused(t, f(&x, 1, MPI_LONG, MPI_ANY_SOURCE, 0, 1, MPI_LONG, win), MPI_ERR_RANK, name,
                "target_rank");
        refused(t, f(&x, 1, MPI_LONG, 0, -1, 1, MPI_LONG, win), MPI_ERR_DISP, name, "target_disp");
        refused(t, f(&x, -1, MPI_LONG, 0, 0, 1, MPI_LONG, win), MPI_ERR_COUNT, name, "origin_count");
        refused(t, f(&x, 1, MPI_LONG, 0, 0, -1, MPI_LONG, win), MPI_ERR_COUNT, name, "target_count");
        refused(t, f(&x, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_LONG, win), MPI_ERR_TYPE, name,
                "origin_datatype");
        refused(t, f(&x, 1, MPI_LONG, 0, 0, 1, raw, win), MPI_ERR_TYPE, name, "target_datatype");
        refused(t, f(NULL, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win), MPI_ERR_BUFFER, name, "origin_addr");
        refused(t, f(&x, 1, MPI_LONG, t->rank, 1, 1, MPI_LONG, win), MPI_ERR_RMA_RANGE, name, "target_disp");
        EXPECT_OK(f(NULL, 0, MPI_LONG, 0, 0, 0, MPI_LONG, win));
        EXPECT_OK(f(&x, 1, MPI_LONG, MPI_PROC_NULL, -5, 1, MPI_LONG, win));
    }
    EXPECT_RC(ep_put(&x, 2, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_TRUNCATE);
    EXPECT_RC(ep_get(&x, 1, MPI_INT, 0, 0, 2, MPI_INT, win), MPI_ERR_TRUNCATE);
    refused(t, ep_rput(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win, NULL), MPI_ERR_ARG, "ep_rput", "request");
    EXPECT_OK(ep_win_unlock_all(win));
    MPI_Type_free(&raw);
    EXPECT_OK(ep_win_free(&win));
    EXPECT_EQ(mine, 0);
}

static void user_op(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)n;
    (void)type;
}

static void atomics(team_t *t, void *arg)
{
    long x = 1, y = 0, z = 0, mine;
    double d = 0, e = 0, f = 0;
    MPI_Op op;
    MPI_Datatype pair, mixed;
    ep_win win = new_window(t, &mine);
    int lengths[] = {1, 1}, to = (t->rank + 1) % t->size;
    MPI_Aint places[] = {0, 4};
    MPI_Datatype parts[] = {MPI_INT, MPI_FLOAT};
    (void)arg;
    MPI_Op_create(user_op, 1, &op);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_create_struct(2, lengths, places, parts, &mixed);
    MPI_Type_commit(&mixed);
    EXPECT_OK(ep_win_lock_all(0, win));
    refused(t, ep_accumulate(&x, 1, MPI_LONG, to, 0, 1, MPI_LONG, MPI_OP_NULL, win), MPI_ERR_OP,
            "ep_accumulate", "op");
    refused(t, ep_accumulate(&x, 1, MPI_LONG, to, 0, 1, MPI_LONG, MPI_NO_OP, win), MPI_ERR_OP,
            "ep_accumulate", "MPI_NO_OP");
    refused(t, ep_accumulate(&x, 1, MPI_LONG, to, 0, 1, MPI_LONG, op, win), MPI_ERR_OP, "ep_accumulate",
            "op");
    refused(t, ep_accumulate(&d, 1, MPI_DOUBLE, to, 0, 1, MPI_DOUBLE, MPI_BAND, win), MPI_ERR_OP,
            "ep_accumulate", "op");
    refused(t, ep_accumulate(&x, 1, mixed, to, 0, 1, mixed, MPI_REPLACE, win), MPI_ERR_TYPE, "ep_accumulate",
            "datatype");
    refused(t, ep_accumulate(&x, 2, MPI_INT, to, 0, 1, MPI_LONG, MPI_SUM, win), MPI_ERR_TYPE, "ep_accumulate",
            "origin_datatype");
    refused(t, ep_fetch_and_op(&x, &y, MPI_LONG, to, 0, MPI_OP_NULL, win), MPI_ERR_OP, "ep_fetch_and_op",
            "op");
    refused(t, ep_fetch_and_op(&x, &y, pair, to, 0, MPI_SUM, win), MPI_ERR_TYPE, "ep_fetch_and_op",
            "datatype");
    refused(t, ep_fetch_and_op(&x, &y, MPI_DATATYPE_NULL, to, 0, MPI_SUM, win), MPI_ERR_TYPE,
            "ep_fetch_and_op", "datatype");
    refused(t, ep_fetch_and_op(NULL, &y, MPI_LONG, to, 0, MPI_SUM, win), MPI_ERR_BUFFER, "ep_fetch_and_op",
            "origin_addr");
    refused(t, ep_fetch_and_op(&x, NULL, MPI_LONG, to, 0, MPI_SUM, win), MPI_ERR_BUFFER, "ep_fetch_and_op",
            "result_addr");
    refused(t, ep_fetch_and_op(&x, &y, MPI_LONG, to, -1, MPI_SUM, win), MPI_ERR_DISP, "ep_fetch_and_op",
            "target_disp");
    refused(t, ep_fetch_and_op(&x, &y, MPI_LONG, t->size, 0, MPI_SUM, win), MPI_ERR_RANK, "ep_fetch_and_op",
            "target_rank");
    refused(t, ep_compare_and_swap(&d, &e, &f, MPI_DOUBLE, to, 0, win), MPI_ERR_TYPE, "ep_compare_and_swap",
            "datatype");
    refused(t, ep_compare_and_swap(&x, NULL, &z, MPI_LONG, to, 0, win), MPI_ERR_BUFFER, "ep_compare_and_swap",
            "compare_addr");
    refused(t, ep_compare_and_swap(&x, &y, NULL, MPI_LONG, to, 0, win), MPI_ERR_BUFFER, "ep_compare_and_swap",
            "result_addr");
    refused(t, ep_compare_and_swap(&x, &y, &z, MPI_LONG, to, 1, win), MPI_ERR_RMA_RANGE,
            "ep_compare_and_swap", "target_disp");
    y = z = 7;
    EXPECT_OK(ep_fetch_and_op(NULL, &y, MPI_LONG, to, 0, MPI_NO_OP, win)); /* no origin is needed */
    EXPECT_OK(
        ep_get_accumulate(NULL, -1, MPI_DATATYPE_NULL, &z, 1, MPI_LONG, to, 0, 1, MPI_LONG, MPI_NO_OP, win));
    EXPECT_OK(ep_fetch_and_op(&x, &x, MPI_LONG, MPI_PROC_NULL, 0, MPI_SUM, win));
    EXPECT_OK(ep_compare_and_swap(&x, &x, &x, MPI_LONG, MPI_PROC_NULL, 0, win));
    EXPECT_OK(ep_win_unlock_all(win));
    EXPECT(y == 0 && z == 0 && x == 1);
    EXPECT_OK(ep_win_free(&win));
    EXPECT_EQ(mine, 0);
    MPI_Type_free(&pair);
    MPI_Type_free(&mixed);
    MPI_Op_free(&op);
}

/* ---- synchronisation ---- */

static void groups_and_ranks(team_t *t, void *arg)
{
    long mine;
    ep_win win = new_window(t, &mine);
    ep_group all = EP_GROUP_NULL, one = EP_GROUP_NULL, freed;
    ep_comm half = EP_COMM_NULL;
    ep_win narrow = EP_WIN_NULL;
    int other = t->rank < t->size / 2 ? t->size - 1 : 0;
    (void)arg;
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_incl(all, 1, &other, &one));
    freed = one;
    refused(t, ep_win_lock(77, 0, 0, win), MPI_ERR_LOCKTYPE, "ep_win_lock", "lock_type");
    refused(t, ep_win_lock(MPI_LOCK_SHARED, t->size, 0, win), MPI_ERR_RANK, "ep_win_lock", "rank");
    refused(t, ep_win_unlock(-9, win), MPI_ERR_RANK, "ep_win_unlock", "rank");
    refused(t, ep_win_flush(t->size, win), MPI_ERR_RANK, "ep_win_flush", "rank");
    refused(t, ep_win_flush_local(-9, win), MPI_ERR_RANK, "ep_win_flush_local", "rank");
    refused(t, ep_win_test(win, NULL), MPI_ERR_ARG, "ep_win_test", "flag");
    refused(t, ep_win_start(EP_GROUP_NULL, 0, win), MPI_ERR_GROUP, "ep_win_start", "EP_GROUP_NULL");
    EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, win));
    EXPECT_OK(ep_win_flush(MPI_PROC_NULL, win));
    EXPECT_OK(ep_win_unlock(MPI_PROC_NULL, win));
    if (t->size > 1 && EXPECT_OK(ep_comm_split(t->comm, t->rank < t->size / 2, 0, &half)) &&
        EXPECT_OK(ep_win_create(NULL, 0, 1, MPI_INFO_NULL, half, &narrow))) {
        EXPECT_OK(ep_win_set_errhandler(narrow, EP_ERRORS_RETURN));
        EXPECT_RC(ep_win_post(one, 0, narrow), MPI_ERR_GROUP);
        EXPECT_RC(ep_win_start(one, 0, narrow), MPI_ERR_GROUP);
        EXPECT_OK(ep_win_free(&narrow));
        EXPECT_OK(ep_comm_free(&half));
    }
    EXPECT_OK(ep_group_free(&one));
    refused(t, ep_win_post(freed, 0, win), MPI_ERR_GROUP, "ep_win_post", "freed");
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_win_free(&win));
}

/* ---- attributes and handlers ---- */

static _Thread_local int deletes;

static int fail_first(ep_win win, int key, void *value, void *extra)
{
    (void)win;
    (void)key;
    (void)value;
    (void)extra;
    return deletes++ == 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* What cannot be freed is as it was. */
static void freeing(team_t *t, void *arg)
{
    long mine;
    int key = MPI_KEYVAL_INVALID, flag = 0;
    ep_win win = new_window(t, &mine), same = win;
    MPI_Fint number = ep_win_c2f(win);
    void *value = NULL;
    (void)arg;
    deletes = 0;
    EXPECT_OK(ep_win_create_keyval(EP_WIN_DUP_FN, fail_first, &key, NULL));
    EXPECT_OK(ep_win_set_attr(win, key, &mine));
    EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, t->rank, 0, win));
    refused(t, ep_win_free(&win), MPI_ERR_RMA_SYNC, "ep_win_free", "ep_win_lock");
    EXPECT_EQ(deletes, 0);
    EXPECT_OK(ep_win_unlock(t->rank, win));
    EXPECT_RC(ep_win_free(&win), MPI_ERR_OTHER);
    EXPECT(win == same && ep_win_f2c(number) == win);
    EXPECT_OK(ep_win_get_attr(win, key, &value, &flag));
    EXPECT(flag && value == &mine);
    EXPECT_OK(ep_win_free_keyval(&key));
    EXPECT_OK(ep_win_free(&win));
    EXPECT_EQ(deletes, 2);
}

static void comm_handler(ep_comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void win_handler(ep_win *win, int *code, ...)
{
    (void)win;
    (void)code;
}

/* Keys and handlers of communicators are not those of windows. */
static void kinds(team_t *t, void *arg)
{
    long mine;
    int comm_key, win_key, flag, invalid = MPI_KEYVAL_INVALID;
    void *value;
    ep_win win = new_window(t, &mine);
    ep_errhandler of_comm, of_win, none = EP_ERRHANDLER_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_NULL_COPY_FN, EP_COMM_NULL_DELETE_FN, &comm_key, NULL));
    EXPECT_OK(ep_win_create_keyval(EP_WIN_NULL_COPY_FN, EP_WIN_NULL_DELETE_FN, &win_key, NULL));
    refused(t, ep_win_set_attr(win, comm_key, NULL), MPI_ERR_KEYVAL, "ep_win_set_attr", "win_keyval");
    refused(t, ep_win_get_attr(win, comm_key, &value, &flag), MPI_ERR_KEYVAL, "ep_win_get_attr",
            "win_keyval");
    refused(t, ep_win_get_attr(win, MPI_TAG_UB, &value, &flag), MPI_ERR_KEYVAL, "ep_win_get_attr",
            "win_keyval");
    refused(t, ep_win_set_attr(win, MPI_WIN_SIZE, NULL), MPI_ERR_KEYVAL, "ep_win_set_attr", "predefined");
    refused(t, ep_win_delete_attr(win, MPI_WIN_BASE), MPI_ERR_KEYVAL, "ep_win_delete_attr", "predefined");
    refused(t, ep_win_delete_attr(win, invalid), MPI_ERR_KEYVAL, "ep_win_delete_attr", "MPI_KEYVAL_INVALID");
    refused(t, ep_comm_set_attr(t->comm, win_key, NULL), MPI_ERR_KEYVAL, "ep_comm_set_attr", "comm_keyval");
    refused(t, ep_comm_get_attr(t->comm, MPI_WIN_BASE, &value, &flag), MPI_ERR_KEYVAL, "ep_comm_get_attr",
            "comm_keyval");
    EXPECT_OK(ep_comm_free_keyval(&comm_key));
    EXPECT_OK(ep_win_free_keyval(&win_key));
    EXPECT_OK(ep_comm_create_errhandler(comm_handler, &of_comm));
    EXPECT_OK(ep_win_create_errhandler(win_handler, &of_win));
    refused(t, ep_win_set_errhandler(win, of_comm), MPI_ERR_ARG, "ep_win_set_errhandler", "another kind");
    refused(t, ep_win_set_errhandler(win, none), MPI_ERR_ARG, "ep_win_set_errhandler", "EP_ERRHANDLER_NULL");
    refused(t, ep_comm_set_errhandler(t->comm, of_win), MPI_ERR_ARG, "ep_comm_set_errhandler",
            "another kind");
    EXPECT_OK(ep_errhandler_free(&of_comm));
    EXPECT_OK(ep_errhandler_free(&of_win));
    EXPECT_OK(ep_win_free(&win));
}

/* ---- flavors ---- */

static void flavors(team_t *t, void *arg)
{
    long mine, more = 0;
    ep_win win = new_window(t, &mine), dynamic = EP_WIN_NULL;
    MPI_Aint size;
    int unit;
    void *at;
    (void)arg;
    refused(t, ep_win_shared_query(win, 0, &size, &unit, &at), MPI_ERR_RMA_FLAVOR, "ep_win_shared_query",
            "win");
    refused(t, ep_win_attach(win, &more, sizeof more), MPI_ERR_RMA_FLAVOR, "ep_win_attach", "win");
    refused(t, ep_win_detach(win, &more), MPI_ERR_RMA_FLAVOR, "ep_win_detach", "win");
    EXPECT_OK(ep_win_free(&win));
    EXPECT_OK(ep_win_create_dynamic(MPI_INFO_NULL, t->comm, &dynamic));
    EXPECT_OK(ep_win_set_errhandler(dynamic, EP_ERRORS_RETURN));
    refused(t, ep_win_attach(dynamic, &more, -1), MPI_ERR_SIZE, "ep_win_attach", "size");
    refused(t, ep_win_attach(dynamic, NULL, 8), MPI_ERR_ARG, "ep_win_attach", "base");
    refused(t, ep_win_detach(dynamic, &more), MPI_ERR_RMA_ATTACH, "ep_win_detach", "attached");
    EXPECT_OK(ep_win_attach(dynamic, &more, sizeof more));
    refused(t, ep_win_attach(dynamic, &more, 1), MPI_ERR_RMA_ATTACH, "ep_win_attach", "attached");
    EXPECT_OK(ep_win_detach(dynamic, &more));
    EXPECT_OK(ep_win_free(&dynamic));
}

static void expect_hint(MPI_Info info, const char *key, const char *want)
{
    char value[64] = "";
    int flag = 0;
    MPI_Info_get(info, key, sizeof value - 1, value, &flag);
    EXPECT(flag);
    EXPECT_STR(value, want);
}

static void hints(team_t *t, void *arg)
{
    long mine = 0;
    MPI_Info given, got = MPI_INFO_NULL;
    ep_win win = EP_WIN_NULL;
    (void)arg;
    MPI_Info_create(&given);
    MPI_Info_set(given, "no_locks", "true");
    MPI_Info_set(given, "my_own", "7");
    EXPECT_OK(ep_win_create(&mine, sizeof mine, 1, given, t->comm, &win));
    MPI_Info_free(&given);
    EXPECT_OK(ep_win_set_errhandler(win, EP_ERRORS_RETURN));
    if (EXPECT_OK(ep_win_get_info(win, &got))) {
        expect_hint(got, "no_locks", "true");
        expect_hint(got, "my_own", "7");
        expect_hint(got, "accumulate_ordering", "rar,raw,war,waw");
        expect_hint(got, "accumulate_ops", "same_op_no_op");
        expect_hint(got, "same_size", "false");
        expect_hint(got, "same_disp_unit", "false");
        MPI_Info_free(&got);
    }
    refused(t, ep_win_set_info(win, MPI_INFO_NULL), MPI_ERR_INFO, "ep_win_set_info", "info");
    EXPECT_OK(ep_win_free(&win));
}

static const harness_test tests[] = {
    {"making", making, NULL},
    {"intercommunicator", intercommunicator, NULL},
    {"dead handles", NULL, dead_handles},
    {"transfers", transfers, NULL},
    {"atomics", atomics, NULL},
    {"groups and ranks", groups_and_ranks, NULL},
    {"freeing", freeing, NULL},
    {"kinds", kinds, NULL},
    {"flavors", flavors, NULL},
    {"hints", hints, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma arguments", tests);
}
