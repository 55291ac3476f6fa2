/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * errors.c: wrong calls get an error of the right class with a text that says what is wrong, and change nothing
 * (MPI 11.6). What epochs forbid: misplaced.c.
 */
#include "share.h"
#include "wrong.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arguments ---- */

static void arguments(team_t *t, void *arg)
{
    long x = 1, y = 2, z = 3, two[2] = {4, 5};
    ep_request r = EP_REQUEST_NULL;
    MPI_Datatype open;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, 64))
        return;
    ep_win w = a.win;
    MPI_Type_contiguous(1, MPI_LONG, &open); /* not committed */
    EXPECT_OK(ep_win_lock_all(0, w));
    WRONG(t, ep_put(&x, 1, MPI_LONG, t->size, 0, 1, MPI_LONG, w), MPI_ERR_RANK, "target_rank");
    WRONG(t, ep_get(&x, 1, MPI_LONG, -7, 0, 1, MPI_LONG, w), MPI_ERR_RANK, "-7");
    WRONG(t, ep_accumulate(&x, 1, MPI_LONG, t->size, 0, 1, MPI_LONG, MPI_SUM, w), MPI_ERR_RANK,
          "target_rank");
    WRONG(t, ep_fetch_and_op(&x, &y, MPI_LONG, t->size, 0, MPI_SUM, w), MPI_ERR_RANK, "target_rank");
    WRONG(t, ep_compare_and_swap(&x, &y, &z, MPI_LONG, t->size, 0, w), MPI_ERR_RANK, "target_rank");
    WRONG(t, ep_rput(&x, 1, MPI_LONG, t->size, 0, 1, MPI_LONG, w, &r), MPI_ERR_RANK, "target_rank");
    WRONG(t, ep_put(&x, -1, MPI_LONG, 0, 0, 1, MPI_LONG, w), MPI_ERR_COUNT, "origin_count");
    WRONG(t, ep_put(&x, 1, MPI_LONG, 0, 0, -2, MPI_LONG, w), MPI_ERR_COUNT, "target_count");
    WRONG(t, ep_get(&x, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_LONG, w), MPI_ERR_TYPE, "origin_datatype");
    WRONG(t, ep_get(&x, 1, MPI_LONG, 0, 0, 1, open, w), MPI_ERR_TYPE, "target_datatype");
    WRONG(t, ep_get_accumulate(&x, 1, MPI_LONG, &y, 1, open, 0, 0, 1, MPI_LONG, MPI_SUM, w), MPI_ERR_TYPE,
          "result_datatype");
    WRONG(t, ep_put(NULL, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w), MPI_ERR_BUFFER, "origin_addr");
    WRONG(t, ep_fetch_and_op(&x, NULL, MPI_LONG, 0, 0, MPI_SUM, w), MPI_ERR_BUFFER, "result_addr");
    WRONG(t, ep_put(&x, 1, MPI_LONG, 0, -8, 1, MPI_LONG, w), MPI_ERR_DISP, "target_disp");
    WRONG(t, ep_put(two, 2, MPI_LONG, 0, 0, 1, MPI_LONG, w), MPI_ERR_TRUNCATE, "16 bytes");
    WRONG(t, ep_accumulate(&x, 1, MPI_LONG, 0, 0, 2, MPI_INT, MPI_SUM, w), MPI_ERR_TYPE, "type");
    WRONG(t, ep_rget(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, w, NULL), MPI_ERR_ARG, "request");
    WRONG(t, ep_win_flush(t->size, w), MPI_ERR_RANK, "rank");
    EXPECT_OK(ep_win_unlock_all(w));
    WRONG(t, ep_win_lock(99, 0, 0, w), MPI_ERR_LOCKTYPE, "lock_type");
    WRONG(t, ep_win_lock(MPI_LOCK_SHARED, t->size, 0, w), MPI_ERR_RANK, "rank");
    WRONG(t, ep_win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOPUT, w), MPI_ERR_ASSERT, "assert");
    WRONG(t, ep_win_lock_all(1 << 30, w), MPI_ERR_ASSERT, "assert");
    WRONG(t, ep_win_fence(MPI_MODE_NOCHECK, w), MPI_ERR_ASSERT, "assert");
    WRONG(t, ep_win_post(EP_GROUP_NULL, 0, w), MPI_ERR_GROUP, "group");
    WRONG(t, ep_win_start(EP_GROUP_NULL, 0, w), MPI_ERR_GROUP, "group");
    WRONG(t, ep_win_get_group(w, NULL), MPI_ERR_ARG, "group");
    EXPECT(x == 1 && y == 2 && z == 3 && r == EP_REQUEST_NULL);
    MPI_Type_free(&open);
    expect_works(t, &a);
    share_free(&a);
}

/* ---- Outside of the target's memory ---- */

static void outside(team_t *t, void *arg)
{
    enum { BYTES = 800, ROUND = 128 };
    const MPI_Aint huge = (MPI_Aint)1 << 60;
    int target = (t->rank + 1) % t->size;
    char *memory = xmalloc(BYTES + 2 * ROUND);
    long v[BYTES / 8 + 1] = {0}, old = 5;
    MPI_Datatype before, spread;
    ep_win w = EP_WIN_NULL;
    ep_request r = EP_REQUEST_NULL;
    (void)arg;
    MPI_Type_create_hindexed_block(1, 1, (MPI_Aint[]){-8}, MPI_LONG, &before);
    MPI_Type_vector(2, 1, BYTES / 8 - 1, MPI_LONG, &spread);
    MPI_Type_commit(&before);
    MPI_Type_commit(&spread);
    fill(memory, BYTES + 2 * ROUND, 3);
    EXPECT_OK(ep_win_create(memory + ROUND, BYTES, 1 << t->rank % 3, MPI_INFO_NULL, t->comm, &w));
    EXPECT_OK(ep_win_set_errhandler(w, EP_ERRORS_RETURN));
    int unit = 1 << target % 3, end = BYTES / unit, one = 8 / unit;
    for (int far = 0; far < 2; far++) {
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, target, 0, w));
        WRONG(t, ep_put(v, 1, MPI_LONG, target, end, 1, MPI_LONG, w), MPI_ERR_RMA_RANGE, "target_disp");
        WRONG(t, ep_put(v, 1, MPI_LONG, target, end - 1, 1, MPI_LONG, w), MPI_ERR_RMA_RANGE, "800 bytes");
        WRONG(t, ep_get(v, BYTES / 8 + 1, MPI_LONG, target, 0, BYTES / 8 + 1, MPI_LONG, w), MPI_ERR_RMA_RANGE,
              "808");
        WRONG(t, ep_put(v, 1, MPI_LONG, target, huge, 1, MPI_LONG, w), MPI_ERR_RMA_RANGE, "target_disp");
        WRONG(t, ep_put(v, 1, MPI_LONG, target, 0, 1, before, w), MPI_ERR_RMA_RANGE, "-8");
        WRONG(t, ep_accumulate(v, 2, MPI_LONG, target, one, 1, spread, MPI_SUM, w), MPI_ERR_RMA_RANGE,
              "target_disp");
        WRONG(t, ep_fetch_and_op(v, &old, MPI_LONG, target, end, MPI_SUM, w), MPI_ERR_RMA_RANGE,
              "target_disp");
        WRONG(t, ep_compare_and_swap(v, v, &old, MPI_LONG, target, end, w), MPI_ERR_RMA_RANGE, "target_disp");
        WRONG(t, ep_rget(v, 1, MPI_LONG, target, end, 1, MPI_LONG, w, &r), MPI_ERR_RMA_RANGE, "target_disp");
        WRONG(t, ep_get_accumulate(v, 1, MPI_LONG, &old, 1, MPI_LONG, target, end, 1, MPI_LONG, MPI_NO_OP, w),
              MPI_ERR_RMA_RANGE, "target_disp");
        EXPECT(r == EP_REQUEST_NULL && old == 5);
        EXPECT_OK(ep_put(v, 0, MPI_LONG, target, end, 0, MPI_LONG, w)); /* nothing is nowhere */
        EXPECT_OK(ep_win_unlock(target, w));
        target = (t->rank + t->size / 2) % t->size;
        unit = 1 << target % 3;
        end = BYTES / unit;
        one = 8 / unit;
    }
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_FILLED(memory, BYTES + 2 * ROUND, 3);
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_win_lock_all(0, w)); /* the very ends are inside */
    if (t->rank < 2)
        EXPECT_OK(ep_put(v, 1, MPI_LONG, target, t->rank ? end - one : 0, 1, MPI_LONG, w));
    EXPECT_OK(ep_win_unlock_all(w));
    EXPECT_OK(ep_win_free(&w));
    MPI_Type_free(&before);
    MPI_Type_free(&spread);
    free(memory);
}

/* ---- Memory that is not attached ---- */

/* An access to it is an error at once if it is near, else of the next synchronisation. */
static void refused_access(team_t *t, ep_win w, int target, MPI_Aint at, int way, long *v)
{
    ep_group all, one;
    ep_request r = EP_REQUEST_NULL;
    int rc, end, near = team_near(t, target);
    char address[32];
    EXPECT_OK(ep_win_get_group(w, &all));
    EXPECT_OK(ep_group_incl(all, 1, &target, &one));
    if (way == 3)
        EXPECT_OK(ep_win_fence(0, w));
    else
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, target, 0, w));
    rc = way == 0   ? ep_put(v, 1, MPI_LONG, target, at, 1, MPI_LONG, w)
         : way == 1 ? ep_rget(v, 1, MPI_LONG, target, at, 1, MPI_LONG, w, &r)
         : way == 2 ? ep_fetch_and_op(v, v, MPI_LONG, target, at, MPI_SUM, w)
                    : ep_accumulate(v, 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_SUM, w);
    EXPECT_RC(rc, near ? MPI_ERR_RMA_ATTACH : MPI_SUCCESS);
    if (r != EP_REQUEST_NULL) {
        rc = ep_wait(&r, EP_STATUS_IGNORE);
        EXPECT(rc == MPI_SUCCESS || rc == MPI_ERR_RMA_ATTACH);
    }
    end = way == 3   ? ep_win_fence(MPI_MODE_NOSUCCEED, w)
          : way == 2 ? ep_win_flush(target, w)
                     : ep_win_unlock(target, w);
    if (EXPECT_RC(end, near ? MPI_SUCCESS : MPI_ERR_RMA_ATTACH) && !near) {
        snprintf(address, sizeof address, "%p", (void *)at); /* NOLINT: it is one */
        expect_text(t, end, way == 3 ? "ep_win_fence" : way == 2 ? "ep_win_flush" : "ep_win_unlock", address);
        snprintf(address, sizeof address, "rank %d", target);
        expect_text(t, end, "", address);
    }
    if (way == 2)
        EXPECT_OK(ep_win_unlock(target, w));
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_group_free(&one));
}

static void unattached(team_t *t, void *arg)
{
    long *memory = xmalloc(10 * sizeof *memory);
    MPI_Aint *at = xmalloc((size_t)t->size * sizeof *at), mine;
    ep_win w = EP_WIN_NULL;
    (void)arg;
    for (int i = 0; i < 10; i++)
        memory[i] = 100 + i;
    EXPECT_OK(ep_win_create_dynamic(MPI_INFO_NULL, t->comm, &w));
    EXPECT_OK(ep_win_set_errhandler(w, EP_ERRORS_RETURN));
    EXPECT_OK(ep_win_attach(w, memory + 1, 3 * sizeof *memory));
    EXPECT_OK(ep_win_attach(w, memory + 4, 2 * sizeof *memory));
    EXPECT_OK(ep_win_attach(w, memory + 7, sizeof *memory));
    WRONG(t, ep_win_attach(w, memory, 2 * sizeof *memory), MPI_ERR_RMA_ATTACH, "attached");
    WRONG(t, ep_win_detach(w, memory + 2), MPI_ERR_RMA_ATTACH, "attached");
    EXPECT_OK(ep_win_detach(w, memory + 7));
    EXPECT_OK(MPI_Get_address(memory, &mine));
    EXPECT_OK(ep_allgather(&mine, 1, MPI_AINT, at, 1, MPI_AINT, t->comm));
    for (int i = 0; i < 8; i++) {
        static const int wrong[] = {0, 6, 7, 8};
        int target = (t->rank + i / 2 * (t->size / 4 + 1)) % t->size;
        long v = 1;
        refused_access(t, w, target, MPI_Aint_add(at[target], wrong[i % 4] * (MPI_Aint)sizeof v), i % 4, &v);
        EXPECT_EQ(v, 1);
    }
    for (int target = 0; target < t->size;
         target++) { /* two regions side by side are as one; one long too many */
        long v[6] = {0};
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w));
        EXPECT_OK(ep_get(v, 5, MPI_LONG, target, MPI_Aint_add(at[target], 8), 5, MPI_LONG, w));
        EXPECT_OK(ep_win_flush(target, w));
        EXPECT(v[0] == 101 && v[4] == 105);
        int rc = ep_put(v, 6, MPI_LONG, target, MPI_Aint_add(at[target], 8), 6, MPI_LONG, w);
        EXPECT_RC(rc, team_near(t, target) ? MPI_ERR_RMA_ATTACH : MPI_SUCCESS);
        EXPECT_RC(ep_win_unlock(target, w), team_near(t, target) ? MPI_SUCCESS : MPI_ERR_RMA_ATTACH);
        EXPECT_OK(ep_win_lock_all(0, w)); /* it is over */
        EXPECT_OK(ep_win_unlock_all(w));
    }
    EXPECT_OK(ep_barrier(t->comm));
    for (int i = 0; i < 10; i++)
        EXPECT_EQ(memory[i], 100 + i);
    EXPECT_OK(ep_win_free(&w));
    free(memory);
    free(at);
}

/* ---- Making windows, wrong kinds, what is freed ---- */

static void making(team_t *t, void *arg)
{
    long memory[4];
    char *base;
    (void)arg;
    for (int i = 0; i < 6; i++) {
        ep_win w = (ep_win)memory;
        int me = t->rank == (i * 3 + 1) % t->size; /* who does wrong; all are told */
        const int want[] = {MPI_ERR_SIZE, MPI_ERR_DISP, MPI_ERR_ARG,
                            MPI_ERR_SIZE, MPI_ERR_SIZE, MPI_ERR_ARG};
        MPI_Aint size = me && (i == 0 || i == 3 || i == 4) ? -1 : 8;
        int unit = me && i == 1 ? 0 : 8;
        int rc = i == 3   ? ep_win_allocate(size, unit, MPI_INFO_NULL, t->comm, &base, &w)
                 : i == 4 ? ep_win_allocate_shared(size, unit, MPI_INFO_NULL, t->comm, &base, &w)
                 : i == 5 && me
                     ? ep_win_create_dynamic(MPI_INFO_NULL, t->comm, &w)
                     : ep_win_create(me && i == 2 ? NULL : memory, size, unit, MPI_INFO_NULL, t->comm, &w);
        EXPECT_RC(rc, want[i]);
        EXPECT(w == EP_WIN_NULL);
    }
    share a;
    if (share_make(&a, t->comm, SHARED, 64)) { /* the communicator is as it was */
        expect_works(t, &a);
        share_free(&a);
    }
}

static void comm_handler(ep_comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static _Thread_local struct {
    int calls, code;
    ep_win win;
    char text[MPI_MAX_ERROR_STRING];
} seen;

static void win_handler(ep_win *win, int *code, ...)
{
    va_list args;
    va_start(args, code);
    seen.calls++;
    seen.code = *code;
    seen.win = *win;
    snprintf(seen.text, sizeof seen.text, "%s", va_arg(args, const char *));
    va_end(args);
}

static void kinds(team_t *t, void *arg)
{
    ep_errhandler of_comm, of_win;
    long x = 0;
    MPI_Aint size;
    int unit, key = MPI_KEYVAL_INVALID;
    void *at;
    share a, d;
    (void)arg;
    if (!share_make(&a, t->comm, ALLOCATED, 64) || !share_make(&d, t->comm, DYNAMIC, 64))
        return;
    WRONG(t, ep_win_attach(a.win, &x, sizeof x), MPI_ERR_RMA_FLAVOR, "ep_win_create_dynamic");
    WRONG(t, ep_win_detach(a.win, &x), MPI_ERR_RMA_FLAVOR, "ep_win_create_dynamic");
    WRONG(t, ep_win_shared_query(a.win, 0, &size, &unit, &at), MPI_ERR_RMA_FLAVOR, "ep_win_allocate_shared");
    WRONG(t, ep_win_attach(d.win, &x, -1), MPI_ERR_SIZE, "size");
    EXPECT_OK(ep_comm_create_errhandler(comm_handler, &of_comm));
    EXPECT_OK(ep_win_create_errhandler(win_handler, &of_win));
    WRONG(t, ep_win_set_errhandler(a.win, of_comm), MPI_ERR_ARG, "errhandler");
    WRONG(t, ep_comm_set_errhandler(t->comm, of_win), MPI_ERR_ARG, "errhandler");
    EXPECT_OK(ep_win_set_errhandler(a.win, of_win));
    memset(&seen, 0, sizeof seen);
    EXPECT_RC(ep_win_unlock(0, a.win), MPI_ERR_RMA_SYNC);
    EXPECT(seen.calls == 1 && seen.code == MPI_ERR_RMA_SYNC && seen.win == a.win);
    EXPECT_CONTAINS(seen.text, "ep_win_unlock: endpoint ");
    EXPECT_OK(ep_comm_create_keyval(EP_COMM_NULL_COPY_FN, EP_COMM_NULL_DELETE_FN, &key, NULL));
    EXPECT_RC(ep_win_set_attr(a.win, key, &x), MPI_ERR_KEYVAL);
    EXPECT_RC(ep_win_set_attr(a.win, MPI_WIN_BASE, &x), MPI_ERR_KEYVAL);
    EXPECT_EQ(seen.calls, 3);
    EXPECT_OK(ep_comm_free_keyval(&key));
    EXPECT_OK(ep_errhandler_free(&of_comm));
    EXPECT_OK(ep_errhandler_free(&of_win));
    ep_win stale = a.win;
    share_free(&d);
    share_free(&a);
    team_barrier(t);
    EXPECT_OK(ep_thread_bind(t->comm)); /* errors that belong to no window are the world's */
    EXPECT_RC(ep_win_lock_all(0, stale), MPI_ERR_WIN);
    EXPECT_RC(ep_put(&x, 1, MPI_LONG, 0, 0, 1, MPI_LONG, stale), MPI_ERR_WIN);
    EXPECT_RC(ep_win_free(&stale), MPI_ERR_WIN);
    EXPECT_RC(ep_win_fence(0, EP_WIN_NULL), MPI_ERR_WIN);
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
    team_barrier(t);
}

static const harness_test tests[] = {
    {"arguments", arguments, NULL}, {"outside", outside, NULL}, {"unattached", unattached, NULL},
    {"making", making, NULL},       {"kinds", kinds, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma errors", tests);
}
