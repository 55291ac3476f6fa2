/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of MPI_COMM_SELF are deleted when MPI_Finalize begins, the last one first; MPI still works then. */
#include "conform.h"

#include <stdio.h>

enum { N = 10 };

static int order[N], count, keyvals[N], wrong, rank;

static int drop(MPI_Comm comm, int keyval, void *value, void *state)
{
    int down = -1, size = 0;

    (void)keyval;
    (void)state;
    if (comm != MPI_COMM_SELF)
        wrong |= 1;
    MPI_Finalized(&down);
    if (down)
        wrong |= 2;
    if (MPI_Comm_size(MPI_COMM_SELF, &size) != MPI_SUCCESS || size != 1)
        wrong |= 4;
    if (count < N)
        order[count] = *(int *)value;
    count++;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static int values[N];
    /* 3 and 4 are set again: then they come last; 7 is deleted. */
    static const int expected[N - 1] = {4, 3, 9, 8, 6, 5, 2, 1, 0};
    int i, rank_here;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_here);
    rank = rank_here;
    for (i = 0; i < N; i++) {
        values[i] = i;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &keyvals[i], NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[i], &values[i]);
    }
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyvals[3]);
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyvals[4]);
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyvals[7]);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[3], &values[3]);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[4], &values[4]);
    for (i = 0; i < N; i++)
        MPI_Comm_free_keyval(&keyvals[i]);
    count = 0;
    MPI_Finalize();
    if (count != N - 1 || wrong) {
        printf("rank %d: %d deletions, wrong %d\n", rank, count, wrong);
        return 1;
    }
    for (i = 0; i < N - 1; i++)
        if (order[i] != expected[i]) {
            printf("rank %d: deletion %d is of %d, not %d\n", rank, i, order[i], expected[i]);
            return 1;
        }
    if (rank == 0)
        printf(" No Errors\n");
    return 0;
}
