/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages over intercommunicators: ranks are those of the other group, wildcards and probes see only it. */
#include "../expect.h"

static void exchange(MPI_Comm comm)
{
    int rank = rank_of(comm), peers = peers_of(comm, 1), low = is_low(comm), out[2] = {low, rank}, in[2];
    MPI_Request *r = malloc((size_t)peers * sizeof *r), persistent[2];
    MPI_Status status;

    for (int i = 0; i < peers; i++)
        CALL(MPI_Isend(out, 2, MPI_INT, i, 4, comm, &r[i]));
    for (int i = 0; i < peers; i++) {
        CALL(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
        CHECK(status.MPI_SOURCE >= 0 && status.MPI_SOURCE < peers);
        CALL(MPI_Recv(in, 2, MPI_INT, status.MPI_SOURCE, 4, comm, &status));
        expect_int("group", in[0], !low);
        expect_int("rank", in[1], status.MPI_SOURCE);
    }
    CALL(MPI_Waitall(peers, r, MPI_STATUSES_IGNORE));
    CALL(MPI_Barrier(comm));
    free(r);
    if (rank < peers && rank < size_of(comm)) {
        CALL(MPI_Sendrecv(out, 2, MPI_INT, rank, 5, in, 2, MPI_INT, rank, 5, comm, &status));
        expect_status("sendrecv", &status, rank, 5, 2);
        CHECK(in[0] == !low && in[1] == rank);
        CALL(MPI_Sendrecv_replace(out, 2, MPI_INT, rank, 6, rank, 6, comm, &status));
        CHECK(out[0] == !low && out[1] == rank);
        CALL(MPI_Send_init(out, 2, MPI_INT, rank, 7, comm, &persistent[0]));
        CALL(MPI_Recv_init(in, 2, MPI_INT, MPI_ANY_SOURCE, 7, comm, &persistent[1]));
        for (int i = 0; i < 3; i++) {
            CALL(MPI_Startall(2, persistent));
            CALL(MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE));
            CHECK(in[0] == low && in[1] == rank);
        }
        CALL(MPI_Request_free(&persistent[0]));
        CALL(MPI_Request_free(&persistent[1]));
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && is_inter)
            exchange(comm);
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
