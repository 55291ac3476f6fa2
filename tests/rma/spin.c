/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spin.c: programs that build their own locks and lists out of windows (MPI 11.8).
 *
 * Catches: a compare-and-swap that two win, puts that a flush has not made visible to who sees a later atomic operation,
 * waits on own memory that nobody's messages get through, memory of dynamic windows that is not found.
 */
#include "share.h"
#include <stdlib.h>
#include <string.h>

/* ---- Compare and swap ---- */

enum { LOCK_AT = 0, DATA_AT = 8, BYTES_HERE = 64 };

static void spin_lock(const share *a, int at)
{
    int zero = 0, one = 1, old;
    do {
        EXPECT_OK(ep_compare_and_swap(&one, &zero, &old, MPI_INT, at, share_at(a, at, LOCK_AT), a->win));
        EXPECT_OK(ep_win_flush(at, a->win));
    } while (old);
}

static void spin_unlock(const share *a, int at)
{
    int zero = 0;
    EXPECT_OK(
        ep_accumulate(&zero, 1, MPI_INT, at, share_at(a, at, LOCK_AT), 1, MPI_INT, MPI_REPLACE, a->win));
    EXPECT_OK(ep_win_flush(at, a->win));
}

/* The lock is at one endpoint, what it guards at another: get, + 1, put. */
static void guarded(const share *a, int at, int n, void (*enter)(const share *, int),
                    void (*leave)(const share *, int))
{
    int data = (at + 1) % a->size;
    for (int i = 0; i < n; i++) {
        long v = -1;
        enter(a, at);
        EXPECT_OK(ep_get(&v, 1, MPI_LONG, data, share_at(a, data, DATA_AT), 1, MPI_LONG, a->win));
        EXPECT_OK(ep_win_flush_local(data, a->win));
        v++;
        EXPECT_OK(ep_put(&v, 1, MPI_LONG, data, share_at(a, data, DATA_AT), 1, MPI_LONG, a->win));
        EXPECT_OK(ep_win_flush(data, a->win));
        leave(a, at);
    }
}

static void cas_lock(team_t *t, void *arg)
{
    int n = times(t, 100);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, BYTES_HERE))
            return;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        guarded(&a, 0, n, spin_lock, spin_unlock);
        guarded(&a, t->size - 1, n, spin_lock, spin_unlock);
        EXPECT_OK(ep_barrier(t->comm));
        EXPECT_EQ(look(&a, 1 % t->size, DATA_AT), (long)n * t->size);
        EXPECT_EQ(look(&a, 0, DATA_AT), (long)n * t->size);
        EXPECT_OK(ep_win_unlock_all(a.win));
        share_free(&a);
    }
}

/* ---- The queue lock of MPI's example 11.21 (Mellor-Crummey and Scott) ---- */

enum { NEXT_AT = 16, BLOCKED_AT = 20, TAIL_AT = 24 }; /* ints; ranks + 1, so that 0 is nobody */

static int atomic_int_at(const share *a, int rank, size_t at, MPI_Op op, int value)
{
    int old = -1;
    EXPECT_OK(ep_fetch_and_op(&value, &old, MPI_INT, rank, share_at(a, rank, at), op, a->win));
    EXPECT_OK(ep_win_flush(rank, a->win));
    return old;
}

static void mcs_enter(const share *a, int at)
{
    int me = a->rank + 1;
    atomic_int_at(a, a->rank, NEXT_AT, MPI_REPLACE, 0);
    atomic_int_at(a, a->rank, BLOCKED_AT, MPI_REPLACE, 1);
    int before = atomic_int_at(a, at, TAIL_AT, MPI_REPLACE, me);
    if (!before)
        return;
    atomic_int_at(a, before - 1, NEXT_AT, MPI_REPLACE, me);
    while (atomic_int_at(a, a->rank, BLOCKED_AT, MPI_NO_OP, 0))
        EXPECT_OK(ep_win_sync(a->win)); /* lets the messages of others in */
}

static void mcs_leave(const share *a, int at)
{
    int me = a->rank + 1, nobody = 0, old = -1;
    if (!atomic_int_at(a, a->rank, NEXT_AT, MPI_NO_OP, 0)) {
        EXPECT_OK(ep_compare_and_swap(&nobody, &me, &old, MPI_INT, at, share_at(a, at, TAIL_AT), a->win));
        EXPECT_OK(ep_win_flush(at, a->win));
        if (old == me)
            return;
        while (!atomic_int_at(a, a->rank, NEXT_AT, MPI_NO_OP, 0))
            EXPECT_OK(ep_win_sync(a->win));
    }
    int next = atomic_int_at(a, a->rank, NEXT_AT, MPI_NO_OP, 0);
    atomic_int_at(a, next - 1, BLOCKED_AT, MPI_REPLACE, 0);
}

static void mcs_lock(team_t *t, void *arg)
{
    int n = times(t, 100);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, BYTES_HERE))
            return;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        guarded(&a, t->size - 1, n, mcs_enter, mcs_leave);
        EXPECT_OK(ep_barrier(t->comm));
        EXPECT_EQ(look(&a, 0, DATA_AT), (long)n * t->size);
        EXPECT_OK(ep_win_unlock_all(a.win));
        share_free(&a);
    }
}

/* ---- The linked list of MPI's example 11.22, in memory that is attached as it grows ---- */

typedef struct {
    MPI_Aint at;
    int rank;
} pointer;

typedef struct element {
    pointer next; /* at 0: none */
    int owner, number;
    struct element *own; /* next that this endpoint has made */
} element;

static const MPI_Aint nowhere = 0;

static pointer fetch_pointer(ep_win win, pointer p)
{
    pointer next = {0, -1};
    EXPECT_OK(ep_fetch_and_op(NULL, &next.at, MPI_AINT, p.rank, p.at, MPI_NO_OP, win));
    EXPECT_OK(ep_win_flush(p.rank, win)); /* MPI orders accesses to one location only */
    EXPECT_OK(ep_fetch_and_op(NULL, &next.rank, MPI_INT, p.rank, MPI_Aint_add(p.at, offsetof(pointer, rank)),
                              MPI_NO_OP, win));
    EXPECT_OK(ep_win_flush(p.rank, win));
    return next;
}

/* The rank is put before the address, which is what others look at. 0 if somebody else has appended his own. */
static int append_to(ep_win win, pointer tail, pointer new_one)
{
    MPI_Aint old = -1;
    int nobody = -1, old_rank = -2;
    EXPECT_OK(ep_compare_and_swap(&new_one.rank, &nobody, &old_rank, MPI_INT, tail.rank,
                                  MPI_Aint_add(tail.at, offsetof(pointer, rank)), win));
    EXPECT_OK(ep_win_flush(tail.rank, win));
    if (old_rank != nobody)
        return 0;
    EXPECT_OK(ep_compare_and_swap(&new_one.at, &nowhere, &old, MPI_AINT, tail.rank, tail.at, win));
    EXPECT_OK(ep_win_flush(tail.rank, win));
    EXPECT_EQ(old, nowhere);
    return 1;
}

static element *new_element(const team_t *t, ep_win win, int number, pointer *p)
{
    element *e = xmalloc(sizeof *e);
    *e = (element){.next = {nowhere, -1}, .owner = t->rank, .number = number};
    EXPECT_OK(ep_win_attach(win, e, sizeof *e));
    EXPECT_OK(MPI_Get_address(e, &p->at));
    p->rank = t->rank;
    return e;
}

/* All elements are there, those of one endpoint in their order. */
static void walk(team_t *t, ep_win win, pointer p, int n)
{
    int *next = calloc((size_t)t->size, sizeof *next), all = 0;
    for (p = fetch_pointer(win, p); p.at != nowhere; p = fetch_pointer(win, p)) {
        int who[2] = {-1, -1};
        EXPECT_OK(
            ep_get(who, 2, MPI_INT, p.rank, MPI_Aint_add(p.at, offsetof(element, owner)), 2, MPI_INT, win));
        EXPECT_OK(ep_win_flush(p.rank, win));
        if (!EXPECT_EQ(who[0], p.rank))
            break;
        EXPECT_EQ(who[1], next[p.rank]++);
        all++;
    }
    EXPECT_EQ(all, n * t->size);
    free(next);
}

static void list(team_t *t, void *arg)
{
    int n = times(t, 40);
    ep_win win = EP_WIN_NULL;
    pointer head = {0, 0}, tail, p;
    element *first = NULL, *mine = NULL;
    (void)arg;
    EXPECT_OK(ep_win_create_dynamic(MPI_INFO_NULL, t->comm, &win));
    EXPECT_OK(ep_win_set_errhandler(win, EP_ERRORS_RETURN));
    if (t->rank == 0)
        mine = new_element(t, win, -1, &head);
    EXPECT_OK(ep_bcast(&head.at, 1, MPI_AINT, 0, t->comm));
    tail = head;
    EXPECT_OK(ep_win_lock_all(0, win));
    for (int i = 0; i < n; i++) {
        element *e = new_element(t, win, i, &p);
        e->own = first;
        first = e;
        while (!append_to(win, tail, p)) {
            pointer next;
            do /* its address comes after its rank */
                next = fetch_pointer(win, tail);
            while (next.at == nowhere);
            tail = next;
        }
        tail = p;
    }
    EXPECT_OK(ep_barrier(t->comm));
    walk(t, win, head, n);
    EXPECT_OK(ep_win_unlock_all(win));
    EXPECT_OK(ep_barrier(t->comm));
    for (element *e = first, *next; e; e = next) {
        next = e->own;
        EXPECT_OK(ep_win_detach(win, e));
        free(e);
    }
    if (mine)
        EXPECT_OK(ep_win_detach(win, mine));
    free(mine);
    EXPECT_OK(ep_win_free(&win));
}

/* A thousand regions in one block, attached and detached in orders of chance, while others use the rest. */
static void regions(team_t *t, void *arg)
{
    enum { REGION = 24 };
    int n = harness_slowness() > 1 || t->size > 4 ? 250 : 1000, next = (t->rank + 1) % t->size;
    int *order = xmalloc((size_t)n * sizeof *order);
    long *value = xmalloc((size_t)n * sizeof *value), one = 1, added = 0;
    char *block = xmalloc((size_t)n * REGION);
    MPI_Aint mine, there;
    ep_win win = EP_WIN_NULL;
    (void)arg;
    EXPECT_OK(ep_win_create_dynamic(MPI_INFO_NULL, t->comm, &win));
    EXPECT_OK(ep_win_set_errhandler(win, EP_ERRORS_RETURN));
    memset(block, 0, (size_t)n * REGION);
    EXPECT_OK(MPI_Get_address(block, &mine));
    EXPECT_OK(ep_sendrecv(&mine, 1, MPI_AINT, (t->rank + t->size - 1) % t->size, 0, &there, 1, MPI_AINT, next,
                          0, t->comm, EP_STATUS_IGNORE));
    for (int i = 0; i < n; i++) {
        int k = random_below(&t->random, i + 1);
        order[i] = order[k];
        order[k] = i;
        value[i] = i;
    }
    for (int i = 0; i < n; i++)
        EXPECT_OK(ep_win_attach(win, block + order[i] * REGION, order[i] % 2 ? 8 : 16));
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_win_lock_all(0, win));
    for (int i = 0; i < n; i++)
        EXPECT_OK(ep_accumulate(&value[i], 1, MPI_LONG, next, MPI_Aint_add(there, i * REGION), 1, MPI_LONG,
                                MPI_SUM, win));
    EXPECT_OK(ep_win_flush_all(win));
    EXPECT_OK(ep_barrier(t->comm));
    for (int i = 0; i < n; i++) {
        if (order[i] % 4 == 0) /* these stay, and are used meanwhile */
            continue;
        EXPECT_OK(ep_win_detach(win, block + order[i] * REGION));
        int stays = i - i % 4;
        EXPECT_OK(ep_accumulate(&one, 1, MPI_LONG, next, MPI_Aint_add(there, stays * REGION), 1, MPI_LONG,
                                MPI_SUM, win));
        EXPECT_OK(ep_win_flush_local(next, win));
    }
    EXPECT_OK(ep_win_unlock_all(win));
    EXPECT_OK(ep_barrier(t->comm));
    for (int i = 0; i < n; i++) {
        long v;
        memcpy(&v, block + i * REGION, sizeof v);
        EXPECT(i % 4 ? v == i : v >= i && v <= i + 4);
        added += v - i;
    }
    EXPECT_EQ(added, n - (n + 3) / 4);
    EXPECT_OK(ep_win_free(&win)); /* with regions attached */
    free(block);
    free(value);
    free(order);
}

static const harness_test tests[] = {
    {"cas lock", cas_lock, NULL},
    {"mcs lock", mcs_lock, NULL},
    {"list", list, NULL},
    {"regions", regions, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma spin", tests);
}
