/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows on MPI_COMM_SELF and accesses to oneself: all calls in all kinds of epochs, also from the
 * window to itself. */
#include "rma.h"

enum { COUNT = 32 };

static struct area a;

static void accesses(int passive)
{
    long value = 7, result = -1, compare = 8, more[4] = {1, 2, 3, 4};
    int me = a.rank;
    MPI_Request r;

    CALL(MPI_Put(more, 4, MPI_LONG, me, area_at(&a, me, 0), 4, MPI_LONG, a.win));
    CALL(MPI_Accumulate(&value, 1, MPI_LONG, me, area_at(&a, me, 4), 1, MPI_LONG, MPI_SUM, a.win));
    CALL(MPI_Fetch_and_op(&value, &result, MPI_LONG, me, area_at(&a, me, 5), MPI_SUM, a.win));
    CALL(MPI_Compare_and_swap(&value, &compare, &more[0], MPI_LONG, me, area_at(&a, me, 6), a.win));
    /* From one half of the window to the other. */
    CALL(MPI_Put(&a.mem[24], 4, MPI_LONG, me, area_at(&a, me, 16), 4, MPI_LONG, a.win));
    CALL(MPI_Get(&a.mem[20], 4, MPI_LONG, me, area_at(&a, me, 28), 4, MPI_LONG, a.win));
    if (passive) {
        CALL(MPI_Win_flush(me, a.win));
        expect_int("fetched", result, 100);
        CALL(MPI_Rget(&result, 1, MPI_LONG, me, area_at(&a, me, 4), 1, MPI_LONG, a.win, &r));
        CALL(MPI_Wait(&r, MPI_STATUS_IGNORE));
        expect_int("got", result, 107);
    }
}

static void prepare(void)
{
    CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, a.rank, 0, a.win));
    for (int i = 0; i < COUNT; i++)
        a.mem[i] = i < 16 ? 100 : i;
    a.mem[6] = 8;
    CALL(MPI_Win_unlock(a.rank, a.win));
}

static void check(const char *what)
{
    CALL(MPI_Win_lock(MPI_LOCK_SHARED, a.rank, 0, a.win));
    for (int i = 0; i < 4; i++) {
        if (i > 0)
            expect_int(what, a.mem[i], i + 1);
        expect_int(what, a.mem[16 + i], 24 + i);
        expect_int(what, a.mem[20 + i], 28 + i);
    }
    expect_int(what, a.mem[4], 107);
    expect_int(what, a.mem[5], 107);
    expect_int(what, a.mem[6], 7);
    CALL(MPI_Win_unlock(a.rank, a.win));
}

static void epochs(MPI_Comm comm, enum flavor flavor)
{
    MPI_Group me;

    area_make(&a, flavor, COUNT, 0, comm);
    me = group_of(comm, &a.rank, 1);
    prepare();
    CALL(MPI_Win_fence(0, a.win));
    accesses(0);
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, a.win));
    check("fence");
    prepare();
    CALL(MPI_Win_post(me, 0, a.win));
    CALL(MPI_Win_start(me, 0, a.win));
    accesses(0);
    CALL(MPI_Win_complete(a.win));
    CALL(MPI_Win_wait(a.win));
    check("pscw");
    for (int kind = 0; kind < 2; kind++) {
        prepare();
        CALL(MPI_Win_lock(kind ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, a.rank, 0, a.win));
        accesses(1);
        CALL(MPI_Win_unlock(a.rank, a.win));
        check("lock");
    }
    prepare();
    CALL(MPI_Win_lock_all(0, a.win));
    accesses(1);
    CALL(MPI_Win_unlock_all(a.win));
    check("lock_all");
    MPI_Group_free(&me);
    area_free(&a);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        epochs(MPI_COMM_SELF, flavor);
        epochs(MPI_COMM_WORLD, flavor);
    }
    return conform_end(0);
}
