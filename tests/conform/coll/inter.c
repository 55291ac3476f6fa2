/* SPDX-License-Identifier: BSD-3-Clause */
/* Gather and scatter with a root in the other group, barriers and uneven exchanges between groups (MPI
 * 5.2.3). */
#include "../expect.h"

enum { EACH = 3 };

/* The root is rank `root` of the side that takes part as such. */
static void rooted(MPI_Comm comm, int side, int root, int v)
{
    int rank = rank_of(comm), peers = peers_of(comm, 1), mine[EACH + 20] = {0}, is_root = rank == root;
    int *all = calloc((size_t)peers * (EACH + 20), sizeof(int)),
        *counts = malloc((size_t)peers * sizeof(int));
    int *displs = malloc((size_t)peers * sizeof(int)), target = is_root ? MPI_ROOT : MPI_PROC_NULL, length;

    for (int i = 0; i < peers; i++) {
        counts[i] = v ? i % 4 : EACH;
        displs[i] = i * (EACH + 20);
    }
    length = v ? rank % 4 : EACH;
    if (is_low(comm) == side) {
        if (v)
            CALL(MPI_Gatherv(NULL, 0, MPI_INT, all, counts, displs, MPI_INT, target, comm));
        else
            CALL(MPI_Gather(NULL, 0, MPI_INT, all, EACH, MPI_INT, target, comm));
        for (int i = 0; is_root && i < peers; i++)
            expect_int("gathered", differs(all + (v ? displs[i] : i * EACH), counts[i], i), -1);
        if (v)
            CALL(MPI_Scatterv(all, counts, displs, MPI_INT, NULL, 0, MPI_INT, target, comm));
        else
            CALL(MPI_Scatter(all, EACH, MPI_INT, NULL, 0, MPI_INT, target, comm));
    } else {
        fill(mine, length, rank);
        if (v)
            CALL(MPI_Gatherv(mine, length, MPI_INT, NULL, NULL, NULL, MPI_INT, root, comm));
        else
            CALL(MPI_Gather(mine, EACH, MPI_INT, NULL, 0, MPI_INT, root, comm));
        memset(mine, 0, sizeof mine);
        if (v)
            CALL(MPI_Scatterv(NULL, NULL, NULL, MPI_INT, mine, length, MPI_INT, root, comm));
        else
            CALL(MPI_Scatter(NULL, 0, MPI_INT, mine, EACH, MPI_INT, root, comm));
        expect_int("scattered", differs(mine, length, rank), -1);
    }
    free(all);
    free(counts);
    free(displs);
}

/* One group gives data, the other none. */
static void one_way(MPI_Comm comm)
{
    int low = is_low(comm), rank = rank_of(comm), peers = peers_of(comm, 1), mine[EACH];
    int *all = calloc((size_t)peers * EACH, sizeof(int));

    fill(mine, EACH, rank);
    CALL(MPI_Allgather(mine, low ? EACH : 0, MPI_INT, all, low ? 0 : EACH, MPI_INT, comm));
    for (int i = 0; i < peers; i++)
        expect_int("allgather", low ? all[i] : differs(all + i * EACH, EACH, i), low ? 0 : -1);
    CALL(MPI_Barrier(comm));
    free(all);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && is_inter && i < 4; i++) {
            int side = i % 2, ranks = is_low(comm) == side ? size_of(comm) : peers_of(comm, 1);

            for (int root = 0; root < ranks; root++)
                rooted(comm, side, root, i / 2);
            one_way(comm);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
