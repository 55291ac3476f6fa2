/* SPDX-License-Identifier: BSD-3-Clause */
/* Three groups, each with intercommunicators to both others at the same time: a chain of pipelines, and
 * merges of them. */
#include "conform.h"

static int rank, size, group;
static MPI_Comm mine;

static MPI_Comm to(int other, int tag)
{
    MPI_Comm inter;

    CALL(MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, other, tag, &inter));
    return inter;
}

/* Ranks are dealt to the groups in turns: the leader of group g is rank g. */
int main(int argc, char **argv)
{
    MPI_Comm next, previous, merged;
    int members, others, in = -1, sum, here;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 3)
        return conform_end(0);
    group = rank % 3;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, group, rank, &mine));
    MPI_Comm_size(mine, &members);
    MPI_Comm_rank(mine, &here);
    /* As in a ring of groups: 0-1, 1-2, 2-0. */
    if (group == 0) {
        next = to(1, 12);
        previous = to(2, 13);
    } else if (group == 1) {
        previous = to(0, 12);
        next = to(2, 14);
    } else {
        previous = to(1, 14);
        next = to(0, 13);
    }
    if (group == 2) { /* its intercommunicators were made in the order 1, 0 */
        CALL(MPI_Comm_remote_size(next, &others));
        CHECK(others == (size + 2) / 3);
    }
    if (here == 0) {
        CALL(MPI_Sendrecv(&group, 1, MPI_INT, 0, 1, &in, 0, MPI_INT, MPI_PROC_NULL, 1, next,
                          MPI_STATUS_IGNORE));
        CALL(MPI_Recv(&in, 1, MPI_INT, 0, 1, previous, MPI_STATUS_IGNORE));
        CHECK(in == (group + 2) % 3);
    }
    CALL(MPI_Comm_remote_size(previous, &others));
    in = 0;
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    if (group < 2) {
        MPI_Comm inter = group == 0 ? next : previous;

        CALL(MPI_Intercomm_merge(inter, group, &merged));
        CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged));
        for (here = 0; here < size; here++)
            in += here % 3 < 2 ? here : 0;
        CHECK(sum == in);
        CALL(MPI_Comm_free(&merged));
    }
    CALL(MPI_Comm_free(&next));
    CALL(MPI_Comm_free(&previous));
    CALL(MPI_Comm_free(&mine));
    return conform_end(0);
}
