/* SPDX-License-Identifier: BSD-3-Clause */
/* Many messages come before their receives; these are made in another order, by tag. */
#include "../expect.h"

enum { MESSAGES = 500 };

static int length(int i)
{
    return i % 50 == 49 ? 20000 : i % 10 * 40;
}

static void sender(MPI_Comm comm, int dest)
{
    MPI_Request requests[MESSAGES];
    int *data[MESSAGES];

    for (int i = 0; i < MESSAGES; i++) {
        data[i] = malloc(((size_t)length(i) + 1) * sizeof(int));
        fill(data[i], length(i), i);
        CALL(MPI_Isend(data[i], length(i), MPI_INT, dest, i, comm, &requests[i]));
    }
    CALL(MPI_Send(NULL, 0, MPI_INT, dest, MESSAGES, comm));
    CALL(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MESSAGES; i++)
        free(data[i]);
}

static void receiver(MPI_Comm comm, int step)
{
    int data[20000];
    MPI_Status status;

    CALL(MPI_Recv(NULL, 0, MPI_INT, 0, MESSAGES, comm, MPI_STATUS_IGNORE));
    for (int n = 0, i = MESSAGES - 1; n < MESSAGES; n++, i = (i + step) % MESSAGES) {
        CALL(MPI_Recv(data, length(i), MPI_INT, MPI_ANY_SOURCE, i, comm, &status));
        expect_status("message", &status, 0, i, length(i));
        expect_int("first difference", differs(data, length(i), i), -1);
    }
}

int main(int argc, char **argv)
{
    static const int steps[] = {1, MESSAGES - 1, 7, 333};
    int rank, last;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    last = size_of(MPI_COMM_WORLD) - 1;
    for (int i = 0; i < 4 && last > 0; i++)
        if (rank == 0)
            sender(MPI_COMM_WORLD, last);
        else if (rank == last)
            receiver(MPI_COMM_WORLD, steps[i]);
    return conform_end(0);
}
