/* SPDX-License-Identifier: BSD-3-Clause */
/* Fences: all assertions that may be given, empty epochs, two epochs of loads and stores between (MPI
 * 11.5.1, 11.5.5). */
#include "rma.h"

static struct area a;

static void ring(int before_assert, int after_assert, long value)
{
    int next = (a.rank + 1) % a.size, before = (a.rank + a.size - 1) % a.size;
    long mine = value + a.rank;

    CALL(MPI_Win_fence(before_assert, a.win));
    CALL(MPI_Put(&mine, 1, MPI_LONG, next, area_at(&a, next, 0), 1, MPI_LONG, a.win));
    CALL(MPI_Win_fence(after_assert, a.win));
    expect_int("put", a.mem[0], value + before);
}

/* Each step all ranks store, then get from the ranks at both sides: fences keep stores and gets apart. */
static void stencil(void)
{
    long left, right, want = a.rank;
    int next = (a.rank + 1) % a.size, before = (a.rank + a.size - 1) % a.size;

    a.mem[1] = want;
    for (int step = 1; step < 20; step++) {
        CALL(MPI_Win_fence(MPI_MODE_NOPUT, a.win)); /* only gets until the next one */
        CALL(MPI_Get(&left, 1, MPI_LONG, before, area_at(&a, before, 1), 1, MPI_LONG, a.win));
        CALL(MPI_Get(&right, 1, MPI_LONG, next, area_at(&a, next, 1), 1, MPI_LONG, a.win));
        CALL(MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, a.win));
        expect_int("left", left, before * (long)step);
        expect_int("right", right, next * (long)step);
        a.mem[1] += a.rank;
    }
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, a.win));
}

/* Only some ranks access, another one each time; many fences in a row without accesses. */
static void some(void)
{
    long one = 1;

    a.mem[2] = 0;
    CALL(MPI_Win_fence(MPI_MODE_NOPRECEDE, a.win));
    for (int i = 0; i < 3 * a.size; i++) {
        for (int t = 0; i % a.size == a.rank && t < a.size; t++)
            CALL(MPI_Accumulate(&one, 1, MPI_LONG, t, area_at(&a, t, 2), 1, MPI_LONG, MPI_SUM, a.win));
        CALL(MPI_Win_fence(0, a.win));
        expect_int("so far", a.mem[2], i + 1);
        CALL(MPI_Win_fence(0, a.win));
    }
    for (int i = 0; i < 10; i++)
        CALL(MPI_Win_fence(i % 2 ? MPI_MODE_NOSTORE : MPI_MODE_NOSTORE | MPI_MODE_NOPUT, a.win));
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, a.win));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, 4, -1, MPI_COMM_WORLD);
        ring(0, 0, 100);
        ring(MPI_MODE_NOSTORE, 0, 200);
        CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, a.win));
        ring(MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED, 300);
        ring(MPI_MODE_NOPRECEDE, MPI_MODE_NOSTORE, 400);
        ring(MPI_MODE_NOSTORE, MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED, 500);
        CALL(MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, a.win));
        stencil();
        some();
        area_free(&a);
    }
    return conform_end(0);
}
