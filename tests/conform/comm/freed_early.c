/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_free with messages under way, in any order, parents before children; MPI_Comm_disconnect. */
#include "conform.h"

static int rank, size;

/* Requests of a freed communicator complete as if it were there. */
static void pending_messages(int count)
{
    static int in[50000], out[50000];
    MPI_Comm comm;
    MPI_Request requests[2];
    MPI_Status status;
    int i;

    for (i = 0; i < count; i++)
        out[i] = rank + i;
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Irecv(in, count, MPI_INT, (rank + size - 1) % size, 2, comm, &requests[0]));
    CALL(MPI_Isend(out, count, MPI_INT, (rank + 1) % size, 2, comm, &requests[1]));
    CALL(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
    CALL(MPI_Wait(&requests[0], &status));
    CHECK(status.MPI_SOURCE == (rank + size - 1) % size);
    CALL(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    for (i = 0; i < count; i++)
        if (in[i] != (rank + size - 1) % size + i) {
            conform_error("element %d of %d is %d", i, count, in[i]);
            break;
        }
}

static void parents_first(void)
{
    MPI_Comm chain[6];
    int i, sum;

    MPI_Comm_dup(MPI_COMM_WORLD, &chain[0]);
    for (i = 1; i < 6; i++)
        CALL(MPI_Comm_split(chain[i - 1], 0, i % 2 ? -rank : rank, &chain[i]));
    for (i = 0; i < 5; i++)
        CALL(MPI_Comm_free(&chain[i]));
    CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, chain[5]));
    CHECK(sum == size * (size - 1) / 2);
    CALL(MPI_Comm_disconnect(&chain[5]));
    CHECK(chain[5] == MPI_COMM_NULL);
}

/* Ranks free in different orders. */
static void different_orders(void)
{
    MPI_Comm comms[4];
    int i;

    for (i = 0; i < 4; i++)
        CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    for (i = 0; i < 4; i++)
        CALL(MPI_Barrier(comms[3 - i]));
    for (i = 0; i < 4; i++)
        CALL(MPI_Comm_free(&comms[i]));
}

static void disconnect_all_sorts(void)
{
    MPI_Comm comm;
    int is_inter;

    while (conform_comm(&comm, &is_inter)) {
        if (comm == MPI_COMM_NULL || comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF)
            continue;
        CALL(MPI_Comm_disconnect(&comm));
        CHECK(comm == MPI_COMM_NULL);
    }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pending_messages(1);
    pending_messages(50000);
    parents_first();
    different_orders();
    disconnect_all_sorts();
    return conform_end(0);
}
