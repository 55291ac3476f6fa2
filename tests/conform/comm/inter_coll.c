/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations of intercommunicators: roots by MPI_ROOT and MPI_PROC_NULL, and all to all. */
#include "conform.h"

static int low, mine, local, remote;

static void rooted(MPI_Comm inter, int from_low)
{
    int sends = low == from_low, root = sends ? (mine == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    int value = sends ? 42 : 0, sum = 0, i, all[64];

    CALL(MPI_Bcast(&value, 1, MPI_INT, root, inter));
    CHECK(value == 42);
    value = mine + 1;
    CALL(MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, root, inter));
    if (root == MPI_ROOT)
        CHECK(sum == remote * (remote + 1) / 2);
    CALL(MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, root, inter));
    for (i = 0; root == MPI_ROOT && i < remote; i++)
        CHECK(all[i] == i + 1);
    for (i = 0; i < 64; i++)
        all[i] = 10 * i;
    value = -1;
    CALL(MPI_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, root, inter));
    CHECK(value == (sends ? -1 : 10 * mine));
}

static void together(MPI_Comm inter)
{
    int value = low ? 1 : 100, sum = 0, i, out[64], in[64];

    CALL(MPI_Barrier(inter));
    CALL(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, inter));
    CHECK(sum == remote * (low ? 100 : 1));
    CALL(MPI_Allgather(&mine, 1, MPI_INT, in, 1, MPI_INT, inter));
    for (i = 0; i < remote; i++)
        CHECK(in[i] == i);
    for (i = 0; i < remote; i++)
        out[i] = 100 * mine + i;
    CALL(MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, inter));
    for (i = 0; i < remote; i++)
        CHECK(in[i] == 100 * i + mine);
}

int main(int argc, char **argv)
{
    MPI_Comm inter;
    int is_inter, result;
    MPI_Group group, whole;

    conform_init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    while (conform_comm(&inter, &is_inter)) {
        if (inter != MPI_COMM_NULL && is_inter) {
            int zero = 0, first;

            MPI_Comm_group(inter, &group);
            MPI_Group_translate_ranks(group, 1, &zero, whole, &first);
            low = first == 0;
            MPI_Group_free(&group);
            MPI_Comm_rank(inter, &mine);
            MPI_Comm_size(inter, &local);
            MPI_Comm_remote_size(inter, &remote);
            rooted(inter, 1);
            rooted(inter, 0);
            together(inter);
            MPI_Comm_test_inter(inter, &result);
            CHECK(result);
        }
        conform_free_comm(&inter);
    }
    MPI_Group_free(&whole);
    return conform_end(0);
}
