/* SPDX-License-Identifier: BSD-3-Clause */
/* One of several requests fails: MPI_ERR_IN_STATUS, and each status tells its own error (MPI 3.7.5). */
#include "../expect.h"

static int class_of(int code)
{
    MPI_Error_class(code, &code);
    return code;
}

/* The second message does not fit. */
static void post(MPI_Request *requests, int in[3][10], MPI_Comm comm)
{
    for (int i = 0; i < 3; i++)
        CALL(MPI_Irecv(in[i], i == 1 ? 5 : 10, MPI_INT, 0, i, comm, &requests[i]));
}

static void all(MPI_Comm comm)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int in[3][10];

    post(requests, in, comm);
    MPI_Barrier(comm);
    memset(statuses, 0x55, sizeof statuses);
    FAILS(MPI_ERR_IN_STATUS, MPI_Waitall(3, requests, statuses));
    for (int i = 0; i < 3; i++) {
        int class = class_of(statuses[i].MPI_ERROR);

        CHECK(i == 1 ? class == MPI_ERR_TRUNCATE : class == MPI_SUCCESS || class == MPI_ERR_PENDING);
        if (class == MPI_ERR_PENDING)
            CALL(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
        else
            CHECK(requests[i] == MPI_REQUEST_NULL);
    }
}

static void some(MPI_Comm comm)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int in[3][10], done, indices[3], total = 0, failed = 0;

    post(requests, in, comm);
    MPI_Barrier(comm);
    while (total < 3) {
        int code = MPI_Waitsome(3, requests, &done, indices, statuses), bad = 0;

        for (int i = 0; i < done; i++)
            bad += indices[i] == 1;
        CHECK(class_of(code) == (bad ? MPI_ERR_IN_STATUS : MPI_SUCCESS));
        for (int i = 0; bad && i < done; i++)
            expect_int("class", class_of(statuses[i].MPI_ERROR),
                       indices[i] == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        failed += bad;
        total += done;
        if (!CHECK(done > 0))
            break;
    }
    expect_int("failed", failed, 1);
}

/* The error of one request that waitany picks is the call's. */
static void any(MPI_Comm comm)
{
    MPI_Request requests[3];
    MPI_Status status;
    int in[3][10], place;

    post(requests, in, comm);
    MPI_Barrier(comm);
    for (int i = 0; i < 3; i++) {
        int code = MPI_Waitany(3, requests, &place, &status);

        expect_int("class", class_of(code), place == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        CHECK(place >= 0 && requests[place] == MPI_REQUEST_NULL);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int data[10] = {0};

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int round = 0; round < 3; round++) {
        if (rank_of(comm) > 0)
            (round == 0 ? all : round == 1 ? some : any)(comm);
        else
            MPI_Barrier(comm);
        for (int to = 1; rank_of(comm) == 0 && to < size_of(comm); to++)
            for (int i = 0; i < 3; i++)
                CALL(MPI_Send(data, 10, MPI_INT, to, i, comm));
        MPI_Barrier(comm);
    }
    return conform_end(0);
}
