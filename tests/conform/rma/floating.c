/* SPDX-License-Identifier: BSD-3-Clause */
/* Accumulates of floating point and complex numbers, from all ranks to each, and their results. */
#include "rma.h"

#include <complex.h>
#include <stdbool.h>

enum { COUNT = 4 };

static MPI_Win win;
static void *mem;
static int rank, size;

/* Operator 0: sum, 1: product, 2: maximum, 3: minimum of small whole numbers, so there is no rounding. */
static const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};

static int number(int r, int i)
{
    return r % 4 == i ? 2 : 1;
}

static double expected(int op, int i)
{
    double want = 1;

    for (int r = 0; r < size; r++) {
        int n = number(r, i);

        want = op == 0   ? want + n
               : op == 1 ? want * n
               : op == 2 ? (n > want ? n : want)
                         : (n < want ? n : want);
    }
    return want;
}

#define TEST(name, type, mpi, nops)                                                                          \
    static void test_##name(void)                                                                            \
    {                                                                                                        \
        type operand[COUNT], *at = mem, old[COUNT];                                                          \
                                                                                                             \
        for (int op = 0; op < nops; op++) {                                                                  \
            for (int i = 0; i < COUNT; i++) {                                                                \
                at[i] = 1;                                                                                   \
                operand[i] = (type)number(rank, i);                                                          \
            }                                                                                                \
            CALL(MPI_Win_fence(0, win));                                                                     \
            for (int t = 0; t < size; t++)                                                                   \
                CALL(MPI_Accumulate(operand, COUNT, mpi, t, 0, COUNT, mpi, ops[op], win));                   \
            CALL(MPI_Win_fence(0, win));                                                                     \
            for (int i = 0; i < COUNT; i++)                                                                  \
                if (at[i] != (type)expected(op, i))                                                          \
                    conform_error(#mpi ", operator %d, element %d: wrong", op, i);                           \
            CALL(MPI_Win_fence(0, win));                                                                     \
            CALL(MPI_Get_accumulate(NULL, 0, mpi, old, COUNT, mpi, (rank + 1) % size, 0, COUNT, mpi,         \
                                    MPI_NO_OP, win));                                                        \
            CALL(MPI_Win_fence(0, win));                                                                     \
            for (int i = 0; i < COUNT; i++)                                                                  \
                CHECK(old[i] == (type)expected(op, i));                                                      \
            CALL(MPI_Get_accumulate(operand, COUNT, mpi, old, COUNT, mpi, (rank + 1) % size, 0, COUNT, mpi,  \
                                    MPI_REPLACE, win));                                                      \
            CALL(MPI_Win_fence(0, win));                                                                     \
            for (int i = 0; i < COUNT; i++)                                                                  \
                CHECK(old[i] == (type)expected(op, i) &&                                                     \
                      at[i] == (type)number((rank + size - 1) % size, i));                                   \
        }                                                                                                    \
    }

TEST(float, float, MPI_FLOAT, 4)
TEST(double, double, MPI_DOUBLE, 4)
TEST(long_double, long double, MPI_LONG_DOUBLE, 4)
TEST(float_complex, float complex, MPI_C_FLOAT_COMPLEX, 2)
TEST(double_complex, double complex, MPI_C_DOUBLE_COMPLEX, 2)
TEST(long_double_complex, long double complex, MPI_C_LONG_DOUBLE_COMPLEX, 2)

static void test_bool(void)
{
    static const MPI_Op logical[] = {MPI_LAND, MPI_LOR, MPI_LXOR};
    bool operand[2] = {rank % 2 == 0, true}, *at = mem;

    for (int op = 0; op < 3; op++) {
        at[0] = at[1] = op == 0;
        CALL(MPI_Win_fence(0, win));
        CALL(MPI_Accumulate(operand, 2, MPI_C_BOOL, 0, 0, 2, MPI_C_BOOL, logical[op], win));
        CALL(MPI_Win_fence(0, win));
        if (rank == 0) {
            expect_int("first", at[0], op == 0 ? size < 2 : op == 1 ? 1 : (size + 1) / 2 % 2);
            expect_int("second", at[1], op < 2 ? 1 : size % 2);
        }
        CALL(MPI_Win_fence(0, win));
    }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    CALL(MPI_Win_allocate(COUNT * sizeof(long double complex), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    test_float();
    test_double();
    test_long_double();
    test_float_complex();
    test_double_complex();
    test_long_double_complex();
    test_bool();
    CALL(MPI_Win_free(&win));
    return conform_end(0);
}
