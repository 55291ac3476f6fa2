/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A counter that hands out work (MPI 11.8): by fetch_and_op, and the way of MPI-2, get of everybody's part
 * and accumulate to one's own under one exclusive lock. No number is handed out twice, none is left out; its
 * owner does nothing but work.
 */
#include "rma.h"

enum { WORK = 120 };

static struct area a;

static long by_fetch(int owner)
{
    long one = 1, number;

    CALL(MPI_Win_lock(MPI_LOCK_SHARED, owner, 0, a.win));
    CALL(MPI_Fetch_and_op(&one, &number, MPI_LONG, owner, area_at(&a, owner, 0), MPI_SUM, a.win));
    CALL(MPI_Win_unlock(owner, a.win));
    return number;
}

static long by_lock(int owner)
{
    long one = 1, number = 0, *parts = calloc((size_t)a.size, sizeof *parts);

    CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, owner, 0, a.win));
    CALL(MPI_Accumulate(&one, 1, MPI_LONG, owner, area_at(&a, owner, a.rank), 1, MPI_LONG, MPI_SUM, a.win));
    if (a.rank > 0)
        CALL(MPI_Get(parts, a.rank, MPI_LONG, owner, area_at(&a, owner, 0), a.rank, MPI_LONG, a.win));
    if (a.rank + 1 < a.size)
        CALL(MPI_Get(parts + a.rank + 1, a.size - a.rank - 1, MPI_LONG, owner, area_at(&a, owner, a.rank + 1),
                     a.size - a.rank - 1, MPI_LONG, a.win));
    CALL(MPI_Win_unlock(owner, a.win));
    for (int r = 0; r < a.size; r++)
        number += parts[r];
    free(parts);
    return number;
}

static void work(int owner, int lock)
{
    static int mine[WORK], all[WORK];
    long number, my_part = 0;

    memset(mine, 0, sizeof mine);
    for (;;) {
        number = lock ? by_lock(owner) + my_part : by_fetch(owner);
        my_part++;
        if (number >= WORK)
            break;
        mine[number]++;
    }
    CALL(MPI_Allreduce(mine, all, WORK, MPI_INT, MPI_SUM, a.comm));
    for (int i = 0; i < WORK; i++)
        expect_int("times handed out", all[i], 1);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++)
        for (int lock = 0; lock < 2; lock++) {
            area_make(&a, flavor, size_of(MPI_COMM_WORLD), 0, MPI_COMM_WORLD);
            work(flavor % a.size, lock);
            area_free(&a);
        }
    return conform_end(0);
}
