/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent sends of all modes, started many times, alone and by MPI_Startall (MPI 3.9). */
#include "../expect.h"

enum { MODES = 4, ROUNDS = 10, LARGEST = 30000 };

typedef int init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static init *const inits[MODES] = {MPI_Send_init, MPI_Ssend_init, MPI_Bsend_init, MPI_Rsend_init};
static int out[MODES][LARGEST], in[MODES][LARGEST];

static void rounds(MPI_Comm comm, MPI_Request *sends, MPI_Request *receives, int before, int count)
{
    int rank = rank_of(comm);
    MPI_Status statuses[MODES];

    for (int round = 0; round < ROUNDS; round++) {
        for (int mode = 0; mode < MODES; mode++)
            fill(out[mode], count, rank * 100 + round + mode);
        if (round % 2)
            CALL(MPI_Startall(MODES, receives));
        else
            for (int mode = MODES - 1; mode >= 0; mode--)
                CALL(MPI_Start(&receives[mode]));
        MPI_Barrier(comm);
        CALL(MPI_Startall(MODES, sends));
        CALL(MPI_Waitall(MODES, receives, statuses));
        for (int mode = 0; mode < MODES; mode++) {
            expect_status("receive", &statuses[mode], before, mode, count);
            if (differs(in[mode], count, before * 100 + round + mode) >= 0)
                conform_error("mode %d, round %d, %d ints: wrong data", mode, round, count);
            CHECK(receives[mode] != MPI_REQUEST_NULL);
        }
        CALL(MPI_Waitall(MODES, sends, MPI_STATUSES_IGNORE));
    }
}

static void ring(MPI_Comm comm, int count)
{
    int rank = rank_of(comm), size = size_of(comm), before = (rank + size - 1) % size;
    int space = count * (int)sizeof(int) + MPI_BSEND_OVERHEAD;
    void *buffer = malloc((size_t)space);
    MPI_Request sends[MODES], receives[MODES];

    CALL(MPI_Buffer_attach(buffer, space));
    for (int mode = 0; mode < MODES; mode++) {
        CALL(inits[mode](out[mode], count, MPI_INT, (rank + 1) % size, mode, comm, &sends[mode]));
        CALL(MPI_Recv_init(in[mode], LARGEST, MPI_INT, mode % 2 ? MPI_ANY_SOURCE : before, mode, comm,
                           &receives[mode]));
    }
    rounds(comm, sends, receives, before, count);
    for (int mode = 0; mode < MODES; mode++) {
        CALL(MPI_Request_free(&sends[mode]));
        CALL(MPI_Request_free(&receives[mode]));
        CHECK(sends[mode] == MPI_REQUEST_NULL);
    }
    CALL(MPI_Buffer_detach(&buffer, &space));
    free(buffer);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 1000, LARGEST};
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && !is_inter && i < 4; i++)
            ring(comm, sizes[i]);
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
