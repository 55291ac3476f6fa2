/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-blocking collectives on several communicators, with blocking ones, messages and MPI_Comm_idup between;
 * completed in any order by all the calls for that. */
#include "../expect.h"

enum { COMMS = 5, EACH = 8, TOTAL = COMMS * EACH };

static void start(MPI_Comm *comms, MPI_Request *requests, int (*out)[TOTAL], int (*in)[TOTAL])
{
    int rank = rank_of(MPI_COMM_WORLD);

    for (int n = 0; n < EACH; n++)
        for (int c = 0; c < COMMS; c++) {
            int i = n * COMMS + c;

            out[0][i] = rank + i;
            out[1][i] = i;
            if (n % 3 == 0)
                CALL(MPI_Iallreduce(out[0] + i, in[0] + i, 1, MPI_INT, MPI_SUM, comms[c], &requests[i]));
            else if (n % 3 == 1)
                CALL(MPI_Ibcast(out[1] + i, 1, MPI_INT, 0, comms[c], &requests[i]));
            else
                CALL(MPI_Ibarrier(comms[c], &requests[i]));
        }
}

static void finish(MPI_Request *requests, int round)
{
    int place, flag, done, indices[TOTAL];

    if (round == 0)
        for (int i = TOTAL - 1; i >= 0; i--)
            CALL(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
    else if (round == 1)
        for (int i = 0; i < TOTAL; i++)
            CALL(MPI_Waitany(TOTAL, requests, &place, MPI_STATUS_IGNORE));
    else if (round == 2)
        for (int n = 0; n<TOTAL; n += done> 0 ? done : 0)
            CALL(MPI_Testsome(TOTAL, requests, &done, indices, MPI_STATUSES_IGNORE));
    else
        for (flag = 0; !flag;)
            CALL(MPI_Testall(TOTAL, requests, &flag, MPI_STATUSES_IGNORE));
    for (int i = 0; i < TOTAL; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    MPI_Comm comms[COMMS], later;
    MPI_Request requests[TOTAL], dup;
    int out[2][TOTAL], in[2][TOTAL], rank, size, sum, result;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    comms[0] = MPI_COMM_WORLD;
    for (int i = 1; i < COMMS; i++)
        CALL(MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? rank : -rank, &comms[i]));
    for (int round = 0; round < 4; round++) {
        start(comms, requests, out, in);
        CALL(MPI_Comm_idup(MPI_COMM_WORLD, &later, &dup));
        CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        expect_int("blocking sum between", sum, size * (size - 1) / 2);
        CALL(MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &sum, 1, MPI_INT, (rank + size - 1) % size,
                          1, comms[1], MPI_STATUS_IGNORE));
        expect_int("message between", sum, (rank + size - 1) % size);
        finish(requests, round);
        for (int i = 0; i < TOTAL; i++)
            if (i / COMMS % 3 == 0)
                expect_int("sum", in[0][i], size * (size - 1) / 2 + size * i);
        CALL(MPI_Wait(&dup, MPI_STATUS_IGNORE));
        CALL(MPI_Comm_compare(MPI_COMM_WORLD, later, &result));
        expect_int("idup", result, MPI_CONGRUENT);
        CALL(MPI_Comm_free(&later));
    }
    for (int i = 1; i < COMMS; i++)
        CALL(MPI_Comm_free(&comms[i]));
    return conform_end(0);
}
