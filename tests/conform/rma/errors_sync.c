/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Synchronisation calls in the wrong place. MPI calls all of these erroneous and lets implementations say
 * nothing; ep says MPI_ERR_RMA_SYNC (MPI 11.6) and leaves the window as it was. Elsewhere this program only
 * checks that it starts.
 */
#include "rma.h"

static struct area a;
static long value = 1, result;

static void outside(void)
{
    MPI_Request r = MPI_REQUEST_NULL;

    FAILS(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_LONG, 0, area_at(&a, 0, 0), 1, MPI_LONG, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Get(&result, 1, MPI_LONG, 0, area_at(&a, 0, 0), 1, MPI_LONG, a.win));
    FAILS(MPI_ERR_RMA_SYNC,
          MPI_Accumulate(&value, 1, MPI_LONG, 0, area_at(&a, 0, 0), 1, MPI_LONG, MPI_SUM, a.win));
    FAILS(MPI_ERR_RMA_SYNC,
          MPI_Fetch_and_op(&value, &result, MPI_LONG, 0, area_at(&a, 0, 0), MPI_SUM, a.win));
    FAILS(MPI_ERR_RMA_SYNC,
          MPI_Compare_and_swap(&value, &value, &result, MPI_LONG, 0, area_at(&a, 0, 0), a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Rput(&value, 1, MPI_LONG, 0, area_at(&a, 0, 0), 1, MPI_LONG, a.win, &r));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_LONG, MPI_PROC_NULL, 0, 1, MPI_LONG, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_complete(a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_wait(a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_flush(0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_flush_all(a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_flush_local(0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_flush_local_all(a.win));
}

static void locked(int last)
{
    CALL(MPI_Win_lock(MPI_LOCK_SHARED, last, 0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, last, 0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_EXCLUSIVE, last, MPI_MODE_NOCHECK, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_complete(a.win));
    if (last != 0) {
        FAILS(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, a.win));
        FAILS(MPI_ERR_RMA_SYNC, MPI_Win_flush(0, a.win));
        FAILS(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_LONG, 0, area_at(&a, 0, 0), 1, MPI_LONG, a.win));
    }
    CALL(MPI_Put(&value, 1, MPI_LONG, last, area_at(&a, last, a.rank), 1, MPI_LONG, a.win));
    CALL(MPI_Win_unlock(last, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_unlock(last, a.win));
    CALL(MPI_Win_lock_all(0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, a.win));
    CALL(MPI_Win_unlock_all(a.win));
}

static void pscw(void)
{
    MPI_Group me = group_of(a.comm, &a.rank, 1);
    MPI_Request r = MPI_REQUEST_NULL;
    int other = (a.rank + 1) % a.size, flag;

    CALL(MPI_Win_post(me, 0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_post(me, 0, a.win));
    CALL(MPI_Win_test(a.win, &flag));
    CHECK(!flag);
    CALL(MPI_Win_start(me, 0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_start(me, 0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, a.rank, 0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_flush(a.rank, a.win));
    FAILS(MPI_ERR_RMA_SYNC,
          MPI_Rget(&result, 1, MPI_LONG, a.rank, area_at(&a, a.rank, 0), 1, MPI_LONG, a.win, &r));
    if (other != a.rank)
        FAILS(MPI_ERR_RMA_SYNC,
              MPI_Put(&value, 1, MPI_LONG, other, area_at(&a, other, 0), 1, MPI_LONG, a.win));
    CALL(MPI_Win_complete(a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_complete(a.win));
    CALL(MPI_Win_wait(a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_wait(a.win));
    MPI_Group_free(&me);
}

static void fences(void)
{
    MPI_Request r = MPI_REQUEST_NULL;

    CALL(MPI_Win_fence(0, a.win));
    CALL(MPI_Put(&value, 1, MPI_LONG, 0, area_at(&a, 0, a.rank), 1, MPI_LONG, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_flush_all(a.win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Rput(&value, 1, MPI_LONG, 0, area_at(&a, 0, 0), 1, MPI_LONG, a.win, &r));
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, a.win));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS && UNDER_EP; flavor++) {
        area_make(&a, flavor, size_of(MPI_COMM_WORLD), 0, MPI_COMM_WORLD);
        CALL(MPI_Win_set_errhandler(a.win, MPI_ERRORS_RETURN));
        outside();
        locked(a.size - 1);
        outside();
        pscw();
        outside();
        fences();
        outside();
        CALL(MPI_Barrier(a.comm));
        expect_int("put", area_read(&a, a.size - 1, a.rank), 1);
        area_free(&a);
    }
    return conform_end(0);
}
