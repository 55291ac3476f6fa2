/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomicity, everybody to everybody at once: no update is lost and no number fetched twice. */
#include "rma.h"

enum { ROUNDS = 40, WIDE = 20 };
/* Places: by fetch_and_op, get_accumulate, compare_and_swap, accumulate; then WIDE of accumulates of many. */
enum { FETCH, GET, SWAP, SUM, MANY };

static struct area a;

static void hammer(long *fetched, long *gotten)
{
    static long ones[WIDE];
    long one = 1, seen, old;

    for (int i = 0; i < WIDE; i++)
        ones[i] = 1;
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < a.size; k++) {
            int t = (a.rank + k) % a.size;

            CALL(MPI_Fetch_and_op(&one, &fetched[t * ROUNDS + i], MPI_LONG, t, area_at(&a, t, FETCH), MPI_SUM,
                                  a.win));
            CALL(MPI_Get_accumulate(&one, 1, MPI_LONG, &gotten[t * ROUNDS + i], 1, MPI_LONG, t,
                                    area_at(&a, t, GET), 1, MPI_LONG, MPI_SUM, a.win));
            CALL(MPI_Accumulate(&one, 1, MPI_LONG, t, area_at(&a, t, SUM), 1, MPI_LONG, MPI_SUM, a.win));
            CALL(MPI_Accumulate(ones, WIDE, MPI_LONG, t, area_at(&a, t, MANY), WIDE, MPI_LONG, MPI_SUM,
                                a.win));
        }
        /* Add by compare and swap to one rank a round. */
        int t = (a.rank + i) % a.size;

        for (old = -1, seen = 0; old != seen;) {
            long next;

            seen = old < 0 ? 0 : old;
            next = seen + 1;
            CALL(MPI_Compare_and_swap(&next, &seen, &old, MPI_LONG, t, area_at(&a, t, SWAP), a.win));
            CALL(MPI_Win_flush(t, a.win));
        }
    }
}

/* Of each rank's counter the numbers 0 .. n-1 were fetched once each. */
static void once(const char *what, const long *mine)
{
    int n = ROUNDS * a.size, *marks = calloc((size_t)(n * a.size), sizeof *marks);

    for (int t = 0; t < a.size; t++)
        for (int i = 0; i < ROUNDS; i++) {
            long number = mine[t * ROUNDS + i];

            if (CHECK(number >= 0 && number < n))
                marks[t * n + number]++;
        }
    CALL(MPI_Allreduce(MPI_IN_PLACE, marks, n * a.size, MPI_INT, MPI_SUM, a.comm));
    for (int i = 0; i < n * a.size; i++)
        if (marks[i] != 1) {
            conform_error("%s: number %d of rank %d fetched %d times", what, i % n, i / n, marks[i]);
            break;
        }
    free(marks);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        long *fetched, *gotten, swaps;

        area_make(&a, flavor, MANY + WIDE, 0, MPI_COMM_WORLD);
        fetched = malloc(sizeof(long) * (size_t)(ROUNDS * a.size));
        gotten = malloc(sizeof(long) * (size_t)(ROUNDS * a.size));
        CALL(MPI_Win_lock_all(0, a.win));
        hammer(fetched, gotten);
        CALL(MPI_Win_unlock_all(a.win));
        CALL(MPI_Barrier(a.comm));
        expect_int("accumulated", area_read(&a, a.rank, SUM), ROUNDS * a.size);
        for (int i = 0; i < WIDE; i++)
            expect_int("accumulated among many", area_read(&a, a.rank, MANY + i), ROUNDS * a.size);
        swaps = area_read(&a, a.rank, SWAP);
        CALL(MPI_Allreduce(MPI_IN_PLACE, &swaps, 1, MPI_LONG, MPI_SUM, a.comm));
        expect_int("swapped", swaps, ROUNDS * a.size);
        once("fetch_and_op", fetched);
        once("get_accumulate", gotten);
        free(fetched);
        free(gotten);
        area_free(&a);
    }
    return conform_end(0);
}
