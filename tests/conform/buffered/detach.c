/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Buffer_detach waits until the messages are gone; then the space may be overwritten at once. */
#include "../expect.h"

enum { COUNT = 20000, MESSAGES = 4 };

static void sender(MPI_Comm comm, int dest)
{
    int size = MESSAGES * (COUNT * (int)sizeof(int) + MPI_BSEND_OVERHEAD),
        *data = malloc(COUNT * sizeof(int));
    void *space = malloc((size_t)size), *back;
    MPI_Request requests[2];

    CALL(MPI_Buffer_attach(space, size));
    fill(data, COUNT, 1);
    CALL(MPI_Bsend(data, COUNT, MPI_INT, dest, 1, comm));
    CALL(MPI_Ibsend(data, COUNT, MPI_INT, dest, 1, comm, &requests[0]));
    CALL(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    CALL(MPI_Bsend_init(data, COUNT, MPI_INT, dest, 1, comm, &requests[1]));
    for (int i = 0; i < 2; i++) {
        CALL(MPI_Start(&requests[1]));
        CALL(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    }
    memset(data, 0, COUNT * sizeof(int));
    CALL(MPI_Send(NULL, 0, MPI_INT, dest, 2, comm));
    CALL(MPI_Buffer_detach(&back, &size));
    CHECK(back == space);
    memset(space, 0, (size_t)size);
    free(space);
    free(data);
    CALL(MPI_Request_free(&requests[1]));
}

static void receiver(MPI_Comm comm)
{
    int *data = malloc(COUNT * sizeof(int));

    CALL(MPI_Recv(NULL, 0, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE));
    for (int i = 0; i < MESSAGES; i++) {
        CALL(MPI_Recv(data, COUNT, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE));
        expect_int("first difference", differs(data, COUNT, 1), -1);
    }
    free(data);
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
