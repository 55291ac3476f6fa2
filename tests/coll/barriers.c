/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barriers.c: 1,000,000 barriers, and nobody leaves one before all have come.
 *
 * Before each barrier everybody writes its number down in memory that all processes share, and looks at the numbers
 * of others afterwards. Nothing is looked at where the processes cannot share memory.
 */
#include "harness.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { SLOT = 8 }; /* words from one endpoint's number to the next: a cache line */

typedef struct {
    MPI_Win window;
    _Atomic int64_t *number; /* by rank; NULL where the processes do not share memory */
    int size;
} board;

static void board_make(board *b)
{
    MPI_Comm near;
    int n = team_local_count(), all, rank, unit;
    MPI_Aint bytes;
    MPI_Allreduce(&n, &b->size, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    MPI_Comm_rank(near, &rank);
    MPI_Win_allocate_shared(rank ? 0 : (MPI_Aint)b->size * SLOT * 8, 8, MPI_INFO_NULL, near, &b->number,
                            &b->window);
    MPI_Win_shared_query(b->window, 0, &bytes, &unit, &b->number);
    for (int i = 0; rank == 0 && i < b->size; i++)
        atomic_store(&b->number[i * SLOT], 0);
    MPI_Comm_size(near, &n);
    if (n < all)
        b->number = NULL;
    MPI_Comm_free(&near);
    MPI_Barrier(MPI_COMM_WORLD);
}

static int how_many(int size)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    int n = 1000000 / harness_slowness();
    return size > cpus ? n / (100 * size / 4) + 100 : n;
}

/* Everybody looks at one other in turn, and now and then at all. */
static void look(const team_t *t, const board *b, int64_t i)
{
    if (!b->number)
        return;
    int all = i % 512 == 0, first = all ? 0 : (int)((t->rank + i) % t->size), end = all ? t->size : first + 1;
    for (int r = first; r < end; r++) {
        int64_t got = atomic_load_explicit(&b->number[r * SLOT], memory_order_acquire);
        if (got < i || got > i + 1)
            EXPECT_EQ(got, i);
    }
}

static void blocking(team_t *t, void *arg)
{
    board *b = arg;
    int n = how_many(t->size);
    for (int64_t i = 1; i <= n; i++) {
        if (b->number)
            atomic_store_explicit(&b->number[t->rank * SLOT], i, memory_order_release);
        if (ep_barrier(t->comm) != MPI_SUCCESS)
            EXPECT_EQ(i, 0);
        look(t, b, i);
    }
}

/* Up to three under way: the number of the first counts. */
static void nonblocking(team_t *t, void *arg)
{
    board *b = arg;
    ep_request r[3];
    int n = how_many(t->size) / 10 + 3;
    for (int64_t i = 1; i <= n; i += 3) {
        for (int k = 0; k < 3; k++) {
            if (b->number && k == 0)
                atomic_store_explicit(&b->number[t->rank * SLOT], i, memory_order_release);
            EXPECT_OK(ep_ibarrier(t->comm, &r[k]));
        }
        EXPECT_OK(ep_wait(&r[0], EP_STATUS_IGNORE));
        if (b->number)
            EXPECT(atomic_load_explicit(&b->number[(t->rank + 1) % t->size * SLOT], memory_order_acquire) >=
                   i);
        EXPECT_OK(ep_waitall(2, r + 1, EP_STATUSES_IGNORE));
    }
}

static void with_board(team_body *body)
{
    board b;
    board_make(&b);
    team_run(body, &b);
    MPI_Win_free(&b.window);
}

static void run_blocking(void)
{
    with_board(blocking);
}

static void run_nonblocking(void)
{
    with_board(nonblocking);
}

static const harness_test tests[] = {
    {"blocking", NULL, run_blocking},
    {"nonblocking", NULL, run_nonblocking},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "barriers", tests);
}
