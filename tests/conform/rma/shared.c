/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared windows: where MPI_Win_shared_query says that the memory of others is, loads and stores there
 * (MPI 11.2.3). */
#include "rma.h"

#include <stdint.h>

/* Rank r has 3 * r ints, with units of r + 1 bytes; so rank 0 has nothing. */
static void check(MPI_Comm comm, MPI_Info info, int contiguous)
{
    int rank = rank_of(comm), size = size_of(comm), unit, first = size > 1 ? 1 : 0;
    int *mine, *theirs, *before = NULL;
    MPI_Aint bytes, length = 3 * rank * (MPI_Aint)sizeof(int);
    MPI_Win win;

    CALL(MPI_Win_allocate_shared(length, rank + 1, info, comm, &mine, &win));
    CALL(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    for (int i = 0; i < 3 * rank; i++)
        mine[i] = 100 * rank + i;
    CALL(MPI_Win_sync(win));
    CALL(MPI_Barrier(comm));
    CALL(MPI_Win_sync(win));
    for (int r = 0; r < size; r++) {
        CALL(MPI_Win_shared_query(win, r, &bytes, &unit, &theirs));
        expect_int("size", bytes, 3 * r * (int)sizeof(int));
        expect_int("displacement unit", unit, r + 1);
        CHECK(r != rank || r == 0 || theirs == mine);
        for (int i = 0; i < 3 * r; i++)
            expect_int("loaded", theirs[i], 100 * r + i);
        if (r > 1 && contiguous)
            CHECK(theirs == before + 3 * (r - 1));
        CHECK(bytes == 0 || (uintptr_t)theirs % sizeof(int) == 0);
        before = theirs;
    }
    CALL(MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &theirs));
    expect_int("size of the first that has memory", bytes, 3 * first * (int)sizeof(int));
    if (first) {
        expect_int("its displacement unit", unit, 2);
        expect_int("loaded there", theirs[2], 102);
    }
    CALL(MPI_Barrier(comm));
    /* Store into the next rank's memory. */
    CALL(MPI_Win_shared_query(win, (rank + 1) % size, &bytes, &unit, &theirs));
    for (int i = 0; i < bytes / (int)sizeof(int); i++)
        theirs[i] = rank - i;
    CALL(MPI_Win_sync(win));
    CALL(MPI_Barrier(comm));
    CALL(MPI_Win_sync(win));
    for (int i = 0; i < 3 * rank; i++)
        expect_int("stored by the rank before", mine[i], (rank + size - 1) % size - i);
    CALL(MPI_Win_unlock_all(win));
    CALL(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    MPI_Comm node, half;
    MPI_Info info;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    CALL(MPI_Comm_split(node, rank_of(node) % 2, -rank_of(node), &half));
    CALL(MPI_Info_create(&info));
    CALL(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
    check(node, MPI_INFO_NULL, 1);
    check(node, info, 0);
    check(half, MPI_INFO_NULL, 1);
    check(half, info, 0);
    check(MPI_COMM_SELF, MPI_INFO_NULL, 1);
    CALL(MPI_Info_set(info, "alloc_shared_noncontig", "false"));
    check(node, info, 1);
    CALL(MPI_Info_free(&info));
    CALL(MPI_Comm_free(&half));
    CALL(MPI_Comm_free(&node));
    return conform_end(0);
}
