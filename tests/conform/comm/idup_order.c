/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_idup of several communicators in another order by each rank, and of overlapping ones. */
#include "conform.h"

enum { N = 5 };

static int rank, size;

static void any_order(void)
{
    MPI_Comm parents[N], copies[N];
    MPI_Request requests[N];
    int i, k, result;

    for (i = 0; i < N; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &parents[i]);
    for (i = 0; i < N; i++) {
        k = rank % 2 ? N - 1 - i : i;
        CALL(MPI_Comm_idup(parents[k], &copies[k], &requests[k]));
    }
    CALL(MPI_Waitall(N, requests, MPI_STATUSES_IGNORE));
    for (i = 0; i < N; i++) {
        CALL(MPI_Comm_compare(parents[i], copies[i], &result));
        CHECK(result == MPI_CONGRUENT);
        CALL(MPI_Barrier(copies[i]));
        MPI_Comm_free(&parents[i]);
        MPI_Comm_free(&copies[i]);
    }
}

/* Pairs of neighbours: everybody starts both of its pairs before it waits for one. */
static void overlapping(void)
{
    MPI_Comm left = MPI_COMM_NULL, right = MPI_COMM_NULL, pair, copies[2];
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int turn, sum;

    for (turn = 0; turn < 2; turn++) {
        CALL(MPI_Comm_split(MPI_COMM_WORLD, (rank + turn) / 2, rank, &pair));
        if ((rank + turn) % 2)
            left = pair;
        else
            right = pair;
    }
    CALL(MPI_Comm_idup(right, &copies[0], &requests[0]));
    CALL(MPI_Comm_idup(left, &copies[1], &requests[1]));
    CALL(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    CALL(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    for (turn = 0; turn < 2; turn++) {
        int which = (rank + turn) % 2;

        CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copies[which]));
        CHECK(sum >= rank);
        MPI_Comm_free(&copies[which]);
    }
    MPI_Comm_free(&left);
    MPI_Comm_free(&right);
}

/* While it is under way: blocking calls on the same communicator, in the same order everywhere. */
static void among_others(void)
{
    MPI_Comm first, second, half, third;
    MPI_Request one, two;
    int sum = 0;

    CALL(MPI_Comm_idup(MPI_COMM_WORLD, &first, &one));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &second));
    CALL(MPI_Comm_idup(second, &third, &two));
    CALL(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half));
    CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CALL(MPI_Wait(&two, MPI_STATUS_IGNORE));
    CALL(MPI_Barrier(third));
    CALL(MPI_Wait(&one, MPI_STATUS_IGNORE));
    CALL(MPI_Barrier(first));
    MPI_Comm_free(&first);
    MPI_Comm_free(&half);
    MPI_Comm_free(&third);
    MPI_Comm_free(&second);
}

int main(int argc, char **argv)
{
    int i;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    any_order();
    if (size % 2 == 0)
        for (i = 0; i < 5; i++)
            overlapping();
    among_others();
    return conform_end(0);
}
