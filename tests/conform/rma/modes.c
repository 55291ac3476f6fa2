/* SPDX-License-Identifier: BSD-3-Clause */
/* One window through epochs of all kinds, one after the other, and ranks that use different kinds (MPI
 * 11.5). */
#include "rma.h"

static struct area a;
static int next, before;

static void fences(long value)
{
    CALL(MPI_Win_fence(MPI_MODE_NOPRECEDE, a.win));
    CALL(MPI_Put(&value, 1, MPI_LONG, next, area_at(&a, next, a.rank), 1, MPI_LONG, a.win));
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, a.win));
    expect_int("fence", a.mem[before], value);
    CALL(MPI_Barrier(a.comm));
}

static void pscw(long value)
{
    MPI_Group to = group_of(a.comm, &next, 1), from = group_of(a.comm, &before, 1);

    CALL(MPI_Win_post(from, 0, a.win));
    CALL(MPI_Win_start(to, 0, a.win));
    CALL(MPI_Put(&value, 1, MPI_LONG, next, area_at(&a, next, a.rank), 1, MPI_LONG, a.win));
    CALL(MPI_Win_complete(a.win));
    CALL(MPI_Win_wait(a.win));
    expect_int("pscw", a.mem[before], value);
    CALL(MPI_Barrier(a.comm));
    MPI_Group_free(&to);
    MPI_Group_free(&from);
}

static void locks(long value, int all)
{
    if (all)
        CALL(MPI_Win_lock_all(0, a.win));
    else
        CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, a.win));
    CALL(MPI_Put(&value, 1, MPI_LONG, next, area_at(&a, next, a.rank), 1, MPI_LONG, a.win));
    if (all)
        CALL(MPI_Win_unlock_all(a.win));
    else
        CALL(MPI_Win_unlock(next, a.win));
    CALL(MPI_Barrier(a.comm));
    expect_int("lock", area_read(&a, a.rank, before), value);
    CALL(MPI_Barrier(a.comm));
}

/* Even ranks lock odd ones, which wait in a message meanwhile or access by PSCW among themselves. */
static void at_once(void)
{
    long value = 7000 + a.rank;
    int even = a.rank % 2 == 0, n = 0, ranks[64] = {0};
    MPI_Group odd;

    for (int r = 1; r < a.size; r += 2)
        ranks[n++] = r;
    odd = group_of(a.comm, ranks, n);
    if (even) {
        for (int i = 0; i < n; i++) {
            CALL(MPI_Win_lock(i % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, ranks[i], 0, a.win));
            CALL(MPI_Put(&value, 1, MPI_LONG, ranks[i], area_at(&a, ranks[i], a.rank), 1, MPI_LONG, a.win));
            CALL(MPI_Win_unlock(ranks[i], a.win));
        }
    } else if (!UNDER_EP) {
        /* A window must not be exposed while it is locked (MPI 11.5.3): so only ep, which allows it,
         * is asked to. */
    } else {
        CALL(MPI_Win_post(odd, 0, a.win));
        CALL(MPI_Win_start(odd, 0, a.win));
        for (int i = 0; i < n; i++)
            CALL(MPI_Put(&value, 1, MPI_LONG, ranks[i], area_at(&a, ranks[i], a.rank), 1, MPI_LONG, a.win));
        CALL(MPI_Win_complete(a.win));
        CALL(MPI_Win_wait(a.win));
    }
    CALL(MPI_Barrier(a.comm));
    for (int r = 0; r < a.size; r++)
        if (!even && (r % 2 == 0 || UNDER_EP))
            expect_int("at once", a.mem[r], 7000 + r);
    MPI_Group_free(&odd);
    CALL(MPI_Barrier(a.comm));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, size_of(MPI_COMM_WORLD), -1, MPI_COMM_WORLD);
        next = (a.rank + 1) % a.size;
        before = (a.rank + a.size - 1) % a.size;
        for (int round = 0; round < 3; round++) {
            fences(10 * round + 1);
            pscw(10 * round + 2);
            locks(10 * round + 3, 0);
            fences(10 * round + 4);
            locks(10 * round + 5, 1);
            pscw(10 * round + 6);
            at_once();
        }
        area_free(&a);
    }
    return conform_end(0);
}
