/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of calls on windows: which class each error has; and that nothing was done. */
#include "rma.h"

static int size;
static long value = 1, result, compare;

static void communication(MPI_Win win)
{
    MPI_Datatype open, mixed, types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Aint places[2] = {0, 8};
    int lengths[2] = {1, 1};
    MPI_Op op;

    CALL(MPI_Win_lock_all(0, win));
    FAILS(MPI_ERR_RANK, MPI_Put(&value, 1, MPI_LONG, size, 0, 1, MPI_LONG, win));
    FAILS(MPI_ERR_RANK, MPI_Get(&value, 1, MPI_LONG, -80, 0, 1, MPI_LONG, win));
    FAILS(MPI_ERR_RANK, MPI_Accumulate(&value, 1, MPI_LONG, size, 0, 1, MPI_LONG, MPI_SUM, win));
    FAILS(MPI_ERR_RANK, MPI_Fetch_and_op(&value, &result, MPI_LONG, size, 0, MPI_SUM, win));
    FAILS(MPI_ERR_RANK, MPI_Compare_and_swap(&value, &compare, &result, MPI_LONG, size, 0, win));
    FAILS(MPI_ERR_COUNT, MPI_Put(&value, -1, MPI_LONG, 0, 0, 1, MPI_LONG, win));
    FAILS(MPI_ERR_COUNT, MPI_Get(&value, 1, MPI_LONG, 0, 0, -1, MPI_LONG, win));
    FAILS(MPI_ERR_COUNT, MPI_Accumulate(&value, -1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win));
    FAILS(MPI_ERR_TYPE, MPI_Put(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_LONG, win));
    FAILS(MPI_ERR_TYPE, MPI_Get(&value, 1, MPI_LONG, 0, 0, 1, MPI_DATATYPE_NULL, win));
    MPI_Type_contiguous(1, MPI_LONG, &open);
    FAILS(MPI_ERR_TYPE, MPI_Put(&value, 1, open, 0, 0, 1, MPI_LONG, win));
    FAILS(MPI_ERR_TYPE, MPI_Get(&value, 1, MPI_LONG, 0, 0, 1, open, win));
    MPI_Type_free(&open);
    FAILS(MPI_ERR_OP, MPI_Accumulate(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_OP_NULL, win));
    if (UNDER_EP) { /* what Open MPI or MPICH take without a word */
        FAILS(MPI_ERR_OP, MPI_Accumulate(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_BAND, win));
        MPI_Type_create_struct(2, lengths, places, types, &mixed);
        MPI_Type_commit(&mixed);
        FAILS(MPI_ERR_TYPE, MPI_Accumulate(&value, 1, mixed, 0, 0, 1, mixed, MPI_SUM, win));
        MPI_Type_free(&mixed);
        FAILS(MPI_ERR_TYPE, MPI_Compare_and_swap(&value, &compare, &result, MPI_DOUBLE, 0, 0, win));
        MPI_Op_create((MPI_User_function *)abort, 1, &op);
        FAILS(MPI_ERR_OP, MPI_Accumulate(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, op, win));
        MPI_Op_free(&op);
    }
    CALL(MPI_Win_unlock_all(win));
}

static void synchronisation(MPI_Win win)
{
    FAILS(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win));
    FAILS(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_EXCLUSIVE, -80, 0, win));
    FAILS(MPI_ERR_LOCKTYPE, MPI_Win_lock(MPI_LOCK_EXCLUSIVE + MPI_LOCK_SHARED + 1000, 0, 0, win));
    if (UNDER_EP) {
        FAILS(MPI_ERR_ASSERT, MPI_Win_lock(MPI_LOCK_SHARED, 0, 1 << 28, win));
        FAILS(MPI_ERR_ASSERT, MPI_Win_lock_all(1 << 28, win));
        FAILS(MPI_ERR_GROUP, MPI_Win_post(MPI_GROUP_NULL, 0, win));
        FAILS(MPI_ERR_GROUP, MPI_Win_start(MPI_GROUP_NULL, 0, win));
    }
}

static void creation(void)
{
    MPI_Win win = MPI_WIN_NULL;
    long *mem, memory[2];

    FAILS(MPI_ERR_DISP, MPI_Win_create(memory, sizeof memory, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    FAILS(MPI_ERR_SIZE, MPI_Win_create(memory, -8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    FAILS(MPI_ERR_COMM, MPI_Win_create(memory, sizeof memory, 8, MPI_INFO_NULL, MPI_COMM_NULL, &win));
    FAILS(MPI_ERR_SIZE, MPI_Win_allocate(-8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    if (UNDER_EP) /* one rank's error is everybody's, MPI implementations hang */
        FAILS(MPI_ERR_SIZE, MPI_Win_allocate(rank_of(MPI_COMM_WORLD) == 0 ? -8 : 8, 8, MPI_INFO_NULL,
                                             MPI_COMM_WORLD, &mem, &win));
}

static void no_window(void)
{
    MPI_Win none = MPI_WIN_NULL;
    char name[MPI_MAX_OBJECT_NAME];
    int length;

    FAILS(MPI_ERR_WIN, MPI_Put(&value, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_WIN_NULL));
    FAILS(MPI_ERR_WIN, MPI_Win_fence(0, MPI_WIN_NULL));
    FAILS(MPI_ERR_WIN, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, MPI_WIN_NULL));
    FAILS(MPI_ERR_WIN, MPI_Win_flush_all(MPI_WIN_NULL));
    FAILS(MPI_ERR_WIN, MPI_Win_free(&none));
    FAILS(MPI_ERR_WIN, MPI_Win_get_name(MPI_WIN_NULL, name, &length));
}

int main(int argc, char **argv)
{
    struct area a;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    size = size_of(MPI_COMM_WORLD);
    area_make(&a, ALLOCATED, 2, 3, MPI_COMM_WORLD);
    CALL(MPI_Win_set_errhandler(a.win, MPI_ERRORS_RETURN));
    communication(a.win);
    synchronisation(a.win);
    creation();
    no_window();
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    expect_int("untouched", area_read(&a, a.rank, 0), 3);
    area_free(&a);
    return conform_end(0);
}
