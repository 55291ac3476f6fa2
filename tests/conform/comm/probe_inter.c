/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes and messages of unknown length between the groups of an intercommunicator; ranks are of the others. */
#include "conform.h"

#include <stdlib.h>

static void exchange(MPI_Comm inter)
{
    int mine, remote, i, n, *data, k;
    MPI_Status status;
    MPI_Message message;
    MPI_Request *requests;

    MPI_Comm_rank(inter, &mine);
    MPI_Comm_remote_size(inter, &remote);
    requests = malloc(remote * sizeof *requests);
    data = malloc(1000 * sizeof *data);
    for (i = 0; i < 1000; i++)
        data[i] = mine;
    for (i = 0; i < remote; i++)
        CALL(MPI_Isend(data, 10 * mine + i, MPI_INT, i, mine, inter, &requests[i]));
    for (i = 0; i < remote; i++) {
        int in[1000];

        if (i % 2) {
            CALL(MPI_Probe(i, MPI_ANY_TAG, inter, &status));
            CALL(MPI_Get_count(&status, MPI_INT, &n));
            CALL(MPI_Recv(in, n, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, inter, &status));
        } else {
            CALL(MPI_Mprobe(MPI_ANY_SOURCE, i, inter, &message, &status));
            CALL(MPI_Get_count(&status, MPI_INT, &n));
            CALL(MPI_Mrecv(in, n, MPI_INT, &message, &status));
        }
        CHECK(status.MPI_SOURCE == i && status.MPI_TAG == i && n == 10 * i + mine);
        for (k = 0; k < n; k++)
            CHECK(in[k] == i);
    }
    CALL(MPI_Waitall(remote, requests, MPI_STATUSES_IGNORE));
    free(requests);
    free(data);
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
