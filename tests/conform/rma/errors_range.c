/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses beside the memory of a window: erroneous, and implementations need not see it. ep says
 * MPI_ERR_RMA_RANGE (MPI 11.6) and does nothing; elsewhere only what is inside is done.
 */
#include "rma.h"

enum { COUNT = 10 };

static struct area a;
static long data[2 * COUNT];

static void inside(int t)
{
    MPI_Datatype back;

    CALL(MPI_Get(data, COUNT, MPI_LONG, t, area_at(&a, t, 0), COUNT, MPI_LONG, a.win));
    CALL(MPI_Get(data, 1, MPI_LONG, t, area_at(&a, t, COUNT - 1), 1, MPI_LONG, a.win));
    /* Its displacement is that of the last long, it goes backwards from there. */
    MPI_Type_vector(COUNT, 1, -1, MPI_LONG, &back);
    MPI_Type_commit(&back);
    CALL(MPI_Get(data, COUNT, MPI_LONG, t, area_at(&a, t, COUNT - 1), 1, back, a.win));
    MPI_Type_free(&back);
    CALL(MPI_Win_flush(t, a.win));
}

static void beside(int t)
{
    MPI_Datatype back, gap;
    MPI_Request r = MPI_REQUEST_NULL;
    int place = COUNT, one = 1;

    FAILS(MPI_ERR_RMA_RANGE, MPI_Put(data, 1, MPI_LONG, t, area_at(&a, t, COUNT), 1, MPI_LONG, a.win));
    FAILS(MPI_ERR_RMA_RANGE, MPI_Get(data, COUNT, MPI_LONG, t, area_at(&a, t, 1), COUNT, MPI_LONG, a.win));
    FAILS(MPI_ERR_RMA_RANGE, MPI_Put(data, 1, MPI_LONG, t, area_at(&a, t, 1L << 40), 1, MPI_LONG, a.win));
    FAILS(MPI_ERR_RMA_RANGE,
          MPI_Accumulate(data, 2, MPI_LONG, t, area_at(&a, t, COUNT - 1), 2, MPI_LONG, MPI_SUM, a.win));
    FAILS(MPI_ERR_RMA_RANGE,
          MPI_Fetch_and_op(data, data + 1, MPI_LONG, t, area_at(&a, t, COUNT), MPI_SUM, a.win));
    FAILS(MPI_ERR_RMA_RANGE,
          MPI_Compare_and_swap(data, data + 1, data + 2, MPI_LONG, t, area_at(&a, t, COUNT), a.win));
    FAILS(MPI_ERR_RMA_RANGE, MPI_Get_accumulate(data, 2, MPI_LONG, data + 4, 2, MPI_LONG, t,
                                                area_at(&a, t, COUNT - 1), 2, MPI_LONG, MPI_SUM, a.win));
    FAILS(MPI_ERR_RMA_RANGE, MPI_Rput(data, 1, MPI_LONG, t, area_at(&a, t, COUNT), 1, MPI_LONG, a.win, &r));
    MPI_Type_vector(COUNT, 1, -1, MPI_LONG, &back);
    MPI_Type_commit(&back);
    FAILS(MPI_ERR_RMA_RANGE, MPI_Put(data, COUNT, MPI_LONG, t, area_at(&a, t, COUNT - 2), 1, back, a.win));
    MPI_Type_free(&back);
    MPI_Type_indexed(1, &one, &place, MPI_LONG, &gap);
    MPI_Type_commit(&gap);
    FAILS(MPI_ERR_RMA_RANGE, MPI_Put(data, 1, MPI_LONG, t, area_at(&a, t, 0), 1, gap, a.win));
    MPI_Type_free(&gap);
}

int main(int argc, char **argv)
{
    int last;

    conform_init(&argc, &argv);
    last = size_of(MPI_COMM_WORLD) - 1;
    for (int flavor = 0; flavor <= SHARED; flavor++) {
        area_make(&a, flavor, COUNT, 5, MPI_COMM_WORLD);
        CALL(MPI_Win_set_errhandler(a.win, MPI_ERRORS_RETURN));
        CALL(MPI_Win_lock_all(0, a.win));
        inside(0);
        inside(last);
        inside(a.rank);
        if (UNDER_EP) {
            beside(0);
            beside(last);
            beside(a.rank);
        }
        CALL(MPI_Win_unlock_all(a.win));
        CALL(MPI_Barrier(a.comm));
        for (int i = 0; i < COUNT; i++)
            expect_int("untouched", area_read(&a, a.rank, i), 5);
        area_free(&a);
    }
    return conform_end(0);
}
