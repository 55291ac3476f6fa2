/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic windows: several regions per rank, attached and detached while others access other ones (MPI
 * 11.2.4). */
#include "rma.h"

enum { REGIONS = 20, COUNT = 100 };

static MPI_Aint address(void *at)
{
    MPI_Aint a;

    MPI_Get_address(at, &a);
    return a;
}

static void attributes(MPI_Win win)
{
    void *base;
    MPI_Aint *size;
    int *unit, *flavor, flag;

    CALL(MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag));
    CHECK(flag && base == MPI_BOTTOM);
    CALL(MPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &flag));
    CHECK(flag && *size == 0);
    CALL(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag));
    CHECK(flag && *unit == 1);
    CALL(MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag));
    CHECK(flag && *flavor == MPI_WIN_FLAVOR_DYNAMIC);
}

int main(int argc, char **argv)
{
    int rank, size, next, before, *region[REGIONS], data[COUNT], nothing[1];
    MPI_Aint mine[REGIONS], theirs[REGIONS], fresh;
    MPI_Win win;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    CALL(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    attributes(win);
    for (int i = 0; i < REGIONS; i++) {
        region[i] = malloc(COUNT * sizeof(int));
        mine[i] = address(region[i]);
        fill(region[i], COUNT, 100 * rank + i);
        CALL(MPI_Win_attach(win, region[i], COUNT * sizeof(int)));
    }
    CALL(MPI_Win_attach(win, nothing, 0));
    CALL(MPI_Sendrecv(mine, REGIONS, MPI_AINT, before, 0, theirs, REGIONS, MPI_AINT, next, 0, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    CALL(MPI_Win_lock_all(0, win));
    for (int i = 0; i < REGIONS; i++) {
        int from = i % 7;

        CALL(MPI_Get(data + from, COUNT - from, MPI_INT, next,
                     MPI_Aint_add(theirs[i], from * (int)sizeof(int)), COUNT - from, MPI_INT, win));
        CALL(MPI_Win_flush(next, win));
        for (int k = from; k < COUNT; k++)
            expect_int("got", data[k], (100 * next + i) * 7919 + k);
    }
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    /* Every other one goes while the rest are written to. */
    for (int i = 1; i < REGIONS; i += 2) {
        fill(data, COUNT, 7 + i + rank);
        CALL(MPI_Put(data, COUNT, MPI_INT, next, theirs[i - 1], COUNT, MPI_INT, win));
        CALL(MPI_Win_detach(win, region[i]));
        free(region[i]);
        CALL(MPI_Win_flush(next, win));
    }
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < REGIONS; i += 2)
        expect_int("first difference", differs(region[i], COUNT, 8 + i + before), -1);
    /* New memory while the epoch is open. */
    region[1] = malloc(COUNT * sizeof(int));
    memset(region[1], 0, COUNT * sizeof(int));
    CALL(MPI_Win_attach(win, region[1], COUNT * sizeof(int)));
    mine[1] = address(region[1]);
    CALL(MPI_Sendrecv(&mine[1], 1, MPI_AINT, before, 0, &fresh, 1, MPI_AINT, next, 0, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    fill(data, COUNT, rank);
    CALL(MPI_Accumulate(data, COUNT, MPI_INT, next, fresh, COUNT, MPI_INT, MPI_SUM, win));
    CALL(MPI_Win_unlock_all(win));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    expect_int("first difference", differs(region[1], COUNT, before), -1);
    CALL(MPI_Win_detach(win, region[1]));
    free(region[1]);
    /* The rest is still attached when the window is freed. */
    CALL(MPI_Win_free(&win));
    for (int i = 0; i < REGIONS; i += 2)
        free(region[i]);
    return conform_end(0);
}
