/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives with derived types: gaps stay untouched, extents that overlap, types of nothing. */
#include "../expect.h"

enum { N = 6 };

/* Rows of a matrix become columns (MPI 5.8, by resized vectors). */
static void transposed(MPI_Comm comm)
{
    int size = size_of(comm), rank = rank_of(comm), *a = malloc((size_t)size * N * N * sizeof(int));
    int *b = malloc((size_t)size * N * N * sizeof(int)), width = size * N;
    MPI_Datatype vector, column, block;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < width; j++)
            a[i * width + j] = (rank * N + i) * 1000 + j;
    MPI_Type_vector(N, 1, width, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, sizeof(int), &column);
    MPI_Type_contiguous(N, column, &block);
    MPI_Type_commit(&block);
    for (int round = 0; round < 2; round++) {
        memset(b, 0, (size_t)size * N * N * sizeof(int));
        if (round) {
            MPI_Request request;

            CALL(MPI_Ialltoall(a, 1, block, b, N * N, MPI_INT, comm, &request));
            CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        } else {
            CALL(MPI_Alltoall(a, 1, block, b, N * N, MPI_INT, comm));
        }
        for (int from = 0; from < size; from++)
            for (int i = 0; i < N * N; i++)
                expect_int("transposed", b[from * N * N + i], (from * N + i % N) * 1000 + rank * N + i / N);
    }
    MPI_Type_free(&vector);
    MPI_Type_free(&column);
    MPI_Type_free(&block);
    free(a);
    free(b);
}

static void gaps(MPI_Comm comm)
{
    int size = size_of(comm), rank = rank_of(comm), mine[4] = {rank, -1, rank + 1, -1};
    int *all = malloc((size_t)size * 4 * sizeof(int));
    MPI_Datatype pair, spaced;

    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 4 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    for (int i = 0; i < 4 * size; i++)
        all[i] = -3;
    CALL(MPI_Allgather(mine, 1, spaced, all, 1, spaced, comm));
    for (int i = 0; i < 4 * size; i++)
        expect_int("allgather", all[i], i % 2 ? -3 : i / 4 + i % 4 / 2);
    CALL(MPI_Bcast(mine, 1, spaced, 0, comm));
    CHECK(mine[0] == 0 && mine[1] == -1 && mine[2] == 1 && mine[3] == -1);
    MPI_Type_free(&spaced);
    MPI_Type_free(&pair);
    free(all);
}

static void nothing(MPI_Comm comm)
{
    MPI_Datatype empty;
    int size = size_of(comm), *zeros = calloc((size_t)size, sizeof(int));

    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    CALL(MPI_Bcast(NULL, 10, empty, size - 1, comm));
    CALL(MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0, comm));
    CALL(MPI_Alltoall(NULL, 5, empty, NULL, 5, empty, comm));
    CALL(MPI_Allgatherv(NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, comm));
    CALL(MPI_Alltoallv(NULL, zeros, zeros, MPI_INT, NULL, zeros, zeros, MPI_INT, comm));
    CALL(MPI_Scan(NULL, NULL, 0, MPI_INT, MPI_SUM, comm));
    CALL(MPI_Reduce_scatter(NULL, NULL, zeros, MPI_INT, MPI_SUM, comm));
    MPI_Type_free(&empty);
    free(zeros);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && !is_inter) {
            transposed(comm);
            gaps(comm);
            nothing(comm);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
