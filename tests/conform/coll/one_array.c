/* SPDX-License-Identifier: BSD-3-Clause */
/* One array to send from and to receive into: right where displacements or datatypes keep the two apart, or nothing is
 * sent. */
#include "../expect.h"

enum { MOST = 64 };

static int array[2 * MOST], counts[MOST], none[MOST], from[MOST], to[MOST];

static void exchange(int rank, int size)
{
    for (int i = 0; i < size; i++)
        array[i] = 100 * rank + i;
    CALL(MPI_Alltoallv(array, counts, from, MPI_INT, array, counts, to, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        expect_int("from rank i", array[MOST + i], 100 * i + rank);
    CALL(MPI_Alltoallv(array, none, from, MPI_INT, array, none, from, MPI_INT, MPI_COMM_WORLD));
}

static void gather(int rank, int size)
{
    array[0] = rank + 5;
    CALL(MPI_Allgatherv(array, 1, MPI_INT, array, counts, to, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        expect_int("of rank i", array[MOST + i], i + 5);
    CALL(MPI_Gatherv(array, 1, MPI_INT, array, counts, to, MPI_INT, 0, MPI_COMM_WORLD));
}

/* Element `first` of a pair; the next is of the next pair. */
static MPI_Datatype column(int first)
{
    MPI_Datatype one, column;
    int length = 1;

    CALL(MPI_Type_indexed(1, &length, &first, MPI_INT, &one));
    CALL(MPI_Type_create_resized(one, 0, 2 * sizeof(int), &column));
    CALL(MPI_Type_commit(&column));
    CALL(MPI_Type_free(&one));
    return column;
}

/* The left of pair i tells rank and i, the right is to be received. */
static void fill_pairs(int rank, int size)
{
    for (int i = 0; i < size; i++) {
        array[2 * i] = 100 * rank + i;
        array[2 * i + 1] = -1;
    }
}

static void columns(int rank, int size)
{
    MPI_Datatype left = column(0), right = column(1);

    fill_pairs(rank, size);
    CALL(MPI_Alltoall(array, 1, left, array, 1, right, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        expect_int("column from rank i", array[2 * i + 1], 100 * i + rank);
    fill_pairs(rank, size);
    CALL(MPI_Allgather(array, 1, left, array, 1, right, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        expect_int("column of rank i", array[2 * i + 1], 100 * i);
    fill_pairs(rank, size);
    CALL(MPI_Gather(array, 1, left, array, 1, right, 0, MPI_COMM_WORLD));
    for (int i = 0; i < size; i++)
        expect_int("gathered of rank i", array[2 * i + 1], rank == 0 ? 100 * i : -1);
    fill_pairs(rank, size);
    CALL(MPI_Scatter(array, 1, left, array, 1, right, 0, MPI_COMM_WORLD));
    expect_int("scattered", array[1], rank);
    CALL(MPI_Sendrecv(array, size, left, rank, 0, array, size, right, rank, 0, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE));
    for (int i = 0; i < size; i++)
        expect_int("column of the own", array[2 * i + 1], array[2 * i]);
    MPI_Type_free(&left);
    MPI_Type_free(&right);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    for (int i = 0; i < MOST; i++) {
        counts[i] = 1;
        from[i] = i;
        to[i] = MOST + i;
    }
    if (size <= MOST) {
        exchange(rank, size);
        gather(rank, size);
        columns(rank, size);
    }
    return conform_end(0);
}
