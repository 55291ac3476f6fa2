/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between two ranks do not overtake, whatever their sizes, modes and the wildcards (MPI 3.5). */
#include "../expect.h"

enum { MESSAGES = 60, LARGEST = 50000 };

static int size_of_message(int i)
{
    static const int sizes[] = {1, 30000, 0, 100, LARGEST, 2000, 1};

    return sizes[i % 7];
}

static void sender(int dest, MPI_Comm comm)
{
    int *data = malloc(MESSAGES * (size_t)LARGEST * sizeof(int));
    MPI_Request requests[MESSAGES];

    for (int i = 0; i < MESSAGES; i++) {
        int *mine = data + (size_t)i * LARGEST;

        fill(mine, size_of_message(i), i);
        if (i % 3 == 1)
            CALL(MPI_Issend(mine, size_of_message(i), MPI_INT, dest, i % 2, comm, &requests[i]));
        else
            CALL(MPI_Isend(mine, size_of_message(i), MPI_INT, dest, i % 2, comm, &requests[i]));
    }
    CALL(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
    free(data);
}

/* wild: any source and tag, in the order of all; else first the odd ones, then the even. */
static void receiver(int source, int wild, MPI_Comm comm)
{
    int *data = malloc(LARGEST * sizeof(int));
    MPI_Status status;

    for (int n = 0; n < MESSAGES; n++) {
        int i = wild ? n : n < MESSAGES / 2 ? 2 * n + 1 : 2 * (n - MESSAGES / 2);

        CALL(MPI_Recv(data, LARGEST, MPI_INT, wild ? MPI_ANY_SOURCE : source, wild ? MPI_ANY_TAG : i % 2,
                      comm, &status));
        expect_status("message", &status, source, i % 2, size_of_message(i));
        expect_int("first difference", differs(data, size_of_message(i), i), -1);
    }
    free(data);
}

/* Receives that were posted first match first. */
static void posted(int rank, int last, MPI_Comm comm)
{
    int data[MESSAGES];
    MPI_Request requests[MESSAGES];

    if (rank == last) {
        for (int i = 0; i < MESSAGES; i++)
            CALL(MPI_Irecv(&data[i], 1, MPI_INT, i % 3 ? MPI_ANY_SOURCE : 0, i % 2 ? MPI_ANY_TAG : 5, comm,
                           &requests[i]));
        MPI_Barrier(comm);
        CALL(MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE));
        for (int i = 0; i < MESSAGES; i++)
            expect_int("number of the message", data[i], i);
        return;
    }
    MPI_Barrier(comm);
    for (int i = 0; rank == 0 && i < MESSAGES; i++)
        CALL(MPI_Send(&i, 1, MPI_INT, last, 5, comm));
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank, last;

    conform_init(&argc, &argv);
    rank = rank_of(comm);
    last = size_of(comm) - 1;
    for (int wild = 0; wild < 2; wild++) {
        if (rank == 0)
            sender(last, comm);
        else if (rank == last)
            receiver(0, wild, comm);
    }
    posted(rank, last, comm);
    return conform_end(0);
}
