/* SPDX-License-Identifier: BSD-3-Clause */
/* Passive targets that are busy in other calls: a receive, a barrier, a lock elsewhere, a wait for a
 * message that comes late. */
#include "rma.h"

static struct area a;

/* Rank 0 works on all others, who wait for a message that it sends last. */
static void in_receive(int how)
{
    long one = 1, got;
    int token = 0, flag = 0;
    MPI_Request r;

    if (a.rank == 0) {
        for (int t = 1; t < a.size; t++)
            for (int i = 0; i < 10; i++) {
                CALL(MPI_Win_lock(i % 2 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, t, 0, a.win));
                CALL(MPI_Fetch_and_op(&one, &got, MPI_LONG, t, area_at(&a, t, 0), MPI_SUM, a.win));
                CALL(MPI_Win_flush(t, a.win));
                expect_int("fetched", got, 10 * how + i);
                CALL(MPI_Win_unlock(t, a.win));
            }
        for (int t = 1; t < a.size; t++)
            CALL(MPI_Send(&token, 1, MPI_INT, t, how, a.comm));
    } else if (how == 0)
        CALL(MPI_Recv(&token, 1, MPI_INT, 0, how, a.comm, MPI_STATUS_IGNORE));
    else if (how == 1) {
        CALL(MPI_Probe(0, how, a.comm, MPI_STATUS_IGNORE));
        CALL(MPI_Recv(&token, 1, MPI_INT, 0, how, a.comm, MPI_STATUS_IGNORE));
    } else {
        CALL(MPI_Irecv(&token, 1, MPI_INT, 0, how, a.comm, &r));
        while (!flag)
            CALL(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
    }
}

/* All but the last are in a barrier, which the last one enters after it has worked on them. */
static void in_barrier(int nonblocking)
{
    long got;
    int last = a.size - 1;
    MPI_Request r;

    if (a.rank == last)
        for (int t = 0; t < last; t++) {
            CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, t, 0, a.win));
            CALL(MPI_Get(&got, 1, MPI_LONG, t, area_at(&a, t, 1), 1, MPI_LONG, a.win));
            CALL(MPI_Win_flush(t, a.win));
            expect_int("got", got, nonblocking);
            got++;
            CALL(MPI_Put(&got, 1, MPI_LONG, t, area_at(&a, t, 1), 1, MPI_LONG, a.win));
            CALL(MPI_Win_unlock(t, a.win));
        }
    if (nonblocking) {
        CALL(MPI_Ibarrier(a.comm, &r));
        CALL(MPI_Wait(&r, MPI_STATUS_IGNORE));
    } else
        CALL(MPI_Barrier(a.comm));
    if (a.rank != last)
        expect_int("put", area_read(&a, a.rank, 1), nonblocking + 1);
    CALL(MPI_Barrier(a.comm));
}

/* The others wait for an exclusive lock of rank 0, which locks them meanwhile. */
static void in_lock(void)
{
    long one = 1;

    if (a.rank == 0)
        CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, a.win));
    CALL(MPI_Barrier(a.comm));
    if (a.rank == 0) {
        for (int t = 1; t < a.size; t++) {
            CALL(MPI_Win_lock(MPI_LOCK_SHARED, t, 0, a.win));
            CALL(MPI_Accumulate(&one, 1, MPI_LONG, t, area_at(&a, t, 2), 1, MPI_LONG, MPI_SUM, a.win));
            CALL(MPI_Win_unlock(t, a.win));
        }
        CALL(MPI_Win_unlock(0, a.win));
    } else {
        CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, a.win));
        CALL(MPI_Accumulate(&one, 1, MPI_LONG, 0, area_at(&a, 0, 2), 1, MPI_LONG, MPI_SUM, a.win));
        CALL(MPI_Win_unlock(0, a.win));
    }
    CALL(MPI_Barrier(a.comm));
    expect_int("accumulated", area_read(&a, a.rank, 2), a.rank == 0 ? a.size - 1 : 1);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, 4, 0, MPI_COMM_WORLD);
        for (int how = 0; how < 3; how++)
            in_receive(how);
        CALL(MPI_Barrier(a.comm));
        in_barrier(0);
        in_barrier(1);
        in_lock();
        area_free(&a);
    }
    return conform_end(0);
}
