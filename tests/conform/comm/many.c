/* SPDX-License-Identifier: BSD-3-Clause */
/* Many communicators at once, and many one after the other. */
#include "conform.h"

int main(int argc, char **argv)
{
    enum { ALIVE = 200, TURNS = 200 };
    static MPI_Comm comms[ALIVE];
    int rank, size, i, in, out, sum;
    MPI_Comm comm;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < ALIVE; i++) {
        CALL(MPI_Comm_dup(i < 10 ? MPI_COMM_WORLD : comms[i - 10], &comms[i]));
    }
    for (i = 0; i < ALIVE; i++) {
        out = rank + i;
        CALL(MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size,
                          0, comms[i], MPI_STATUS_IGNORE));
        CHECK(in == (rank + size - 1) % size + i);
    }
    for (i = 0; i < ALIVE; i++)
        CALL(MPI_Comm_free(&comms[i]));
    for (i = 0; i < TURNS; i++) {
        CALL(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm));
        if (i % 100 == 0) {
            CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
            CHECK(sum >= rank);
        }
        CALL(MPI_Comm_free(&comm));
    }
    return conform_end(0);
}
