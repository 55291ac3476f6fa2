/* SPDX-License-Identifier: BSD-3-Clause */
/* Space that delivered messages leave serves others, while messages before and behind it are pending. */
#include "../expect.h"

enum { COUNT = 500, EACH = COUNT * sizeof(int) + MPI_BSEND_OVERHEAD };

static void sender(MPI_Comm comm, int dest)
{
    char *space = malloc(3 * EACH);
    int data[COUNT], size;
    void *back;

    CALL(MPI_Buffer_attach(space, 3 * EACH));
    for (int i = 0; i < 3; i++) {
        fill(data, COUNT, i);
        CALL(MPI_Bsend(data, COUNT, MPI_INT, dest, i, comm));
    }
    for (int i = 0; i < 10; i++) {
        /* The one in the middle has arrived. */
        CALL(MPI_Recv(NULL, 0, MPI_INT, dest, 9, comm, MPI_STATUS_IGNORE));
        fill(data, COUNT, 100 + i);
        CALL(MPI_Bsend(data, COUNT, MPI_INT, dest, 1, comm));
        memset(data, 0, sizeof data);
    }
    CALL(MPI_Buffer_detach(&back, &size));
    CHECK(back == space && size == (int)(3 * EACH));
    free(space);
}

static void receiver(MPI_Comm comm)
{
    int data[COUNT];

    for (int i = 0; i < 11; i++) {
        CALL(MPI_Recv(data, COUNT, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE));
        expect_int("first difference", differs(data, COUNT, i ? 99 + i : 1), -1);
        if (i < 10)
            CALL(MPI_Send(NULL, 0, MPI_INT, 0, 9, comm));
    }
    for (int i = 2; i >= 0; i -= 2) {
        CALL(MPI_Recv(data, COUNT, MPI_INT, 0, i, comm, MPI_STATUS_IGNORE));
        expect_int("first difference", differs(data, COUNT, i), -1);
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
