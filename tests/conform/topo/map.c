/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Cart_map and MPI_Graph_map: a rank of its own for each, MPI_UNDEFINED beyond the last place. */
#include "conform.h"

static int rank, size;

/* All new ranks are different, and there are places of them. */
static void is_permutation(int mine, int places, int line)
{
    int all[64], seen[64] = {0}, i, n = 0;

    CALL(MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD));
    for (i = 0; i < size; i++) {
        if (all[i] == MPI_UNDEFINED)
            continue;
        if (all[i] < 0 || all[i] >= places || seen[all[i]]++)
            conform_error("line %d: rank %d becomes %d of %d", line, i, all[i], places);
        n++;
    }
    CHECK(n == places);
}

int main(int argc, char **argv)
{
    int dims[2], periods[2] = {1, 0}, mine, index[64], edges[64], i;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 64)
        return conform_end(0);
    dims[0] = size;
    dims[1] = 1;
    CALL(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &mine));
    is_permutation(mine, size, __LINE__);
    dims[0] = 1;
    CALL(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &mine));
    is_permutation(mine, 1, __LINE__);
    for (i = 0; i < size; i++) {
        index[i] = i + 1;
        edges[i] = (i + 1) % size;
    }
    CALL(MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &mine));
    is_permutation(mine, size, __LINE__);
    return conform_end(0);
}
