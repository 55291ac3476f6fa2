/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derived datatypes at origin and target, in all pairs that have the same signature: 24 ints each time. What
 * arrives where is compared with what MPI_Pack and MPI_Unpack say.
 */
#include "rma.h"

enum { INTS = 24, ROOM = 256, MIDDLE = 128, TYPES = 9 };

static MPI_Datatype types[TYPES];
static int counts[TYPES];

static void make_types(void)
{
    int sizes[3] = {4, 6, 5}, parts[3] = {2, 4, 3}, starts[3] = {1, 2, 1};
    int lengths[4] = {1, 3, 6, 2}, places[4] = {20, 0, 9, 5};
    MPI_Aint jumps[2] = {64, -40};
    int two[2] = {3, 5};
    MPI_Datatype mixed[2] = {MPI_INT, MPI_INT}, inner;

    types[0] = MPI_INT;
    counts[0] = INTS;
    MPI_Type_vector(4, 3, 5, MPI_INT, &types[1]);
    counts[1] = 2;
    MPI_Type_vector(6, 4, -7, MPI_INT, &types[2]); /* backwards */
    counts[2] = 1;
    MPI_Type_indexed(4, lengths, places, MPI_INT, &types[3]);
    counts[3] = 2;
    MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &types[4]);
    counts[4] = 1;
    MPI_Type_create_struct(2, two, jumps, mixed, &types[5]);
    counts[5] = 3;
    MPI_Type_create_resized(MPI_INT, -4, 12, &types[6]);
    counts[6] = INTS;
    MPI_Type_contiguous(2, MPI_INT, &inner);
    MPI_Type_create_hvector(3, 2, 36, inner, &types[7]);
    MPI_Type_free(&inner);
    counts[7] = 2;
    MPI_Type_create_resized(MPI_INT, 0, -8, &types[8]); /* elements go backwards */
    counts[8] = INTS;
    for (int i = 1; i < TYPES; i++)
        MPI_Type_commit(&types[i]);
}

/* to, laid out as type t, is what from, laid out as type f, has. */
static void model(int *to, int t, const int *from, int f)
{
    char packed[INTS * sizeof(int)];
    int place = 0;

    MPI_Pack(from + MIDDLE, counts[f], types[f], packed, sizeof packed, &place, MPI_COMM_WORLD);
    place = 0;
    MPI_Unpack(packed, sizeof packed, &place, to + MIDDLE, counts[t], types[t], MPI_COMM_WORLD);
}

static void same(const char *what, int o, int t, const int *got, const int *want)
{
    for (int i = 0; i < ROOM; i++)
        if (got[i] != want[i]) {
            conform_error("%s, origin type %d, target type %d: %d at %d, not %d", what, o, t, got[i], i,
                          want[i]);
            return;
        }
}

static void pair(MPI_Win win, int *mem, int o, int t)
{
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), next = (rank + 1) % size;
    int before = (rank + size - 1) % size, from[ROOM], want[ROOM];

    fill(mem, ROOM, rank);
    fill(want, ROOM, rank);
    fill(from, ROOM, 50 + rank);
    CALL(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    CALL(MPI_Put(from + MIDDLE, counts[o], types[o], next, MIDDLE, counts[t], types[t], win));
    CALL(MPI_Win_fence(0, win));
    fill(from, ROOM, 50 + before);
    model(want, t, from, o);
    same("put", o, t, mem, want);
    CALL(MPI_Win_fence(0, win));
    fill(from, ROOM, 0);
    CALL(MPI_Accumulate(from + MIDDLE, counts[o], types[o], next, MIDDLE, counts[t], types[t], MPI_SUM, win));
    CALL(MPI_Win_fence(0, win));
    {
        int add[ROOM] = {0};

        model(add, t, from, o);
        for (int i = 0; i < ROOM; i++)
            want[i] += add[i];
    }
    same("accumulate", o, t, mem, want);
    CALL(MPI_Win_fence(0, win));
    fill(mem, ROOM, 7 + rank);
    CALL(MPI_Win_fence(0, win));
    CALL(MPI_Get(from + MIDDLE, counts[o], types[o], before, MIDDLE, counts[t], types[t], win));
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    {
        int theirs[ROOM];

        fill(theirs, ROOM, 7 + before);
        fill(want, ROOM, 0);
        model(want, o, theirs, t);
    }
    same("get", o, t, from, want);
}

int main(int argc, char **argv)
{
    MPI_Win win;
    int *mem;

    conform_init(&argc, &argv);
    make_types();
    CALL(MPI_Win_allocate(ROOM * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    for (int o = 0; o < TYPES; o++)
        for (int t = 0; t < TYPES; t++)
            pair(win, mem, o, t);
    CALL(MPI_Win_free(&win));
    for (int i = 1; i < TYPES; i++)
        MPI_Type_free(&types[i]);
    return conform_end(0);
}
