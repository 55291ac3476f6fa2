/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE and MPI_NO_OP on all pair types, in memory and as results. */
#include "rma.h"

enum { COUNT = 3 };

static MPI_Win win;
static void *mem;
static int rank, size;

/* Element 0: the rank; 1: all the same; 2: minus the rank. */
static int value(int r, int i)
{
    return i == 0 ? r : i == 1 ? 7 : -r;
}

#define TEST(name, type, mpi)                                                                                \
    struct name {                                                                                            \
        type value;                                                                                          \
        int place;                                                                                           \
    };                                                                                                       \
                                                                                                             \
    static int name##_is(const struct name *p, int v, int place)                                             \
    {                                                                                                        \
        return p->value == v && p->place == place;                                                           \
    }                                                                                                        \
                                                                                                             \
    static void test_##name(void)                                                                            \
    {                                                                                                        \
        struct name out[COUNT], old[COUNT], *at = mem;                                                       \
        int last = size - 1, before = (rank + last) % size;                                                  \
                                                                                                             \
        for (int i = 0; i < COUNT; i++) {                                                                    \
            out[i].value = value(rank, i);                                                                   \
            out[i].place = rank + 100;                                                                       \
        }                                                                                                    \
        for (int high = 0; high < 2; high++) {                                                               \
            for (int i = 0; i < COUNT; i++) {                                                                \
                at[i].value = high ? -1000 : 1000;                                                           \
                at[i].place = -1;                                                                            \
            }                                                                                                \
            CALL(MPI_Win_fence(0, win));                                                                     \
            for (int t = 0; t < size; t++)                                                                   \
                CALL(                                                                                        \
                    MPI_Accumulate(out, COUNT, mpi, t, 0, COUNT, mpi, high ? MPI_MAXLOC : MPI_MINLOC, win)); \
            CALL(MPI_Win_fence(0, win));                                                                     \
            CHECK(name##_is(&at[0], high ? last : 0, high ? 100 + last : 100));                              \
            CHECK(name##_is(&at[1], 7, 100));                                                                \
            CHECK(name##_is(&at[2], high ? 0 : -last, high ? 100 : 100 + last));                             \
        }                                                                                                    \
        CALL(MPI_Win_fence(0, win));                                                                         \
        CALL(MPI_Get_accumulate(NULL, 0, mpi, old, COUNT, mpi, before, 0, COUNT, mpi, MPI_NO_OP, win));      \
        CALL(MPI_Win_fence(0, win));                                                                         \
        CHECK(name##_is(&old[0], last, 100 + last) && name##_is(&old[2], 0, 100));                           \
        CALL(MPI_Fetch_and_op(out, old, mpi, (rank + 1) % size, 0, MPI_REPLACE, win));                       \
        CALL(MPI_Win_fence(0, win));                                                                         \
        CHECK(name##_is(&old[0], last, 100 + last));                                                         \
        CHECK(name##_is(&at[0], before, before + 100) && name##_is(&at[1], 7, 100));                         \
        CALL(MPI_Win_fence(0, win));                                                                         \
        CALL(MPI_Put(out, COUNT, mpi, before, 0, COUNT, mpi, win));                                          \
        CALL(MPI_Win_fence(0, win));                                                                         \
        CHECK(name##_is(&at[1], 7, (rank + 1) % size + 100) &&                                               \
              name##_is(&at[2], -((rank + 1) % size), (rank + 1) % size + 100));                             \
        CALL(MPI_Get(old, COUNT, mpi, before, 0, COUNT, mpi, win));                                          \
        CALL(MPI_Win_fence(0, win));                                                                         \
        CHECK(name##_is(&old[1], 7, rank + 100) && name##_is(&old[2], -rank, rank + 100));                   \
    }

TEST(float_int, float, MPI_FLOAT_INT)
TEST(double_int, double, MPI_DOUBLE_INT)
TEST(long_int, long, MPI_LONG_INT)
TEST(short_int, short, MPI_SHORT_INT)
TEST(long_double_int, long double, MPI_LONG_DOUBLE_INT)
TEST(int_int, int, MPI_2INT)

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    CALL(MPI_Win_allocate(COUNT * sizeof(struct long_double_int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mem,
                          &win));
    test_float_int();
    test_double_int();
    test_long_int();
    test_short_int();
    test_long_double_int();
    test_int_int();
    CALL(MPI_Win_free(&win));
    return conform_end(0);
}
