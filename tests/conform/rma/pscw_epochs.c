/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hundreds of PSCW epochs, with nothing else between ranks: posts that come before their start, exposures
 * and accesses that overlap in all orders, MPI_MODE_NOCHECK where the post is known to have come.
 */
#include "rma.h"

enum { EPOCHS = 200 };

static struct area a;

/* A pipeline: each rank waits for the one before, then passes the sum on. */
static void pipeline(void)
{
    int before = a.rank - 1, next = a.rank + 1;
    MPI_Group from = group_of(a.comm, &before, a.rank > 0), to = group_of(a.comm, &next, next < a.size);

    for (int i = 0; i < EPOCHS; i++) {
        long sum = 1;

        if (a.rank > 0) {
            CALL(MPI_Win_post(from, 0, a.win));
            CALL(MPI_Win_wait(a.win));
            expect_int("through the pipeline", a.mem[0], i + a.rank);
            sum = a.mem[0] + 1;
        } else
            sum = i + 1;
        if (next < a.size) {
            CALL(MPI_Win_start(to, 0, a.win));
            CALL(MPI_Put(&sum, 1, MPI_LONG, next, area_at(&a, next, 0), 1, MPI_LONG, a.win));
            CALL(MPI_Win_complete(a.win));
        }
    }
    MPI_Group_free(&from);
    MPI_Group_free(&to);
}

/* Both roles at once: the exposure stays open over several accesses to another rank. */
static void overlapped(void)
{
    int next = (a.rank + 1) % a.size, before = (a.rank + a.size - 1) % a.size, done;
    MPI_Group from = group_of(a.comm, &before, 1), to = group_of(a.comm, &next, 1);

    a.mem[1] = 0;
    CALL(MPI_Barrier(a.comm));
    for (int i = 0; i < EPOCHS; i++) {
        long add = i, got = -1;

        CALL(MPI_Win_post(from, MPI_MODE_NOSTORE, a.win));
        CALL(MPI_Win_test(a.win, &done));
        if (!done && i % 3 == 0)
            CALL(MPI_Win_test(a.win, &done));
        CALL(MPI_Win_start(to, 0, a.win));
        CALL(MPI_Get_accumulate(&add, 1, MPI_LONG, &got, 1, MPI_LONG, next, area_at(&a, next, 1), 1, MPI_LONG,
                                MPI_SUM, a.win));
        CALL(MPI_Win_complete(a.win));
        expect_int("fetched", got, (long)i * (i - 1) / 2);
        while (!done)
            CALL(MPI_Win_test(a.win, &done));
        expect_int("sum", a.mem[1], (long)i * (i + 1) / 2);
    }
    MPI_Group_free(&from);
    MPI_Group_free(&to);
}

/* The master accesses all others; they say by message that they have posted, so it need not be checked. */
static void unchecked(void)
{
    int zero = 0, n = a.size - 1, *others = malloc(sizeof *others * (size_t)a.size), token;
    MPI_Group master = group_of(a.comm, &zero, 1), servants;

    for (int i = 0; i < n; i++)
        others[i] = i + 1;
    servants = group_of(a.comm, others, n);
    for (int i = 0; i < EPOCHS / 4; i++)
        if (a.rank > 0) {
            CALL(MPI_Win_post(master, MPI_MODE_NOCHECK, a.win));
            CALL(MPI_Send(&i, 1, MPI_INT, 0, 5, a.comm));
            CALL(MPI_Win_wait(a.win));
            expect_int("from the master", a.mem[2], 10 * i + a.rank);
        } else {
            long *values = malloc(sizeof *values * (size_t)a.size);

            for (int r = 1; r < a.size; r++) {
                CALL(MPI_Recv(&token, 1, MPI_INT, r, 5, a.comm, MPI_STATUS_IGNORE));
                values[r] = 10 * i + r;
            }
            CALL(MPI_Win_start(servants, MPI_MODE_NOCHECK, a.win));
            for (int r = 1; r < a.size; r++)
                CALL(MPI_Put(&values[r], 1, MPI_LONG, r, area_at(&a, r, 2), 1, MPI_LONG, a.win));
            CALL(MPI_Win_complete(a.win));
            free(values);
        }
    MPI_Group_free(&master);
    MPI_Group_free(&servants);
    free(others);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, 4, 0, MPI_COMM_WORLD);
        pipeline();
        overlapped();
        unchecked();
        area_free(&a);
    }
    return conform_end(0);
}
