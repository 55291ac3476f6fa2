/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitany and MPI_Testany among null, finished and pending requests; each comes once. */
#include "../expect.h"

enum { N = 20 };

static void post(MPI_Request *requests, int *in, MPI_Comm comm)
{
    for (int i = 0; i < N; i++)
        if (i % 4 == 3)
            requests[i] = MPI_REQUEST_NULL;
        else
            CALL(MPI_Irecv(&in[i], 1, MPI_INT, 0, i, comm, &requests[i]));
}

/* test: by MPI_Testany. */
static void collect(MPI_Request *requests, const int *in, int test)
{
    int seen[N] = {0}, place, flag;
    MPI_Status status;

    for (int n = 0; n < N - N / 4; n++) {
        if (test)
            do
                CALL(MPI_Testany(N, requests, &place, &flag, &status));
            while (!flag);
        else
            CALL(MPI_Waitany(N, requests, &place, &status));
        if (!CHECK(place >= 0 && place < N && place % 4 != 3))
            return;
        expect_int("times", ++seen[place], 1);
        CHECK(requests[place] == MPI_REQUEST_NULL);
        expect_status("status", &status, 0, place, 1);
        expect_int("data", in[place], 10 * place);
    }
    CALL(MPI_Waitany(N, requests, &place, &status));
    expect_int("index at the end", place, MPI_UNDEFINED);
}

int main(int argc, char **argv)
{
    MPI_Request requests[N];
    MPI_Comm comm = MPI_COMM_WORLD;
    int in[N], rank, size, place, flag;

    conform_init(&argc, &argv);
    rank = rank_of(comm);
    size = size_of(comm);
    for (int test = 0; test < 2; test++) {
        if (rank > 0) {
            post(requests, in, comm);
            CALL(MPI_Testany(N, requests, &place, &flag, MPI_STATUS_IGNORE));
            CHECK(!flag && place == MPI_UNDEFINED);
        }
        MPI_Barrier(comm);
        for (int i = N - 1; rank == 0 && i >= 0; i--)
            for (int to = 1, data = 10 * i; i % 4 != 3 && to < size; to++)
                CALL(MPI_Send(&data, 1, MPI_INT, to, i, comm));
        if (rank > 0)
            collect(requests, in, test);
        MPI_Barrier(comm);
    }
    return conform_end(0);
}
