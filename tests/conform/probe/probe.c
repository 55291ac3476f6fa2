/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Probe and MPI_Iprobe tell source, tag and size of the message that the next receive takes. */
#include "../expect.h"

enum { LARGEST = 100000 };

static int data[LARGEST];

static void take(MPI_Comm comm, int peers, int sender_count)
{
    MPI_Status status, again;
    int count, flag = 0;

    for (int n = 0; n < 4 * sender_count; n++) {
        if (n % 2)
            CALL(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
        else
            for (flag = 0; !flag;)
                CALL(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status));
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(status.MPI_SOURCE >= 0 && status.MPI_SOURCE < peers);
        CALL(MPI_Probe(status.MPI_SOURCE, status.MPI_TAG, comm, &again));
        expect_status("second probe", &again, status.MPI_SOURCE, status.MPI_TAG, count);
        memset(data, 0, sizeof data);
        CALL(MPI_Recv(data, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &again));
        expect_status("receive", &again, status.MPI_SOURCE, status.MPI_TAG, count);
        expect_int("first difference", differs(data, count, status.MPI_SOURCE + status.MPI_TAG), -1);
    }
    CALL(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag);
}

static void give(MPI_Comm comm, int rank)
{
    static const int sizes[] = {3, 0, 1500, LARGEST};

    for (int i = 0; i < 4; i++) {
        fill(data, sizes[i], rank + i);
        CALL(MPI_Send(data, sizes[i], MPI_INT, 0, i, comm));
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL) {
            int peers = peers_of(comm, is_inter), rank = rank_of(comm),
                takes = is_inter ? is_low(comm) : rank == 0;

            if (!takes)
                give(comm, rank);
            else if (rank == 0)
                take(comm, peers, is_inter ? peers : peers - 1);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
