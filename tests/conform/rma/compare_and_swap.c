/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Compare_and_swap on all types that it allows, each element of an array: swapped or left,
 * neighbours untouched. */
#include "integers.h"

enum { COUNT = 5 };

static struct area area;

static void swap(int type, int target)
{
    MPI_Datatype mpi = integer_types[type].mpi;
    int64_t memory[COUNT], desired = 0, compare = 0, result;
    int size;
    MPI_Aint at = area_at(&area, target, COUNT * area.rank);

    MPI_Type_size(mpi, &size);
    for (int i = 0; i < COUNT; i++)
        integer_set(memory, size, i, 10 + i);
    CALL(MPI_Put(memory, COUNT, mpi, target, at, COUNT, mpi, area.win));
    CALL(MPI_Win_flush(target, area.win));
    for (int i = 0; i < COUNT; i++) {
        MPI_Aint step = area.flavor == DYNAMIC ? i * size : i * size / (int)sizeof(long);

        if (area.flavor != DYNAMIC && size != sizeof(long) && i > 0)
            break; /* the window's units are longs */
        for (int hit = 0; hit < 2; hit++) {
            integer_set(&compare, size, 0, hit ? 10 + i : 9 + i);
            integer_set(&desired, size, 0, 40 + i);
            memset(&result, 0x77, sizeof result);
            CALL(MPI_Compare_and_swap(&desired, &compare, &result, mpi, target, at + step, area.win));
            CALL(MPI_Win_flush(target, area.win));
            expect_int("result", integer_get(&result, size, 0), 10 + i);
            CALL(MPI_Get(memory, COUNT, mpi, target, at, COUNT, mpi, area.win));
            CALL(MPI_Win_flush(target, area.win));
            for (int k = 0; k < COUNT; k++)
                expect_int("element", integer_get(memory, size, k),
                           k < i || (k == i && hit) ? 40 + k : 10 + k);
        }
    }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&area, flavor, COUNT * size_of(MPI_COMM_WORLD), 0, MPI_COMM_WORLD);
        CALL(MPI_Win_lock_all(0, area.win));
        for (int type = 0; type < INTEGER_TYPES; type++)
            for (int target = 0; target < area.size && integer_types[type].swaps; target++)
                swap(type, (area.rank + target) % area.size);
        CALL(MPI_Win_unlock_all(area.win));
        area_free(&area);
    }
    return conform_end(0);
}
