/* SPDX-License-Identifier: BSD-3-Clause */
/* Accumulates with derived types of one predefined type, from everybody at once: columns of a matrix,
 * pairs, big ones. */
#include "rma.h"

enum { N = 40 };

static int rank, size;

/* Everybody adds its row to a column of everybody's matrix, and gets what was there. */
static void columns(void)
{
    MPI_Datatype column;
    MPI_Win win;
    double *matrix, row[N], old[N], left = 0;

    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    CALL(MPI_Win_allocate(N * N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &matrix,
                          &win));
    for (int i = 0; i < N * N; i++)
        matrix[i] = 0;
    for (int i = 0; i < N; i++)
        row[i] = i + 1;
    CALL(MPI_Win_fence(0, win));
    for (int t = 0; t < size; t++) {
        CALL(MPI_Accumulate(row, N, MPI_DOUBLE, t, 3, 1, column, MPI_SUM, win));
        CALL(MPI_Get_accumulate(row, N, MPI_DOUBLE, old, N, MPI_DOUBLE, t, 4, 1, column, MPI_SUM, win));
        CALL(MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, &left, 1, MPI_DOUBLE, t, 5, 1, MPI_DOUBLE,
                                MPI_NO_OP, win));
        CALL(MPI_Win_fence(0, win));
        CHECK(left == 0);
        for (int i = 0; i < N;
             i++) /* how many came before is not known, but all elements are multiples of row */
            CHECK(old[i] >= 0 && old[i] <= (size - 1) * row[i] && (int)old[i] % (i + 1) == 0);
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            if (!CHECK(matrix[i * N + k] == (k == 3 || k == 4 ? size * (i + 1) : 0)))
                i = k = N;
    CALL(MPI_Win_free(&win));
    MPI_Type_free(&column);
}

/* Every third pair; the maximum of value and who. */
static void pairs(void)
{
    struct pair {
        double value;
        int who;
    } mine[N / 3 + 1], *mem;
    MPI_Datatype third;
    MPI_Win win;
    int n = N / 3;

    MPI_Type_vector(n, 1, 3, MPI_DOUBLE_INT, &third);
    MPI_Type_commit(&third);
    CALL(MPI_Win_allocate(N * sizeof *mem, sizeof *mem, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    for (int i = 0; i < N; i++)
        mem[i] = (struct pair){-1, -1};
    for (int i = 0; i < n; i++)
        mine[i] = (struct pair){(rank + i) % size, rank};
    CALL(MPI_Win_fence(0, win));
    for (int t = 0; t < size; t++)
        CALL(MPI_Accumulate(mine, n, MPI_DOUBLE_INT, t, 0, 1, third, MPI_MAXLOC, win));
    CALL(MPI_Win_fence(0, win));
    for (int i = 0; i < 3 * n; i++)
        if (i % 3 == 0)
            CHECK(mem[i].value == size - 1 && (mem[i].who + i / 3) % size == size - 1);
        else
            CHECK(mem[i].value == -1 && mem[i].who == -1);
    CALL(MPI_Win_free(&win));
    MPI_Type_free(&third);
}

/* More blocks than fit into any message. */
static void big(void)
{
    enum { BLOCKS = 20000 };
    MPI_Datatype sparse;
    MPI_Win win;
    int *mem, *mine = malloc(2 * BLOCKS * sizeof(int));

    MPI_Type_vector(BLOCKS, 2, 5, MPI_INT, &sparse);
    MPI_Type_commit(&sparse);
    CALL(MPI_Win_allocate(5 * BLOCKS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    memset(mem, 0, 5 * BLOCKS * sizeof(int));
    fill(mine, 2 * BLOCKS, 0);
    CALL(MPI_Win_fence(0, win));
    for (int t = 0; t < size; t++)
        CALL(MPI_Accumulate(mine, 2 * BLOCKS, MPI_INT, (rank + t) % size, 0, 1, sparse, MPI_SUM, win));
    CALL(MPI_Win_fence(0, win));
    for (int i = 0; i < 5 * BLOCKS; i++)
        if (!CHECK(mem[i] == (i % 5 < 2 ? size * (i / 5 * 2 + i % 5) : 0)))
            break;
    CALL(MPI_Win_free(&win));
    MPI_Type_free(&sparse);
    free(mine);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    columns();
    pairs();
    big();
    return conform_end(0);
}
