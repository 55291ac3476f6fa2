/* SPDX-License-Identifier: BSD-3-Clause */
/* One shared window by loads, stores and calls of RMA in turns; all memory belongs to the last rank. */
#include "rma.h"

int main(int argc, char **argv)
{
    int rank, size, unit, last;
    long *mem, value, old;
    MPI_Aint bytes;
    MPI_Win win;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    last = size - 1;
    CALL(MPI_Win_allocate_shared(rank == last ? (MPI_Aint)sizeof(long) * (size + 1) : 0, sizeof(long),
                                 MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    CALL(MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &mem));
    expect_int("size", bytes, (long)sizeof(long) * (size + 1));
    CALL(MPI_Win_fence(0, win));
    mem[rank] = rank;
    if (rank == last)
        mem[size] = 0;
    CALL(MPI_Win_fence(0, win));
    CALL(MPI_Get(&value, 1, MPI_LONG, last, (rank + 1) % size, 1, MPI_LONG, win));
    CALL(MPI_Win_fence(0, win));
    expect_int("got", value, (rank + 1) % size);
    value = 100 + rank;
    CALL(MPI_Put(&value, 1, MPI_LONG, last, (rank + 1) % size, 1, MPI_LONG, win));
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    expect_int("loaded", mem[rank], 100 + (rank + size - 1) % size);
    for (int i = 0; i < 50; i++) {
        CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, last, 0, win));
        mem[size]++;
        CALL(MPI_Win_unlock(last, win));
        value = 1;
        CALL(MPI_Win_lock(MPI_LOCK_SHARED, last, 0, win));
        CALL(MPI_Fetch_and_op(&value, &old, MPI_LONG, last, size, MPI_SUM, win));
        CALL(MPI_Win_unlock(last, win));
    }
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Win_lock(MPI_LOCK_SHARED, last, 0, win));
    expect_int("counted", mem[size], 100 * size);
    CALL(MPI_Win_unlock(last, win));
    CALL(MPI_Win_free(&win));
    return conform_end(0);
}
