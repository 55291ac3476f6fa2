/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Accumulate with all operators on all integer types, from all ranks at once to each. */
#include "integers.h"

enum { COUNT = 6 };

/* Small enough that neither sums nor products of up to 40 ranks leave a byte. */
static int number(int rank, int i)
{
    return i % 3 == 0 ? 1 : rank == i ? 2 + i % 2 : i % 2;
}

static void accumulate(int type, int op, MPI_Win win, char *mem)
{
    MPI_Datatype mpi = integer_types[type].mpi;
    int rank = rank_of(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD), size, next = (rank + 1) % ranks;
    int64_t operand[COUNT];

    MPI_Type_size(mpi, &size);
    for (int i = 0; i < COUNT; i++) {
        integer_set(mem, size, i, i + 1);
        integer_set(operand, size, i, number(rank, i));
    }
    CALL(MPI_Win_fence(0, win));
    for (int t = 0; t < ranks; t++) /* REPLACE: all but one rank would race */
        if (integer_ops[op] != MPI_REPLACE || t == next)
            CALL(MPI_Accumulate(operand, COUNT, mpi, t, 0, COUNT, mpi, integer_ops[op], win));
    CALL(MPI_Win_fence(0, win));
    for (int i = 0; i < COUNT; i++) {
        long long want = i + 1;

        for (int r = 0; r < ranks; r++)
            if (integer_ops[op] != MPI_REPLACE || (r + 1) % ranks == rank)
                want = integer_combine(op, want, number(r, i));
        if (integer_get(mem, size, i) != want)
            conform_error("type %d, op %d, element %d: %lld, not %lld", type, op, i,
                          integer_get(mem, size, i), want);
    }
}

int main(int argc, char **argv)
{
    MPI_Win win;
    char *mem;

    conform_init(&argc, &argv);
    CALL(MPI_Win_allocate(COUNT * 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    for (int type = 0; type < INTEGER_TYPES; type++)
        for (int op = 0; op < INTEGER_OPS - 1; op++)
            if (integer_allowed(type, op))
                accumulate(type, op, win, mem);
    CALL(MPI_Win_free(&win));
    return conform_end(0);
}
