/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a matrix to both neighbours of a ring, into its borders. */
#include "../expect.h"

enum { ROWS = 300, COLUMNS = 400 };

/* The halo of a matrix: columns go left and right, rows up and down, on a ring. */
static void halo(MPI_Comm comm, double (*m)[COLUMNS])
{
    int rank = rank_of(comm), size = size_of(comm), next = (rank + 1) % size,
        before = (rank + size - 1) % size;
    MPI_Datatype column;
    MPI_Request r[4];
    MPI_Status s[4];
    int count;

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            m[i][j] = rank * 1e6 + i * 1e3 + j;
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    CALL(MPI_Irecv(&m[0][0], 1, column, before, 1, comm, &r[0]));
    CALL(MPI_Irecv(&m[0][COLUMNS - 1], 1, column, next, 2, comm, &r[1]));
    CALL(MPI_Isend(&m[0][COLUMNS - 2], 1, column, next, 1, comm, &r[2]));
    CALL(MPI_Isend(&m[0][1], 1, column, before, 2, comm, &r[3]));
    CALL(MPI_Waitall(4, r, s));
    MPI_Get_count(&s[0], column, &count);
    expect_int("columns", count, 1);
    MPI_Get_count(&s[1], MPI_DOUBLE, &count);
    expect_int("numbers", count, ROWS);
    for (int i = 0; i < ROWS; i++) {
        CHECK(m[i][0] == before * 1e6 + i * 1e3 + COLUMNS - 2);
        CHECK(m[i][COLUMNS - 1] == next * 1e6 + i * 1e3 + 1);
        CHECK(m[i][1] == rank * 1e6 + i * 1e3 + 1);
    }
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    double(*m)[COLUMNS] = malloc(sizeof(double[ROWS][COLUMNS]));

    conform_init(&argc, &argv);
    for (int i = 0; i < 5; i++)
        halo(MPI_COMM_WORLD, m);
    free(m);
    return conform_end(0);
}
