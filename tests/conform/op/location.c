/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_MINLOC and MPI_MAXLOC on all pair types; of equal values the lowest place wins (MPI 5.9.4). */
#include "../expect.h"

#define PAIR(name, type)                                                                                     \
    struct name {                                                                                            \
        type value;                                                                                          \
        int place;                                                                                           \
    }

PAIR(float_int, float);
PAIR(double_int, double);
PAIR(long_int, long);
PAIR(short_int, short);
PAIR(long_double_int, long double);
PAIR(int_int, int);

enum { COUNT = 3 };

/* Element 0: the rank; 1: all the same; 2: minus the rank. */
static int value(int rank, int i)
{
    return i == 0 ? rank : i == 1 ? 7 : -rank;
}

#define TEST(name, mpi)                                                                                      \
    static void test_##name(MPI_Comm comm)                                                                   \
    {                                                                                                        \
        struct name out[COUNT], low[COUNT], high[COUNT];                                                     \
        int rank = rank_of(comm), last = size_of(comm) - 1;                                                  \
                                                                                                             \
        for (int i = 0; i < COUNT; i++) {                                                                    \
            out[i].value = value(rank, i);                                                                   \
            out[i].place = rank + 100;                                                                       \
        }                                                                                                    \
        CALL(MPI_Allreduce(out, low, COUNT, mpi, MPI_MINLOC, comm));                                         \
        CALL(MPI_Allreduce(out, high, COUNT, mpi, MPI_MAXLOC, comm));                                        \
        CHECK(low[0].value == 0 && low[0].place == 100 && high[0].value == last &&                           \
              high[0].place == 100 + last);                                                                  \
        CHECK(low[1].value == 7 && low[1].place == 100 && high[1].value == 7 && high[1].place == 100);       \
        CHECK(low[2].value == -last && low[2].place == 100 + last);                                          \
        CHECK(high[2].value == 0 && high[2].place == 100);                                                   \
    }

TEST(float_int, MPI_FLOAT_INT)
TEST(double_int, MPI_DOUBLE_INT)
TEST(long_int, MPI_LONG_INT)
TEST(short_int, MPI_SHORT_INT)
TEST(long_double_int, MPI_LONG_DOUBLE_INT)
TEST(int_int, MPI_2INT)

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && !is_inter) {
            test_float_int(comm);
            test_double_int(comm);
            test_long_int(comm);
            test_short_int(comm);
            test_long_double_int(comm);
            test_int_int(comm);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
