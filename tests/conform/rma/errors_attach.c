/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic windows: what is attached twice, detached unattached, or accessed unattached (MPI 11.6);
 * said by ep alone. */
#include "rma.h"

static int class_of(int code)
{
    int class = code;

    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

int main(int argc, char **argv)
{
    long memory[8] = {0}, other[8] = {0}, value = 1, old;
    MPI_Aint mine[2], *theirs, bad;
    MPI_Win win;
    int rank, size, next, class;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    next = (rank + 1) % size;
    CALL(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    CALL(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CALL(MPI_Win_attach(win, memory, sizeof memory));
    MPI_Get_address(memory, &mine[0]);
    MPI_Get_address(other, &mine[1]);
    theirs = malloc(sizeof mine * (size_t)size);
    CALL(MPI_Allgather(mine, 2, MPI_AINT, theirs, 2, MPI_AINT, MPI_COMM_WORLD));
    bad = theirs[2 * next + 1];
    if (UNDER_EP) {
        FAILS(MPI_ERR_RMA_ATTACH, MPI_Win_attach(win, memory, sizeof memory));
        FAILS(MPI_ERR_RMA_ATTACH, MPI_Win_attach(win, memory + 2, sizeof(long)));
        FAILS(MPI_ERR_SIZE, MPI_Win_attach(win, other, -1));
        CHECK(class_of(MPI_Win_detach(win, other)) != MPI_SUCCESS);
        CHECK(class_of(MPI_Win_detach(win, memory + 1)) != MPI_SUCCESS);
        /* Unattached memory of a target: said by the call or by what completes it. */
        CALL(MPI_Win_lock_all(0, win));
        class = class_of(MPI_Put(&value, 1, MPI_LONG, next, bad, 1, MPI_LONG, win));
        if (class == MPI_SUCCESS)
            class = class_of(MPI_Win_flush(next, win));
        CHECK(class == MPI_ERR_RMA_RANGE || class == MPI_ERR_RMA_ATTACH);
        class = class_of(MPI_Fetch_and_op(&value, &old, MPI_LONG, next, bad, MPI_SUM, win));
        if (class == MPI_SUCCESS)
            class = class_of(MPI_Win_flush_all(win));
        CHECK(class == MPI_ERR_RMA_RANGE || class == MPI_ERR_RMA_ATTACH);
        class = class_of(MPI_Get(&old, 1, MPI_LONG, next, bad, 1, MPI_LONG, win));
        if (class == MPI_SUCCESS)
            class = class_of(MPI_Win_flush_local(next, win));
        CHECK(class == MPI_ERR_RMA_RANGE || class == MPI_ERR_RMA_ATTACH);
        /* One long too many. */
        class = class_of(MPI_Put(other, 8, MPI_LONG, next, MPI_Aint_add(theirs[2 * next], sizeof(long)), 8,
                                 MPI_LONG, win));
        if (class == MPI_SUCCESS)
            class = class_of(MPI_Win_flush(next, win));
        CHECK(class == MPI_ERR_RMA_RANGE || class == MPI_ERR_RMA_ATTACH);
        CALL(MPI_Win_unlock_all(win));
        CALL(MPI_Barrier(MPI_COMM_WORLD));
        CHECK(other[0] == 0 && memory[0] == 0 && memory[7] == 0);
        CALL(MPI_Barrier(MPI_COMM_WORLD));
    }
    /* The window still works. */
    CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win));
    CALL(MPI_Put(&value, 1, MPI_LONG, next, theirs[2 * next], 1, MPI_LONG, win));
    CALL(MPI_Win_unlock(next, win));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    expect_int("put", memory[0], 1);
    CALL(MPI_Win_detach(win, memory));
    CALL(MPI_Win_free(&win));
    free(theirs);
    return conform_end(0);
}
