/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests among others, in waitany, testsome, get_status; the type freed after the init. */
#include "../expect.h"

enum { ROUNDS = 5 };

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Request requests[4];
    MPI_Status statuses[4], status;
    int rank, size, next, before, out[4] = {0}, in[4], place, flag, done, indices[4];

    conform_init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    rank = rank_of(comm);
    size = size_of(comm);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    CALL(MPI_Send_init(out, 1, type, next, 1, comm, &requests[0]));
    CALL(MPI_Recv_init(in, 1, type, before, 1, comm, &requests[1]));
    MPI_Type_free(&type);
    requests[2] = MPI_REQUEST_NULL;
    for (int round = 0; round < ROUNDS; round++) {
        out[0] = rank + round;
        out[2] = rank - round;
        CALL(MPI_Startall(2, requests));
        CALL(MPI_Irecv(&in[3], 1, MPI_INT, before, 2, comm, &requests[3]));
        CALL(MPI_Wait(&requests[1], &status));
        expect_status("persistent", &status, before, 1, 2);
        expect_int("data", in[0], before + round);
        expect_int("data", in[2], before - round);
        CALL(MPI_Request_get_status(requests[1], &flag, &status));
        CHECK(flag);
        expect_empty("inactive", &status);
        CALL(MPI_Waitany(2, requests, &place, &status));
        CHECK(place == 0 && requests[0] != MPI_REQUEST_NULL);
        CALL(MPI_Testsome(3, requests, &done, indices, statuses));
        expect_int("done", done, MPI_UNDEFINED);
        CALL(MPI_Send(out, 1, MPI_INT, next, 2, comm));
        CALL(MPI_Waitall(4, requests, statuses));
        expect_empty("inactive", &statuses[0]);
        expect_empty("null", &statuses[2]);
        expect_status("receive", &statuses[3], before, 2, 1);
        CHECK(requests[3] == MPI_REQUEST_NULL);
    }
    CALL(MPI_Request_free(&requests[0]));
    CALL(MPI_Request_free(&requests[1]));
    MPI_Comm_free(&comm);
    return conform_end(0);
}
