/* SPDX-License-Identifier: BSD-3-Clause */
/* Several locks held at the same time, of different kinds, on different targets and windows, released
 * in any order. */
#include "rma.h"

enum { ROUNDS = 12 };

static struct area a, b;

/* Move a long from one rank to another: both are locked, the lower rank first, so nobody can be caught. */
static void move(int from, int to)
{
    int low = from < to ? from : to, high = from < to ? to : from;
    long x[2];

    CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, low, 0, a.win));
    if (high != low)
        CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, high, 0, a.win));
    CALL(MPI_Get(&x[0], 1, MPI_LONG, from, area_at(&a, from, 0), 1, MPI_LONG, a.win));
    CALL(MPI_Get(&x[1], 1, MPI_LONG, to, area_at(&a, to, 1), 1, MPI_LONG, a.win));
    CALL(MPI_Win_flush_all(a.win));
    x[0]--;
    x[1]++;
    CALL(MPI_Put(&x[0], 1, MPI_LONG, from, area_at(&a, from, 0), 1, MPI_LONG, a.win));
    CALL(MPI_Put(&x[1], 1, MPI_LONG, to, area_at(&a, to, 1), 1, MPI_LONG, a.win));
    if (high != low && from % 2)
        CALL(MPI_Win_unlock(high, a.win));
    CALL(MPI_Win_unlock(low, a.win));
    if (high != low && from % 2 == 0)
        CALL(MPI_Win_unlock(high, a.win));
}

/* One lock of each window on each rank, all shared; unlocked backwards. */
static void everything(void)
{
    long one = 1;

    for (int t = 0; t < a.size; t++) {
        CALL(MPI_Win_lock(MPI_LOCK_SHARED, t, 0, a.win));
        CALL(MPI_Win_lock(MPI_LOCK_SHARED, (t + 1) % a.size, 0, b.win));
    }
    for (int t = 0; t < a.size; t++) {
        CALL(MPI_Accumulate(&one, 1, MPI_LONG, t, area_at(&a, t, 2), 1, MPI_LONG, MPI_SUM, a.win));
        CALL(MPI_Accumulate(&one, 1, MPI_LONG, t, area_at(&b, t, 2), 1, MPI_LONG, MPI_SUM, b.win));
    }
    for (int t = a.size - 1; t >= 0; t--) {
        CALL(MPI_Win_unlock(t, a.win));
        CALL(MPI_Win_unlock(t, b.win));
    }
    CALL(MPI_Barrier(a.comm));
    expect_int("by all", area_read(&a, a.rank, 2), a.size);
    expect_int("by all in the other window", area_read(&b, a.rank, 2), a.size);
}

int main(int argc, char **argv)
{
    long mine[2], sum[2];

    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        unsigned state;

        area_make(&a, flavor, 4, 0, MPI_COMM_WORLD);
        area_make(&b, (flavor + 1) % FLAVORS, 4, 0, MPI_COMM_WORLD);
        state = (unsigned)a.rank + 1;
        for (int i = 0; i < ROUNDS; i++) {
            int from = (int)dice(&state, (unsigned)a.size);

            move(from, (int)dice(&state, (unsigned)a.size));
        }
        CALL(MPI_Barrier(a.comm));
        mine[0] = area_read(&a, a.rank, 0);
        mine[1] = area_read(&a, a.rank, 1);
        CALL(MPI_Allreduce(mine, sum, 2, MPI_LONG, MPI_SUM, a.comm));
        expect_int("taken away", sum[0], -ROUNDS * a.size);
        expect_int("brought", sum[1], ROUNDS * a.size);
        CALL(MPI_Barrier(a.comm));
        everything();
        area_free(&a); /* the first one first */
        area_free(&b);
    }
    return conform_end(0);
}
