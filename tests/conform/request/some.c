/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitsome and MPI_Testsome: statuses in the order of the indices, each request once. */
#include "../expect.h"

enum { N = 24 };

static int check(const MPI_Request *requests, int done, const int *indices, const MPI_Status *statuses,
                 int *seen)
{
    for (int i = 0; i < done; i++) {
        int place = indices[i];

        if (!CHECK(place >= 0 && place < N && place % 5 != 0))
            return -N;
        expect_int("times", ++seen[place], 1);
        CHECK(requests[place] == MPI_REQUEST_NULL);
        expect_status("status", &statuses[i], 0, place, place);
    }
    return done;
}

static void receiver(MPI_Comm comm, int test)
{
    MPI_Request requests[N];
    MPI_Status statuses[N];
    int seen[N] = {0}, in[N][N], indices[N], done, total = 0, wanted = N - (N + 4) / 5;

    for (int i = 0; i < N; i++) {
        requests[i] = MPI_REQUEST_NULL;
        if (i % 5)
            CALL(MPI_Irecv(in[i], N, MPI_INT, 0, i, comm, &requests[i]));
    }
    CALL(MPI_Testsome(N, requests, &done, indices, statuses));
    expect_int("outcount before the barrier", done, 0);
    MPI_Barrier(comm);
    while (total >= 0 && total < wanted) {
        if (test)
            CALL(MPI_Testsome(N, requests, &done, indices, statuses));
        else
            CALL(MPI_Waitsome(N, requests, &done, indices, statuses));
        if (!test)
            CHECK(done >= 1);
        total += check(requests, done, indices, statuses, seen);
    }
    for (int i = 0; i < N; i++)
        if (i % 5)
            expect_int("first difference", differs(in[i], i, i), -1);
    CALL(MPI_Waitsome(N, requests, &done, indices, statuses));
    expect_int("outcount at the end", done, MPI_UNDEFINED);
}

static void sender(MPI_Comm comm)
{
    int data[N];

    MPI_Barrier(comm);
    for (int n = 0, i = 7; n < N; n++, i = (i + 7) % N) {
        fill(data, i, i);
        for (int to = 1; i % 5 && to < size_of(comm); to++)
            CALL(MPI_Send(data, i, MPI_INT, to, i, comm));
    }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int test = 0; test < 2; test++) {
        if (rank_of(MPI_COMM_WORLD) == 0)
            sender(MPI_COMM_WORLD);
        else
            receiver(MPI_COMM_WORLD, test);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return conform_end(0);
}
