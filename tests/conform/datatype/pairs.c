/* SPDX-License-Identifier: BSD-3-Clause */
/* Pair types, C++ and complex types in messages: sizes, elements, layouts with gaps (MPI 5.9.4, 4.1.11). */
#include "../expect.h"

#include <complex.h>
#include <stdbool.h>

struct short_int {
    short value;
    int place;
};

static void pair(MPI_Comm comm)
{
    int rank = rank_of(comm), size = size_of(comm), count;
    struct short_int out[3] = {{1, 2}, {3, 4}, {(short)rank, 6}}, in[3] = {{0}};
    MPI_Status status;

    CALL(MPI_Sendrecv(out, 3, MPI_SHORT_INT, (rank + 1) % size, 1, in, 3, MPI_SHORT_INT,
                      (rank + size - 1) % size, 1, comm, &status));
    CHECK(in[0].value == 1 && in[1].place == 4 && in[2].value == (rank + size - 1) % size &&
          in[2].place == 6);
    MPI_Get_count(&status, MPI_SHORT_INT, &count);
    expect_int("pairs", count, 3);
}

static void others(MPI_Comm comm)
{
    int rank = rank_of(comm), size = size_of(comm), next = (rank + 1) % size,
        before = (rank + size - 1) % size;
    double complex z = rank + 2 * I, z_in = 0;
    bool b[2] = {rank % 2, true}, b_in[2] = {false, false};
    MPI_Aint a = 1234567890123, a_in = 0;
    MPI_Offset o = -5, o_in = 0;
    MPI_Count c = 5000000000, c_in = 0;

    CALL(MPI_Sendrecv(&z, 1, MPI_C_DOUBLE_COMPLEX, next, 1, &z_in, 1, MPI_C_DOUBLE_COMPLEX, before, 1, comm,
                      MPI_STATUS_IGNORE));
    CHECK(z_in == before + 2 * I);
    CALL(MPI_Sendrecv(b, 2, MPI_C_BOOL, next, 1, b_in, 2, MPI_C_BOOL, before, 1, comm, MPI_STATUS_IGNORE));
    CHECK(b_in[0] == before % 2 && b_in[1]);
    CALL(MPI_Sendrecv(&a, 1, MPI_AINT, next, 1, &a_in, 1, MPI_AINT, before, 1, comm, MPI_STATUS_IGNORE));
    CALL(MPI_Sendrecv(&o, 1, MPI_OFFSET, next, 1, &o_in, 1, MPI_OFFSET, before, 1, comm, MPI_STATUS_IGNORE));
    CALL(MPI_Sendrecv(&c, 1, MPI_COUNT, next, 1, &c_in, 1, MPI_COUNT, before, 1, comm, MPI_STATUS_IGNORE));
    CHECK(a_in == a && o_in == o && c_in == c);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    pair(MPI_COMM_WORLD);
    others(MPI_COMM_WORLD);
    return conform_end(0);
}
