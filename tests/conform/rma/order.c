/* SPDX-License-Identifier: BSD-3-Clause */
/* Accumulates of one origin to one place are done in the order of the calls (MPI 11.7.2), all kinds of
 * them mixed. */
#include "rma.h"

enum { STEPS = 300, LARGE = 3000 };

static struct area a;

/* Thrown by dice and followed by a model; what is fetched on the way must fit, too. */
static void single(int target, unsigned state)
{
    static long operands[STEPS], results[STEPS], wants[STEPS];
    static const long zero = 0;
    long value = 0;
    MPI_Aint at = area_at(&a, target, a.rank);

    CALL(MPI_Accumulate(&zero, 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_REPLACE, a.win));
    for (int i = 0; i < STEPS; i++) {
        operands[i] = dice(&state, 1000);
        results[i] = wants[i] = -1;
        switch (dice(&state, 5)) {
        case 0:
            CALL(MPI_Accumulate(&operands[i], 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_SUM, a.win));
            value += operands[i];
            break;
        case 1:
            CALL(MPI_Accumulate(&operands[i], 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_REPLACE, a.win));
            value = operands[i];
            break;
        case 2:
            wants[i] = value;
            CALL(MPI_Get_accumulate(NULL, 0, MPI_LONG, &results[i], 1, MPI_LONG, target, at, 1, MPI_LONG,
                                    MPI_NO_OP, a.win));
            break;
        case 3:
            wants[i] = value;
            CALL(MPI_Fetch_and_op(&operands[i], &results[i], MPI_LONG, target, at, MPI_BXOR, a.win));
            value ^= operands[i];
            break;
        default:
            wants[i] = value;
            CALL(MPI_Get_accumulate(&operands[i], 1, MPI_LONG, &results[i], 1, MPI_LONG, target, at, 1,
                                    MPI_LONG, MPI_REPLACE, a.win));
            value = operands[i];
        }
    }
    CALL(MPI_Win_flush(target, a.win));
    for (int i = 0; i < STEPS; i++)
        if (results[i] != wants[i]) {
            conform_error("flavor %d, step %d: fetched %ld, not %ld", a.flavor, i, results[i], wants[i]);
            return;
        }
}

/* Long ones, that may be cut into pieces, between short ones. */
static void large(int target)
{
    static long first[LARGE], second[LARGE], got[LARGE];
    MPI_Aint at = area_at(&a, target, a.size);

    for (int i = 0; i < LARGE; i++) {
        first[i] = i;
        second[i] = 3 * i;
    }
    for (int round = 0; round < 4; round++) {
        long one = 1;

        CALL(MPI_Accumulate(first, LARGE, MPI_LONG, target, at, LARGE, MPI_LONG, MPI_REPLACE, a.win));
        CALL(MPI_Accumulate(&one, 1, MPI_LONG, target, area_at(&a, target, a.size + LARGE - 1), 1, MPI_LONG,
                            MPI_SUM, a.win));
        CALL(MPI_Accumulate(second, LARGE, MPI_LONG, target, at, LARGE, MPI_LONG, MPI_SUM, a.win));
        CALL(MPI_Get_accumulate(NULL, 0, MPI_LONG, got, LARGE, MPI_LONG, target, at, LARGE, MPI_LONG,
                                MPI_NO_OP, a.win));
        CALL(MPI_Accumulate(second, LARGE, MPI_LONG, target, at, LARGE, MPI_LONG, MPI_REPLACE, a.win));
        CALL(MPI_Win_flush(target, a.win));
        for (int i = 0; i < LARGE; i++)
            if (!CHECK(got[i] == 4 * i + (i == LARGE - 1)))
                return;
    }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, size_of(MPI_COMM_WORLD) + LARGE, 0, MPI_COMM_WORLD);
        CALL(MPI_Win_lock_all(0, a.win));
        for (int t = 0; t < a.size; t++)
            single((a.rank + t) % a.size, (unsigned)(10 * a.rank + t));
        large((a.rank + 1) % a.size); /* one origin for each */
        CALL(MPI_Win_unlock_all(a.win));
        area_free(&a);
    }
    return conform_end(0);
}
