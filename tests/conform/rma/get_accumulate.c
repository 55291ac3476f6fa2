/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Get_accumulate and MPI_Fetch_and_op, each type with each operator: what was there and what is
 * there then. */
#include "integers.h"

enum { COUNT = 5 };

static struct area area;

static void one(int type, int op, int target, int single)
{
    MPI_Datatype mpi = integer_types[type].mpi;
    int64_t memory[COUNT], operand[COUNT], result[COUNT];
    int size, count = single ? 1 : COUNT, skip = integer_ops[op] == MPI_NO_OP;
    MPI_Aint at = area_at(&area, target, COUNT * area.rank);

    MPI_Type_size(mpi, &size);
    memset(result, 0x77, sizeof result);
    for (int i = 0; i < COUNT; i++) {
        integer_set(memory, size, i, i * 3 % 5);
        integer_set(operand, size, i, (i + 2) * type % 7);
    }
    CALL(MPI_Put(memory, COUNT, mpi, target, at, COUNT, mpi, area.win));
    CALL(MPI_Win_flush(target, area.win));
    if (single) /* MPI_NO_OP does not look at what the origin has */
        CALL(MPI_Fetch_and_op(skip ? NULL : operand, result, mpi, target, at, integer_ops[op], area.win));
    else
        CALL(MPI_Get_accumulate(skip ? NULL : operand, skip ? 0 : COUNT, skip ? MPI_DATATYPE_NULL : mpi,
                                result, COUNT, mpi, target, at, COUNT, mpi, integer_ops[op], area.win));
    CALL(MPI_Win_flush(target, area.win));
    memset(memory, 0x55, sizeof memory);
    CALL(MPI_Get(memory, COUNT, mpi, target, at, COUNT, mpi, area.win));
    CALL(MPI_Win_flush(target, area.win));
    for (int i = 0; i < COUNT; i++) {
        long long old = i * 3 % 5, now = old;

        if (i < count && integer_get(result, size, i) != old)
            conform_error("type %d, op %d, element %d: was %lld, not %lld", type, op, i,
                          integer_get(result, size, i), old);
        if (i < count)
            now = integer_combine(op, old, (i + 2) * type % 7);
        if (integer_get(memory, size, i) != now)
            conform_error("type %d, op %d, element %d: is %lld, not %lld", type, op, i,
                          integer_get(memory, size, i), now);
    }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&area, flavor, COUNT * size_of(MPI_COMM_WORLD), 0, MPI_COMM_WORLD);
        CALL(MPI_Win_lock_all(0, area.win));
        for (int type = flavor % 2; type < INTEGER_TYPES; type += 2)
            for (int op = 0; op < INTEGER_OPS; op++)
                if (integer_allowed(type, op)) {
                    one(type, op, (area.rank + op) % area.size, 0);
                    one(type, op, (area.rank + op + 1) % area.size, 1);
                }
        CALL(MPI_Win_unlock_all(area.win));
        area_free(&area);
    }
    return conform_end(0);
}
