/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a completed request of RMA says: the buffer of rput and raccumulate may be used again, what rget and
 * rget_accumulate got is there; of a few bytes and of many, hundreds at once.
 */
#include "rma.h"

enum { MANY = 200, LARGE = 1 << 15 };

static struct area a;

static void reuse(int target, int count)
{
    long *buf = calloc((size_t)count, sizeof(long)), *back = malloc(sizeof(long) * (size_t)count);
    MPI_Request r;

    for (int i = 0; i < count; i++)
        buf[i] = i;
    CALL(MPI_Rput(buf, count, MPI_LONG, target, area_at(&a, target, 0), count, MPI_LONG, a.win, &r));
    CALL(MPI_Wait(&r, MPI_STATUS_IGNORE));
    for (int i = 0; i < count; i++)
        buf[i] = 1;
    CALL(MPI_Win_flush(target, a.win));
    CALL(MPI_Raccumulate(buf, count, MPI_LONG, target, area_at(&a, target, 0), count, MPI_LONG, MPI_SUM,
                         a.win, &r));
    CALL(MPI_Wait(&r, MPI_STATUS_IGNORE));
    memset(buf, 0x55, sizeof(long) * (size_t)count);
    CALL(MPI_Rget_accumulate(buf, count, MPI_LONG, back, count, MPI_LONG, target, area_at(&a, target, 0),
                             count, MPI_LONG, MPI_NO_OP, a.win, &r));
    CALL(MPI_Wait(&r, MPI_STATUS_IGNORE));
    for (int i = 0; i < count; i++)
        if (!CHECK(back[i] == i + 1))
            break;
    CALL(MPI_Win_flush(target, a.win));
    memset(back, 0, sizeof(long) * (size_t)count);
    CALL(MPI_Rget(back, count, MPI_LONG, target, area_at(&a, target, 0), count, MPI_LONG, a.win, &r));
    CALL(MPI_Wait(&r, MPI_STATUS_IGNORE));
    for (int i = 0; i < count; i++)
        if (!CHECK(back[i] == i + 1))
            break;
    free(buf);
    free(back);
}

static void many(int target)
{
    static long values[MANY], results[MANY];
    MPI_Request r[MANY];

    for (int i = 0; i < MANY; i++) {
        values[i] = 7 * i;
        CALL(MPI_Rput(&values[i], 1, MPI_LONG, target, area_at(&a, target, i), 1, MPI_LONG, a.win, &r[i]));
    }
    CALL(MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE));
    CALL(MPI_Win_flush(target, a.win));
    for (int i = 0; i < MANY; i++)
        CALL(MPI_Rget(&results[i], 1, MPI_LONG, target, area_at(&a, target, MANY - 1 - i), 1, MPI_LONG, a.win,
                      &r[i]));
    for (int i = MANY - 1; i >= 0; i--) {
        CALL(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
        expect_int("got", results[i], 7 * (MANY - 1 - i));
    }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, LARGE, 0, MPI_COMM_WORLD);
        /* Nobody else writes there meanwhile. */
        for (int t = 0; t < 2; t++) {
            int target = (a.rank + t) % a.size;

            CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a.win));
            reuse(target, 10);
            reuse(target, 1000);
            reuse(target, LARGE);
            many(target);
            CALL(MPI_Win_unlock(target, a.win));
        }
        area_free(&a);
    }
    return conform_end(0);
}
