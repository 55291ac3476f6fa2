/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Gather and MPI_Gatherv, MPI_Scatter and MPI_Scatterv to and from every root; arguments that do not
 * count in a rank are nonsense. */
#include "../expect.h"

enum { EACH = 5 };

static void gathered(MPI_Comm comm, int root, int in_place)
{
    int rank = rank_of(comm), size = size_of(comm), mine[EACH],
        *all = malloc((size_t)size * EACH * sizeof(int));

    fill(mine, EACH, rank);
    fill(all + rank * EACH, EACH, rank);
    if (rank != root)
        CALL(MPI_Gather(mine, EACH, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, root, comm));
    else if (in_place)
        CALL(MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, EACH, MPI_INT, root, comm));
    else
        CALL(MPI_Gather(mine, EACH, MPI_INT, all, EACH, MPI_INT, root, comm));
    for (int i = 0; rank == root && i < size; i++)
        expect_int("gathered", differs(all + i * EACH, EACH, i), -1);
    memset(mine, 0, sizeof mine);
    if (rank != root)
        CALL(MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, mine, EACH, MPI_INT, root, comm));
    else if (in_place)
        CALL(MPI_Scatter(all, EACH, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, root, comm));
    else
        CALL(MPI_Scatter(all, EACH, MPI_INT, mine, EACH, MPI_INT, root, comm));
    if (rank != root || !in_place)
        expect_int("scattered", differs(mine, EACH, rank), -1);
    free(all);
}

/* Rank i has i numbers, which lie in reverse with a gap. */
static void uneven(MPI_Comm comm, int root)
{
    int rank = rank_of(comm), size = size_of(comm),
        *all = calloc((size_t)size * (size_t)(size + 1), sizeof(int));
    int *mine = malloc((size_t)(size + 1) * sizeof(int)), *counts = malloc((size_t)size * sizeof(int));
    int *displs = malloc((size_t)size * sizeof(int));

    fill(mine, rank, rank);
    for (int i = 0; i < size; i++) {
        counts[i] = i;
        displs[i] = (size - 1 - i) * (size + 1);
    }
    if (rank == root)
        CALL(MPI_Gatherv(mine, rank, MPI_INT, all, counts, displs, MPI_INT, root, comm));
    else
        CALL(MPI_Gatherv(mine, rank, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, root, comm));
    for (int i = 0; rank == root && i < size; i++) {
        expect_int("gathered", differs(all + displs[i], i, i), -1);
        expect_int("gap", all[displs[i] + i], 0);
    }
    memset(mine, 0, (size_t)size * sizeof(int));
    mine[rank] = -5;
    if (rank == root)
        CALL(MPI_Scatterv(all, counts, displs, MPI_INT, mine, rank, MPI_INT, root, comm));
    else
        CALL(MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, mine, rank, MPI_INT, root, comm));
    expect_int("scattered", differs(mine, rank, rank), -1);
    expect_int("behind", mine[rank], -5);
    free(all);
    free(mine);
    free(counts);
    free(displs);
}

/* A column of a matrix at the root from each rank. */
static void columns(MPI_Comm comm, int root)
{
    int rank = rank_of(comm), size = size_of(comm), mine[EACH],
        *matrix = calloc((size_t)size * EACH, sizeof(int));
    MPI_Datatype column, narrow;

    MPI_Type_vector(EACH, 1, size, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    fill(mine, EACH, rank);
    CALL(MPI_Gather(mine, EACH, MPI_INT, matrix, 1, narrow, root, comm));
    for (int i = 0; rank == root && i < EACH * size; i++)
        expect_int("matrix", matrix[i], i % size * 7919 + i / size);
    memset(mine, 0, sizeof mine);
    CALL(MPI_Scatter(matrix, 1, narrow, mine, EACH, MPI_INT, root, comm));
    expect_int("column", differs(mine, EACH, rank), -1);
    MPI_Type_free(&narrow);
    MPI_Type_free(&column);
    free(matrix);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int root = 0; comm != MPI_COMM_NULL && !is_inter && root < size_of(comm); root++) {
            gathered(comm, root, 0);
            gathered(comm, root, 1);
            uneven(comm, root);
            columns(comm, root);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
