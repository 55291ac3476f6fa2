/* SPDX-License-Identifier: BSD-3-Clause */
/* Flags in a shared window: a token goes round, passed on by stores between MPI_Win_sync (MPI 11.7, 11.8). */
#include "rma.h"

enum { ROUNDS = 20 };

int main(int argc, char **argv)
{
    volatile int *mine, *next, *unused;
    int rank, size, unit, seen;
    MPI_Aint bytes;
    MPI_Win win;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    /* [0]: the token, [1]: data that it guards */
    CALL(MPI_Win_allocate_shared(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &unused, &win));
    CALL(MPI_Win_shared_query(win, rank, &bytes, &unit, &mine));
    CALL(MPI_Win_shared_query(win, (rank + 1) % size, &bytes, &unit, &next));
    CALL(MPI_Win_lock_all(0, win));
    mine[0] = mine[1] = 0;
    CALL(MPI_Win_sync(win));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    for (int round = 1; round <= ROUNDS; round++) {
        if (rank > 0 || round > 1)
            while (CALL(MPI_Win_sync(win)), mine[0] != (rank ? round : round - 1)) {
                /* Others of this process may need the core: a call that makes progress. */
                MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &seen, MPI_STATUS_IGNORE);
            }
        CALL(MPI_Win_sync(win));
        expect_int("data", mine[1], rank ? 1000 * round + rank : round == 1 ? 0 : 1000 * (round - 1) + size);
        next[1] = 1000 * round + rank + 1;
        CALL(MPI_Win_sync(win));
        next[0] = round;
        CALL(MPI_Win_sync(win));
    }
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Win_sync(win));
    expect_int("last token", mine[0], ROUNDS);
    CALL(MPI_Win_unlock_all(win));
    CALL(MPI_Win_free(&win));
    return conform_end(0);
}
