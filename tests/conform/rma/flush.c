/* SPDX-License-Identifier: BSD-3-Clause */
/* The four flushes: after which the target, told by a message, sees the data, and after which buffers
 * may be reused. */
#include "rma.h"

enum { ROUNDS = 16, COUNT = 64 };

static struct area a;

/* Put, flush, tell: the target loads what was put. To one rank or to all at once. */
static void tell(int to_all)
{
    static long data[COUNT];
    int next = (a.rank + 1) % a.size, before = (a.rank + a.size - 1) % a.size, token;

    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < COUNT; k++)
            data[k] = 10000 * i + 100 * a.rank + k;
        for (int t = 0; t < a.size; t++)
            if (to_all || t == next)
                CALL(MPI_Put(data, COUNT, MPI_LONG, t, area_at(&a, t, COUNT * a.rank), COUNT, MPI_LONG,
                             a.win));
        if (to_all)
            CALL(MPI_Win_flush_all(a.win));
        else
            CALL(MPI_Win_flush(next, a.win));
        if (to_all)
            CALL(MPI_Barrier(a.comm));
        else
            CALL(MPI_Sendrecv(&i, 1, MPI_INT, next, 0, &token, 1, MPI_INT, before, 0, a.comm,
                              MPI_STATUS_IGNORE));
        CALL(MPI_Win_sync(a.win));
        for (int r = 0; r < a.size; r++)
            for (int k = 0; (to_all || r == before) && k < COUNT; k++)
                if (!CHECK(a.mem[COUNT * r + k] == 10000 * i + 100 * r + k))
                    return;
        CALL(MPI_Barrier(a.comm)); /* loads before the next puts */
    }
}

/* After a local flush the buffer is free: each of many puts from one variable brings another value. */
static void reuse(int all)
{
    int t = (a.rank + 1) % a.size;
    long value, got[COUNT];

    for (int i = 0; i < COUNT; i++) {
        value = 5 * i + a.rank;
        if (i % 2)
            CALL(MPI_Put(&value, 1, MPI_LONG, t, area_at(&a, t, COUNT * a.rank + i), 1, MPI_LONG, a.win));
        else
            CALL(MPI_Accumulate(&value, 1, MPI_LONG, t, area_at(&a, t, COUNT * a.rank + i), 1, MPI_LONG,
                                MPI_REPLACE, a.win));
        if (all)
            CALL(MPI_Win_flush_local_all(a.win));
        else
            CALL(MPI_Win_flush_local(t, a.win));
        value = -1;
    }
    CALL(MPI_Win_flush(t, a.win));
    CALL(MPI_Get(got, COUNT, MPI_LONG, t, area_at(&a, t, COUNT * a.rank), COUNT, MPI_LONG, a.win));
    if (all) /* completes a get, too */
        CALL(MPI_Win_flush_local_all(a.win));
    else
        CALL(MPI_Win_flush_local(t, a.win));
    for (int i = 0; i < COUNT; i++)
        expect_int("put", got[i], 5 * i + a.rank);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, COUNT * size_of(MPI_COMM_WORLD), -1, MPI_COMM_WORLD);
        CALL(MPI_Win_lock_all(0, a.win));
        for (int all = 0; all < 2; all++) {
            tell(all);
            reuse(all);
            CALL(MPI_Barrier(a.comm));
        }
        CALL(MPI_Win_unlock_all(a.win));
        area_free(&a);
    }
    return conform_end(0);
}
