/* SPDX-License-Identifier: BSD-3-Clause */
/* One array to send from and to receive into: right where displacements keep the two apart or nothing is sent. */
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
    }
    return conform_end(0);
}
