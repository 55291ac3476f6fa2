/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several windows at once: on one communicator, on a duplicate, on parts of it, over the same memory; in
 * other epochs each; used after their communicators were freed, and freed in another order than made.
 */
#include "rma.h"

enum { WINDOWS = 5 };

static long value_of(int window, int rank)
{
    return 1000 * window + rank + 1;
}

int main(int argc, char **argv)
{
    struct area a[WINDOWS];
    MPI_Comm comms[WINDOWS];
    long got[WINDOWS], out[WINDOWS];
    int rank, order[WINDOWS] = {3, 0, 4, 2, 1}, next[WINDOWS];

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    comms[0] = comms[1] = MPI_COMM_WORLD;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]));
    CALL(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[3]));
    CALL(MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &comms[4]));
    for (int w = 0; w < WINDOWS; w++) {
        area_make(&a[w], ALLOCATED, 2, 0, comms[w]);
        next[w] = (a[w].rank + 1) % a[w].size;
    }
    for (int w = 2; w < WINDOWS; w++)
        CALL(MPI_Comm_free(&comms[w]));
    /* Three in passive epochs at once, while one is in a fence epoch. */
    CALL(MPI_Win_lock_all(0, a[0].win));
    CALL(MPI_Win_lock(MPI_LOCK_SHARED, next[1], 0, a[1].win));
    CALL(MPI_Win_fence(0, a[2].win));
    CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next[3], 0, a[3].win));
    CALL(MPI_Win_fence(0, a[4].win));
    for (int w = 0; w < WINDOWS; w++) {
        out[w] = value_of(w, a[w].rank);
        CALL(MPI_Put(&out[w], 1, MPI_LONG, next[w], area_at(&a[w], next[w], 0), 1, MPI_LONG, a[w].win));
    }
    CALL(MPI_Win_fence(0, a[4].win));
    CALL(MPI_Win_unlock(next[3], a[3].win));
    CALL(MPI_Win_unlock_all(a[0].win));
    CALL(MPI_Win_fence(0, a[2].win));
    CALL(MPI_Win_unlock(next[1], a[1].win));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    for (int w = 0; w < WINDOWS; w++) {
        if (w == 2 || w == 4)
            CALL(MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, a[w].win));
        got[w] = area_read(&a[w], a[w].rank, 0);
        expect_int("put", got[w], value_of(w, (a[w].rank + a[w].size - 1) % a[w].size));
    }
    /* The others still work when some are freed. */
    for (int i = 0; i < WINDOWS; i++) {
        area_free(&a[order[i]]);
        for (int k = i + 1; k < WINDOWS; k++) {
            struct area *w = &a[order[k]];

            expect_int("still there", area_read(w, next[order[k]], 0), value_of(order[k], w->rank));
        }
    }
    /* Two windows over one memory: what is put through one is got through the other. */
    {
        static _Alignas(16) long memory[8];
        static long put, back = -1;
        MPI_Win low, all;
        int size = size_of(MPI_COMM_WORLD), target = (rank + 1) % size;

        put = 77 + rank;
        CALL(MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &all));
        CALL(MPI_Win_create(memory + 2, 4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &low));
        CALL(MPI_Win_fence(0, low));
        CALL(MPI_Put(&put, 1, MPI_LONG, target, 1, 1, MPI_LONG, low));
        CALL(MPI_Win_fence(0, low));
        CALL(MPI_Win_fence(0, all));
        CALL(MPI_Get(&back, 1, MPI_LONG, target, 3, 1, MPI_LONG, all));
        CALL(MPI_Win_fence(0, all));
        expect_int("through the other window", back, put);
        CALL(MPI_Win_free(&all));
        CALL(MPI_Win_free(&low));
    }
    return conform_end(0);
}
