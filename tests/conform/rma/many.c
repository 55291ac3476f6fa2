/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows made and freed a hundred times, some of them alive at once; on parts of the ranks at the
 * same time. */
#include "rma.h"

enum { ROUNDS = 25, ALIVE = 8 };

static void churn(MPI_Comm comm)
{
    struct area alive[ALIVE];
    int used = 0;

    for (int i = 0; i < ROUNDS * 4; i++) {
        struct area *a = &alive[i % ALIVE];
        long one = 1;

        if (used == ALIVE)
            area_free(a);
        else
            used++;
        area_make(a, i % FLAVORS, 2, i, comm);
        CALL(MPI_Win_lock_all(0, a->win));
        for (int t = 0; t < a->size; t++)
            CALL(MPI_Accumulate(&one, 1, MPI_LONG, t, area_at(a, t, 1), 1, MPI_LONG, MPI_SUM, a->win));
        CALL(MPI_Win_unlock_all(a->win));
        CALL(MPI_Barrier(comm));
        expect_int("sum", area_read(a, a->rank, 1), i + a->size);
        CALL(MPI_Barrier(comm));
    }
    for (int i = 0; i < ALIVE; i++)
        area_free(&alive[i]);
}

int main(int argc, char **argv)
{
    MPI_Comm half;

    conform_init(&argc, &argv);
    churn(MPI_COMM_WORLD);
    CALL(MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) / 2, 0, &half));
    churn(half);
    CALL(MPI_Comm_free(&half));
    return conform_end(0);
}
