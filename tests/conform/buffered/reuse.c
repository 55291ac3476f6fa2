/* SPDX-License-Identifier: BSD-3-Clause */
/* A buffer of just the size needed (MPI 3.6) serves again and again, and detach gives it back. */
#include "../expect.h"

enum { ROUNDS = 50, EACH = 3, COUNT = 200 };

static int message_size(void)
{
    int packed;

    MPI_Pack_size(COUNT, MPI_INT, MPI_COMM_WORLD, &packed);
    return packed + MPI_BSEND_OVERHEAD;
}

static void sender(MPI_Comm comm, int dest)
{
    int size = EACH * message_size(), got = 0, data[COUNT];
    char *space = malloc((size_t)size);
    void *back = NULL;

    CALL(MPI_Buffer_attach(space, size));
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < EACH; i++) {
            fill(data, COUNT, round + i);
            CALL(MPI_Bsend(data, COUNT, MPI_INT, dest, i, comm));
            memset(data, 0, sizeof data);
        }
        if (round % 2) {
            CALL(MPI_Recv(NULL, 0, MPI_INT, dest, 9, comm, MPI_STATUS_IGNORE));
        } else {
            CALL(MPI_Buffer_detach(&back, &got));
            CHECK(back == space && got == size);
            CALL(MPI_Buffer_attach(space, size));
        }
        if (round % 2) {
            CALL(MPI_Buffer_detach(&back, &got));
            CALL(MPI_Buffer_attach(space, size));
        }
    }
    CALL(MPI_Buffer_detach(&back, &got));
    CHECK(back == space && got == size);
    free(space);
}

static void receiver(MPI_Comm comm)
{
    int data[COUNT];
    MPI_Status status;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = EACH - 1; i >= 0; i--) {
            CALL(MPI_Recv(data, COUNT, MPI_INT, 0, i, comm, &status));
            expect_status("message", &status, 0, i, COUNT);
            expect_int("first difference", differs(data, COUNT, round + i), -1);
        }
        if (round % 2)
            CALL(MPI_Send(NULL, 0, MPI_INT, 0, 9, comm));
    }
}

int main(int argc, char **argv)
{
    int rank, last;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    last = size_of(MPI_COMM_WORLD) - 1;
    if (last > 0 && rank == 0)
        sender(MPI_COMM_WORLD, last);
    else if (last > 0 && rank == last)
        receiver(MPI_COMM_WORLD);
    return conform_end(0);
}
