/* SPDX-License-Identifier: BSD-3-Clause */
/* Everybody floods everybody with small messages before anybody receives; the last rank is late. */
#include "../expect.h"

enum { EACH = 2000 };

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank, size, *next, data;
    MPI_Request *requests;
    MPI_Status status;

    conform_init(&argc, &argv);
    rank = rank_of(comm);
    size = size_of(comm);
    next = calloc((size_t)size, sizeof(int));
    requests = malloc((size_t)size * EACH * sizeof *requests);
    for (int i = 0; i < EACH; i++)
        for (int to = 0; to < size; to++) {
            static int numbers[EACH];

            numbers[i] = i;
            CALL(MPI_Isend(&numbers[i], 1, MPI_INT, to, 3, comm, &requests[i * size + to]));
        }
    if (rank == size - 1)
        MPI_Barrier(MPI_COMM_SELF);
    for (int n = 0; n < EACH * size; n++) {
        CALL(MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 3, comm, &status));
        if (data != next[status.MPI_SOURCE])
            conform_error("from %d: %d, not %d", status.MPI_SOURCE, data, next[status.MPI_SOURCE]);
        next[status.MPI_SOURCE] = data + 1;
    }
    CALL(MPI_Waitall(size * EACH, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < size; i++)
        expect_int("messages of a rank", next[i], EACH);
    free(next);
    free(requests);
    return conform_end(0);
}
