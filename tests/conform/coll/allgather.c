/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Allgather and MPI_Allgatherv, in place too, from one number to many, with gaps and empty blocks. */
#include "../expect.h"

static void even(MPI_Comm comm, int peers, int is_inter, int count)
{
    int rank = rank_of(comm), *mine = malloc(((size_t)count + 1) * sizeof(int));
    int *all = calloc((size_t)peers * (size_t)count + 1, sizeof(int));

    fill(mine, count, rank);
    CALL(MPI_Allgather(mine, count, MPI_INT, all, count, MPI_INT, comm));
    for (int i = 0; i < peers; i++)
        expect_int("allgather", differs(all + i * count, count, i), -1);
    if (!is_inter) {
        memset(all, 0, (size_t)peers * (size_t)count * sizeof(int));
        fill(all + rank * count, count, rank);
        CALL(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, MPI_INT, comm));
        for (int i = 0; i < peers; i++)
            expect_int("allgather in place", differs(all + i * count, count, i), -1);
    }
    free(mine);
    free(all);
}

/* Rank i gives i % 3 times unit numbers, in reverse order of places, with a gap of one. */
static void uneven(MPI_Comm comm, int peers, int is_inter, int unit)
{
    int rank = rank_of(comm), room = 2 * unit + 1, count = rank % 3 * unit;
    int *mine = malloc((size_t)room * sizeof(int)), *all = malloc((size_t)room * (size_t)peers * sizeof(int));
    int *counts = malloc((size_t)peers * sizeof(int)), *displs = malloc((size_t)peers * sizeof(int));

    for (int i = 0; i < peers; i++) {
        counts[i] = i % 3 * unit;
        displs[i] = (peers - 1 - i) * room;
    }
    for (int place = 0; place < 2 - is_inter; place++) {
        for (int i = 0; i < room * peers; i++)
            all[i] = -9;
        fill(place ? all + displs[rank] : mine, count, rank);
        CALL(MPI_Allgatherv(place ? MPI_IN_PLACE : mine, count, MPI_INT, all, counts, displs, MPI_INT, comm));
        for (int i = 0; i < peers; i++) {
            expect_int("allgatherv", differs(all + displs[i], counts[i], i), -1);
            expect_int("gap", all[displs[i] + counts[i]], -9);
        }
    }
    free(mine);
    free(all);
    free(counts);
    free(displs);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 0, 10, 3000, 40000};
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && i < 5; i++) {
            even(comm, peers_of(comm, is_inter), is_inter, sizes[i]);
            uneven(comm, peers_of(comm, is_inter), is_inter, sizes[i] + 1);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
