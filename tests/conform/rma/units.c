/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes and displacement units that differ from rank to rank: displacements count in the target's unit
 * (MPI 11.3.1). */
#include "rma.h"

enum { BYTES = 64 };

static int unit_of(int rank)
{
    static const int units[] = {1, 8, 3, 16, 2, 24};

    return units[rank % 6];
}

/* Rank r has r + 2 units of its own and BYTES bytes after that. */
static MPI_Aint bytes_of(int rank)
{
    return unit_of(rank) * (rank + 2) + BYTES;
}

static void check(MPI_Win win, unsigned char *mem)
{
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    unsigned char got[512], put = (unsigned char)(200 - rank);

    memset(mem, 0, (size_t)bytes_of(rank));
    for (int i = 0; i < rank + 2; i++)
        mem[i * unit_of(rank)] = (unsigned char)(10 * rank + i);
    CALL(MPI_Win_fence(0, win));
    for (int t = 0; t < size; t++)
        for (int i = 0; i < t + 2; i++) {
            got[i] = 255;
            CALL(MPI_Get(&got[i], 1, MPI_BYTE, t, i, 1, MPI_BYTE, win));
            if (i == t + 1) {
                CALL(MPI_Win_fence(0, win));
                for (int k = 0; k < t + 2; k++)
                    expect_int("got", got[k], (unsigned char)(10 * t + k));
            }
        }
    /* Into the first bytes after the units. */
    for (int t = 0; t < size; t++) {
        MPI_Datatype shifted;
        MPI_Aint shift = rank % BYTES;
        int one = 1;

        MPI_Type_create_hindexed(1, &one, &shift, MPI_BYTE, &shifted);
        MPI_Type_commit(&shifted);
        CALL(MPI_Put(&put, 1, MPI_BYTE, t, t + 2, 1, shifted, win));
        MPI_Type_free(&shifted);
    }
    CALL(MPI_Win_fence(0, win));
    for (int r = 0; r < size && r < BYTES; r++)
        expect_int("put", mem[unit_of(rank) * (rank + 2) + r], 200 - r);
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    /* The last byte that a window has. */
    for (int t = 0; t < size; t++)
        if (unit_of(t) == 1) {
            CALL(MPI_Win_lock(MPI_LOCK_SHARED, t, 0, win));
            CALL(MPI_Get(got, 1, MPI_BYTE, t, bytes_of(t) - 1, 1, MPI_BYTE, win));
            CALL(MPI_Win_unlock(t, win));
        }
}

int main(int argc, char **argv)
{
    MPI_Win win;
    unsigned char *mem;
    int rank, *unit, flag;
    MPI_Aint *bytes;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    CALL(MPI_Alloc_mem(bytes_of(rank), MPI_INFO_NULL, &mem));
    CALL(MPI_Win_create(mem, bytes_of(rank), unit_of(rank), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    check(win, mem);
    CALL(MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag));
    CHECK(flag && *bytes == bytes_of(rank));
    CALL(MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag));
    CHECK(flag && *unit == unit_of(rank));
    CALL(MPI_Win_free(&win));
    CALL(MPI_Free_mem(mem));
    CALL(MPI_Win_allocate(bytes_of(rank), unit_of(rank), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    check(win, mem);
    CALL(MPI_Win_free(&win));
    CALL(MPI_Win_allocate_shared(bytes_of(rank), unit_of(rank), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    check(win, mem);
    CALL(MPI_Win_free(&win));
    return conform_end(0);
}
