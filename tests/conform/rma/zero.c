/* SPDX-License-Identifier: BSD-3-Clause */
/* Nothing: windows without memory, counts of 0, empty types, the target MPI_PROC_NULL, in all kinds of
 * epochs. */
#include "rma.h"

static int rank, size;

/* All calls that do nothing at a target. requests: in a passive epoch. */
static void nothing(MPI_Win win, int target, int count, int requests)
{
    long value = 5, result = 6, compare = 5;
    MPI_Request r[4];

    CALL(MPI_Put(&value, count, MPI_LONG, target, 0, count, MPI_LONG, win));
    CALL(MPI_Get(&value, count, MPI_LONG, target, 0, count, MPI_LONG, win));
    CALL(MPI_Accumulate(&value, count, MPI_LONG, target, 0, count, MPI_LONG, MPI_SUM, win));
    CALL(MPI_Get_accumulate(&value, count, MPI_LONG, &result, count, MPI_LONG, target, 0, count, MPI_LONG,
                            MPI_SUM, win));
    if (target == MPI_PROC_NULL) {
        CALL(MPI_Fetch_and_op(&value, &result, MPI_LONG, target, 0, MPI_SUM, win));
        CALL(MPI_Compare_and_swap(&value, &compare, &result, MPI_LONG, target, 0, win));
    }
    if (requests) {
        CALL(MPI_Rput(&value, count, MPI_LONG, target, 0, count, MPI_LONG, win, &r[0]));
        CALL(MPI_Rget(&value, count, MPI_LONG, target, 0, count, MPI_LONG, win, &r[1]));
        CALL(MPI_Raccumulate(&value, count, MPI_LONG, target, 0, count, MPI_LONG, MPI_SUM, win, &r[2]));
        CALL(MPI_Rget_accumulate(&value, count, MPI_LONG, &result, count, MPI_LONG, target, 0, count,
                                 MPI_LONG, MPI_SUM, win, &r[3]));
        CALL(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
    }
    expect_int("value", value, 5);
    expect_int("result", result, 6);
}

static void epochs(MPI_Win win)
{
    int all[512], next = (rank + 1) % size;
    MPI_Group group;

    for (int i = 0; i < size; i++)
        all[i] = i;
    group = group_of(MPI_COMM_WORLD, all, size);
    CALL(MPI_Win_fence(0, win));
    nothing(win, next, 0, 0);
    nothing(win, MPI_PROC_NULL, 0, 0);
    nothing(win, MPI_PROC_NULL, 1, 0);
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    CALL(MPI_Win_post(group, 0, win));
    CALL(MPI_Win_start(group, 0, win));
    nothing(win, next, 0, 0);
    nothing(win, MPI_PROC_NULL, 1, 0);
    CALL(MPI_Win_complete(win));
    CALL(MPI_Win_wait(win));
    CALL(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    nothing(win, next, 0, 1);
    nothing(win, MPI_PROC_NULL, 1, 1);
    CALL(MPI_Win_unlock(next, win));
    CALL(MPI_Win_lock_all(0, win));
    nothing(win, next, 0, 1);
    nothing(win, MPI_PROC_NULL, 1, 1);
    CALL(MPI_Win_flush_all(win));
    CALL(MPI_Win_unlock_all(win));
    MPI_Group_free(&group);
}

static void empty_types(void)
{
    MPI_Datatype empty, block;
    MPI_Win win;
    long *mem, value = 1;

    MPI_Type_contiguous(0, MPI_LONG, &empty);
    MPI_Type_commit(&empty);
    MPI_Type_vector(0, 3, 5, MPI_LONG, &block);
    MPI_Type_commit(&block);
    CALL(MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    *mem = 9;
    CALL(MPI_Win_fence(0, win));
    CALL(MPI_Put(&value, 3, empty, (rank + 1) % size, 0, 2, block, win));
    CALL(MPI_Get(&value, 3, empty, (rank + 1) % size, 0, 0, MPI_LONG, win));
    CALL(MPI_Win_fence(0, win));
    expect_int("memory", *mem, 9);
    expect_int("value", value, 1);
    CALL(MPI_Win_free(&win));
    MPI_Type_free(&empty);
    MPI_Type_free(&block);
}

int main(int argc, char **argv)
{
    MPI_Win win;
    long *mem, one = 1;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    CALL(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    epochs(win);
    CALL(MPI_Win_free(&win));
    CALL(MPI_Win_allocate(0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    epochs(win);
    CALL(MPI_Win_free(&win));
    CALL(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    epochs(win);
    CALL(MPI_Win_free(&win));
    /* Only the last rank has memory. */
    CALL(MPI_Win_allocate(rank == size - 1 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                          &mem, &win));
    if (rank == size - 1)
        *mem = 0;
    epochs(win);
    CALL(MPI_Win_fence(0, win));
    CALL(MPI_Accumulate(&one, 1, MPI_LONG, size - 1, 0, 1, MPI_LONG, MPI_SUM, win));
    CALL(MPI_Win_fence(0, win));
    if (rank == size - 1)
        expect_int("sum", *mem, size);
    CALL(MPI_Win_free(&win));
    empty_types();
    return conform_end(0);
}
