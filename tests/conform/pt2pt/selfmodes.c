/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking sends of all modes to the rank itself, with the receive posted; persistent ones; matched probes. */
#include "../expect.h"

enum { LARGEST = 80000 };

static int out[LARGEST], in[LARGEST];

static void posted(MPI_Comm comm, int rank, int mode, int count)
{
    MPI_Request request;
    MPI_Status status;

    fill(out, count, mode);
    memset(in, 0, sizeof in);
    CALL(MPI_Irecv(in, count, MPI_INT, mode % 2 ? MPI_ANY_SOURCE : rank, mode, comm, &request));
    if (mode == 0)
        CALL(MPI_Send(out, count, MPI_INT, rank, mode, comm));
    else if (mode == 1)
        CALL(MPI_Ssend(out, count, MPI_INT, rank, mode, comm));
    else
        CALL(MPI_Rsend(out, count, MPI_INT, rank, mode, comm));
    CALL(MPI_Wait(&request, &status));
    expect_status("message", &status, rank, mode, count);
    expect_int("first difference", differs(in, count, mode), -1);
}

static void persistent(MPI_Comm comm, int rank, int count)
{
    MPI_Request r[2];

    CALL(MPI_Ssend_init(out, count, MPI_INT, rank, 5, comm, &r[0]));
    CALL(MPI_Recv_init(in, count, MPI_INT, rank, 5, comm, &r[1]));
    for (int i = 0; i < 4; i++) {
        fill(out, count, i);
        CALL(MPI_Start(&r[i % 2]));
        CALL(MPI_Start(&r[1 - i % 2]));
        CALL(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        expect_int("first difference", differs(in, count, i), -1);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

static void probed(MPI_Comm comm, int rank, int count)
{
    MPI_Request r[2];
    MPI_Message message;
    MPI_Status status;
    int flag = 0;

    fill(out, count, 9);
    CALL(MPI_Issend(out, count, MPI_INT, rank, 6, comm, &r[0]));
    while (!flag)
        CALL(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, &status));
    expect_status("improbe", &status, rank, 6, count);
    CALL(MPI_Imrecv(in, count, MPI_INT, &message, &r[1]));
    CALL(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    expect_int("first difference", differs(in, count, 9), -1);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 900, LARGEST};

    conform_init(&argc, &argv);
    for (int i = 0; i < 8; i++) {
        MPI_Comm comm = i % 2 ? MPI_COMM_SELF : MPI_COMM_WORLD;
        int rank = rank_of(comm);

        for (int mode = 0; mode < 3; mode++)
            posted(comm, rank, mode, sizes[i / 2]);
        persistent(comm, rank, sizes[i / 2]);
        probed(comm, rank, sizes[i / 2]);
    }
    return conform_end(0);
}
