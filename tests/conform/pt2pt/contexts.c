/* SPDX-License-Identifier: BSD-3-Clause */
/* The same tag on different communicators: no message strays, also none of a collective call. */
#include "../expect.h"

enum { COMMS = 8 };

int main(int argc, char **argv)
{
    MPI_Comm comms[COMMS];
    MPI_Request sends[COMMS], receives[COMMS];
    int rank, size, next, before, out[COMMS], in[COMMS], sum, flag;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    comms[0] = MPI_COMM_WORLD;
    for (int i = 1; i < COMMS; i++)
        CALL(MPI_Comm_dup(comms[i - 1], &comms[i]));
    for (int i = 0; i < COMMS; i++) {
        out[i] = rank * 100 + i;
        CALL(MPI_Isend(&out[i], 1, MPI_INT, next, 0, comms[i], &sends[i]));
    }
    for (int i = 0; i < COMMS; i++) {
        CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[i]));
        expect_int("sum", sum, size * (size - 1) / 2);
    }
    for (int i = COMMS - 1; i >= 0; i--)
        CALL(MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &receives[i]));
    CALL(MPI_Waitall(COMMS, receives, MPI_STATUSES_IGNORE));
    CALL(MPI_Waitall(COMMS, sends, MPI_STATUSES_IGNORE));
    for (int i = 0; i < COMMS; i++)
        expect_int("data", in[i], before * 100 + i);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < COMMS; i++) {
        CALL(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &flag, MPI_STATUS_IGNORE));
        CHECK(!flag);
    }
    for (int i = 1; i < COMMS; i++)
        CALL(MPI_Comm_free(&comms[i]));
    return conform_end(0);
}
