/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Reduce to every root and MPI_Allreduce, in place too, of all lengths; on intercommunicators as well. */
#include "../expect.h"

static void expect_sum(const char *what, const int *got, int count, int ranks)
{
    for (int i = 0; i < count; i++)
        if (got[i] != ranks * (ranks - 1) / 2 + ranks * i) {
            conform_error("%s: element %d of %d is %d", what, i, count, got[i]);
            return;
        }
}

static void put(int *data, int count, int rank)
{
    for (int i = 0; i < count; i++)
        data[i] = rank + i;
}

static void intra(MPI_Comm comm, int count)
{
    int rank = rank_of(comm), size = size_of(comm), *out = malloc(((size_t)count + 1) * sizeof(int));
    int *in = malloc(((size_t)count + 1) * sizeof(int));

    put(out, count, rank);
    for (int root = 0; root < size; root++) {
        in[count] = 77;
        CALL(MPI_Reduce(out, rank == root ? in : NULL, count, MPI_INT, MPI_SUM, root, comm));
        if (rank == root)
            expect_sum("reduce", in, count, size);
        expect_int("behind", in[count], 77);
        put(in, count, rank);
        CALL(MPI_Reduce(rank == root ? MPI_IN_PLACE : in, rank == root ? in : NULL, count, MPI_INT, MPI_SUM,
                        root, comm));
        if (rank == root)
            expect_sum("reduce in place", in, count, size);
    }
    CALL(MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, comm));
    expect_sum("allreduce", in, count, size);
    put(in, count, rank);
    CALL(MPI_Allreduce(MPI_IN_PLACE, in, count, MPI_INT, MPI_SUM, comm));
    expect_sum("allreduce in place", in, count, size);
    put(in, count, rank);
    expect_int("source untouched", memcmp(in, out, (size_t)count * sizeof(int)), 0);
    free(out);
    free(in);
}

static void inter(MPI_Comm comm, int count)
{
    int rank = rank_of(comm), peers = peers_of(comm, 1), *out = malloc(((size_t)count + 1) * sizeof(int));
    int *in = malloc(((size_t)count + 1) * sizeof(int));

    put(out, count, rank);
    CALL(MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, comm));
    expect_sum("allreduce", in, count, peers);
    for (int side = 0; side < 2; side++) {
        int mine = is_low(comm) == side;

        if (mine) {
            CALL(MPI_Reduce(NULL, in, count, MPI_INT, MPI_SUM, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, comm));
            if (rank == 0)
                expect_sum("reduce", in, count, peers);
        } else {
            CALL(MPI_Reduce(out, NULL, count, MPI_INT, MPI_SUM, 0, comm));
        }
    }
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 2, 17, 1000, 5001, 100000};
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && i < 7; i++)
            (is_inter ? inter : intra)(comm, sizes[i]);
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
