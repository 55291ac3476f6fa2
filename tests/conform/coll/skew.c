/* SPDX-License-Identifier: BSD-3-Clause */
/* Rapid sequences of different small collectives with changing roots; ranks run ahead as far as they may. */
#include "../expect.h"

enum { ROUNDS = 60 };

static void round_of(MPI_Comm comm, int round, int rank, int size)
{
    int root = round % size, word = rank == root ? round : -1, all[64], sum, part;

    CALL(MPI_Bcast(&word, 1, MPI_INT, root, comm));
    expect_int("bcast", word, round);
    CALL(MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, root, comm));
    if (rank == root)
        expect_int("reduce", sum, size * (size - 1) / 2);
    word = rank * round;
    CALL(MPI_Gather(&word, 1, MPI_INT, all, 1, MPI_INT, root, comm));
    for (int i = 0; rank == root && i < size; i++)
        expect_int("gather", all[i], i * round);
    for (int i = 0; i < size; i++)
        all[i] = i + round;
    CALL(MPI_Scatter(all, 1, MPI_INT, &part, 1, MPI_INT, root, comm));
    expect_int("scatter", part, rank + round);
    if (round % 10 == 0)
        CALL(MPI_Barrier(comm));
    CALL(MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_MAX, comm));
    expect_int("scan", sum, rank);
    CALL(MPI_Alltoall(all, 1, MPI_INT, all + 32, 1, MPI_INT, comm));
    for (int i = 0; i < size; i++)
        if (all[32 + i] != rank + round) {
            conform_error("round %d: alltoall", round);
            return;
        }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    if (size_of(MPI_COMM_WORLD) > 32)
        return conform_end(0);
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && !is_inter && i < ROUNDS; i++)
            round_of(comm, i, rank_of(comm), size_of(comm));
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
