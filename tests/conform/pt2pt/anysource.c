/* SPDX-License-Identifier: BSD-3-Clause */
/* Everybody sends to rank 0, which takes what comes: all arrive, in order per sender. */
#include "../expect.h"

enum { ROUNDS = 100 };

static void take(MPI_Comm comm, int size)
{
    int *next = calloc((size_t)size, sizeof(int)), data[2];
    MPI_Status status;

    for (int n = 0; n < ROUNDS * (size - 1); n++) {
        CALL(MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
        expect_int("source", data[0], status.MPI_SOURCE);
        expect_int("tag", data[1] % 7, status.MPI_TAG);
        expect_int("number", data[1], next[status.MPI_SOURCE]);
        next[status.MPI_SOURCE]++;
    }
    for (int i = 1; i < size; i++)
        expect_int("messages of a sender", next[i], ROUNDS);
    free(next);
}

/* With one tag per sender and any source, and with one source and any tag. */
static void half_wild(MPI_Comm comm, int rank, int size)
{
    int data;
    MPI_Status status;

    if (rank > 0) {
        CALL(MPI_Send(&rank, 1, MPI_INT, 0, rank, comm));
        CALL(MPI_Send(&rank, 1, MPI_INT, 0, rank + 1000, comm));
        return;
    }
    for (int i = size - 1; i > 0; i--) {
        CALL(MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, i, comm, &status));
        expect_status("any source", &status, i, i, 1);
        CALL(MPI_Recv(&data, 1, MPI_INT, i, MPI_ANY_TAG, comm, &status));
        expect_status("any tag", &status, i, i + 1000, 1);
        expect_int("data", data, i);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && !is_inter) {
            int rank = rank_of(comm), size = size_of(comm);

            for (int i = 0; rank > 0 && i < ROUNDS; i++) {
                int data[2] = {rank, i};

                CALL(MPI_Send(data, 2, MPI_INT, 0, i % 7, comm));
            }
            if (rank == 0)
                take(comm, size);
            MPI_Barrier(comm);
            half_wild(comm, rank, size);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
