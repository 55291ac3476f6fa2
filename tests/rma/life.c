/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * life.c: windows come and go: several at once on different communicators, thousands one after the other, on
 * communicators of any layout; and which windows of MPI's are made for them.
 *
 * Catches: creations that meet another window's, memory and MPI windows that are not given back, ranks that are taken for
 * those of another communicator.
 */
#include "memory.h"
#include "share.h"
#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What ep asks of MPI: these are called instead of MPI's ---- */

static atomic_int made, freed;

int MPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    atomic_fetch_add(&made, 1);
    return PMPI_Win_create(base, size, disp_unit, info, comm, win);
}

int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    atomic_fetch_add(&made, 1);
    return PMPI_Win_allocate(size, disp_unit, info, comm, baseptr, win);
}

int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                            MPI_Win *win)
{
    atomic_fetch_add(&made, 1);
    return PMPI_Win_allocate_shared(size, disp_unit, info, comm, baseptr, win);
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    atomic_fetch_add(&made, 1);
    return PMPI_Win_create_dynamic(info, comm, win);
}

int MPI_Win_free(MPI_Win *win)
{
    atomic_fetch_add(&freed, 1);
    return PMPI_Win_free(win);
}

/* With MPI_THREAD_FUNNELED by others than the main thread. */
static atomic_int asked_by_others;

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    int level, is_main = 1;
    PMPI_Query_thread(&level);
    if (level == MPI_THREAD_FUNNELED)
        PMPI_Is_thread_main(&is_main);
    atomic_fetch_add(&asked_by_others, !is_main);
    return PMPI_Comm_size(comm, size);
}

/* ---- Use ---- */

/* All members add to all; each kind of synchronisation once. */
static void use(const share *a)
{
    long one = 1;
    for (int r = 0; r < a->size; r++) {
        int target = (a->rank + r) % a->size;
        EXPECT_OK(ep_win_lock(r % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, a->win));
        add(a, target, 0, 1 + a->rank);
        EXPECT_OK(ep_put(&one, 1, MPI_LONG, target, share_at(a, target, 8 * (size_t)(1 + a->rank)), 1,
                         MPI_LONG, a->win));
        EXPECT_OK(ep_win_unlock(target, a->win));
    }
    EXPECT_OK(ep_win_fence(0, a->win));
    EXPECT_EQ(*(long *)(void *)a->base, (long)a->size * (a->size + 1) / 2);
    for (int r = 0; r < a->size; r++)
        EXPECT_EQ(((long *)(void *)a->base)[1 + r], 1);
    EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, a->win));
}

static void make_use_free(ep_comm comm, int kind)
{
    share a;
    int size;
    EXPECT_OK(ep_comm_size(comm, &size));
    if (share_make(&a, comm, kind, 8 * (size_t)(1 + size))) {
        use(&a);
        share_free(&a);
    }
}

/* ---- Communicators ---- */

/* Backwards, halves, interleaved, alone; and of two merged groups. */
static void layouts(team_t *t, void *arg)
{
    ep_comm c[5], inter, half;
    int peer = t->rank % 2 ? 0 : 1;
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &c[0]));
    EXPECT_OK(ep_comm_split(t->comm, 0, -t->rank, &c[1]));
    EXPECT_OK(ep_comm_split(t->comm, t->rank % 2, t->rank * 7 % 5, &c[2]));
    EXPECT_OK(ep_comm_split(t->comm, t->rank, 0, &c[3]));
    EXPECT_OK(ep_comm_split(t->comm, t->rank % 2, 0, &half));
    EXPECT_OK(ep_intercomm_create(half, 0, t->comm, peer, 3, &inter));
    EXPECT_OK(ep_intercomm_merge(inter, t->rank % 2 == 0, &c[4]));
    EXPECT_OK(ep_comm_free(&inter));
    EXPECT_OK(ep_comm_free(&half));
    for (int i = 0; i < 5; i++)
        EXPECT_OK(ep_comm_set_errhandler(c[i], EP_ERRORS_RETURN));
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 5; i++)
            make_use_free(c[i], kind);
    for (int i = 0; i < 5; i++)
        EXPECT_OK(ep_comm_free(&c[i]));
}

/* The communicator may go before its window. */
static void freed_comm(team_t *t, void *arg)
{
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        ep_comm c;
        share a;
        EXPECT_OK(ep_comm_dup(t->comm, &c));
        EXPECT_OK(ep_comm_set_errhandler(c, EP_ERRORS_RETURN));
        if (!share_make(&a, c, kind, 8 * (size_t)(1 + t->size)))
            return;
        EXPECT_OK(ep_comm_free(&c));
        a.comm = t->comm;
        use(&a);
        share_free(&a);
    }
}

/* Groups that overlap in every way make and free windows at the same time: pairs with the left neighbour, with the right one,
 * and with everybody. Even ranks go left first, odd ones right: nobody waits in a cycle. */
static void at_once(team_t *t, void *arg)
{
    int n = times(t, 30);
    ep_comm left, right, all;
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &all));
    EXPECT_OK(ep_comm_split(t->comm, t->rank / 2, t->rank, &left));
    EXPECT_OK(ep_comm_split(t->comm, (t->rank + 1) / 2, -t->rank, &right));
    EXPECT_OK(ep_comm_set_errhandler(left, EP_ERRORS_RETURN));
    EXPECT_OK(ep_comm_set_errhandler(right, EP_ERRORS_RETURN));
    EXPECT_OK(ep_comm_set_errhandler(all, EP_ERRORS_RETURN));
    for (int i = 0; i < n; i++) {
        share a, b;
        int size;
        EXPECT_OK(ep_comm_size(left, &size));
        if (!share_make(&a, left, i % KINDS, 8 * (size_t)(1 + size)))
            return;
        EXPECT_OK(ep_comm_size(right, &size));
        if (!share_make(&b, right, i / 2 % KINDS, 8 * (size_t)(1 + size)))
            return;
        use(&a);
        if (i % 10 == 9)
            make_use_free(all, i % KINDS);
        use(&b);
        share_free(i % 2 ? &a : &b);
        share_free(i % 2 ? &b : &a);
    }
    EXPECT_OK(ep_comm_free(&left));
    EXPECT_OK(ep_comm_free(&right));
    EXPECT_OK(ep_comm_free(&all));
}

/* Many at the same time, used one after the other, freed in another order. */
static void many(team_t *t, void *arg)
{
    enum { MANY = 24 };
    share a[MANY];
    (void)arg;
    for (int i = 0; i < MANY; i++)
        if (!share_make(&a[i], t->comm, i % KINDS, 8 * (size_t)(1 + t->size)))
            return;
    for (int i = 0; i < MANY; i++)
        use(&a[(i * 5 + t->size) % MANY]);
    for (int i = 0; i < MANY; i++)
        share_free(&a[i * 7 % MANY]);
}

/* ---- What is left ---- */

typedef struct {
    int kind, cycles;         /* by 4 endpoints */
    long allocated, resident; /* of the process when a fifth is done */
    int files, maps;
} plan;

static int open_files(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static int mappings(void)
{
    FILE *f = fopen("/proc/self/maps", "r");
    int n = 0;
    for (int c; f && (c = getc(f)) != EOF;)
        n += c == '\n';
    if (f)
        fclose(f);
    return n;
}

static void note(plan *p)
{
    p->allocated = memory_allocated();
    p->resident = memory_resident();
    p->files = open_files();
    p->maps = mappings();
}

static void cycles_body(team_t *t, void *arg)
{
    plan *p = arg;
    int n = times(t, p->cycles);
    for (int i = 0; i < n; i++) {
        share a;
        if (!share_make(&a, t->comm, p->kind, 8 * (size_t)(1 + t->size)))
            return;
        if (i % 8 == 0)
            use(&a);
        share_free(&a);
        if (i == n / 5) {
            team_barrier(t);
            if (t->index == 0)
                note(p);
            team_barrier(t);
        }
    }
    team_barrier(t);
    if (t->index)
        return;
    plan now;
    note(&now);
    EXPECT(now.allocated - p->allocated < 256 * 1024);
    EXPECT(now.resident - p->resident < 4 * 1024 * 1024);
    EXPECT(now.files <= p->files + 16);
    EXPECT(now.maps <= p->maps + 16 * harness_slowness()); /* sanitizers map for themselves */
}

static void cycles(void)
{
    for (int kind = 0; kind < KINDS; kind++) {
        plan p = {.kind = kind, .cycles = 300};
        team_run(cycles_body, &p);
    }
}

/* With one process, with EP_RMA=am and for memory that all reach, or the kernel copies, no window of MPI's is made; else they are
 * tried, and those that were made are freed. */
static void of_mpi(void)
{
    const char *way = getenv("EP_RMA"), *level = getenv("EP_TEST_LEVEL"),
               *memory = getenv("EP_SHARED_MEMORY");
    int processes, am = way && strcmp(way, "am") == 0, is_auto = !way || strcmp(way, "auto") == 0;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    for (int kind = 0; kind < KINDS; kind++) {
        plan p = {.kind = kind, .cycles = 3};
        atomic_store(&made, 0);
        atomic_store(&freed, 0);
        team_run(cycles_body, &p);
        int reached = kind == ALLOCATED || (kind == CREATED && !(memory && strcmp(memory, "0") == 0));
        if (processes == 1 || am || kind == SHARED || kind == DYNAMIC || (reached && is_auto))
            EXPECT_EQ(atomic_load(&made), 0);
        else if (!level && team_local_count() > 0)
            EXPECT(atomic_load(&made) > 0);
        EXPECT(atomic_load(&freed) <= atomic_load(&made));
    }
}

/* The first window of these endpoints is made by threads that MPI_THREAD_FUNNELED keeps from calling MPI. */
static void made_by_others(team_t *t, void *arg)
{
    ep_comm some = EP_COMM_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, t->index > 0, 0, &some));
    if (t->index > 0)
        make_use_free(some, CREATED);
    team_barrier(t);
    EXPECT_OK(ep_comm_free(&some));
    EXPECT_EQ(atomic_load(&asked_by_others), 0);
}

static const harness_test tests[] = {
    {"layouts", layouts, NULL},
    {"freed comm", freed_comm, NULL},
    {"at once", at_once, NULL},
    {"many", many, NULL},
    {"cycles", NULL, cycles},
    {"of mpi", NULL, of_mpi},
    {"of others", made_by_others, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma life", tests);
}
