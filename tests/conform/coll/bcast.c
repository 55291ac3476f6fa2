/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Bcast from every root, of many sizes and types, on all communicators. */
#include "../expect.h"

static const int sizes[] = {0, 1, 3, 100, 4097, 70000};

static void from(MPI_Comm comm, int root, int sends, int count, int seed)
{
    int *data = malloc(((size_t)count + 1) * sizeof(int));

    fill(data, count + 1, sends ? seed : -1);
    CALL(MPI_Bcast(data, count, MPI_INT, root, comm));
    if (root != MPI_PROC_NULL)
        expect_int("first difference", differs(data, count, seed), -1);
    free(data);
}

/* The root sends ints, the others receive pairs. */
static void typed(MPI_Comm comm, int root)
{
    int data[8], size = 4;
    MPI_Datatype pair;

    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < 8; i++)
        data[i] = rank_of(comm) == root ? i : -1;
    if (rank_of(comm) == root) {
        CALL(MPI_Bcast(data, size, MPI_INT, root, comm));
    } else {
        CALL(MPI_Bcast(data, 2, pair, root, comm));
        CHECK(data[0] == 0 && data[1] == -1 && data[2] == 1 && data[3] == 2 && data[4] == -1 && data[5] == 3);
    }
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && i < 6; i++) {
            int rank = rank_of(comm), size = size_of(comm);

            for (int root = 0; !is_inter && root < size; root++) {
                from(comm, root, root == rank, sizes[i], root + i);
                typed(comm, root);
            }
            /* From every rank of the low group, then of the high one. */
            for (int side = 0; is_inter && side < 2; side++) {
                int peers = peers_of(comm, 1), mine = is_low(comm) == side;

                for (int root = 0; root < (mine ? size : peers); root++)
                    from(comm,
                         !mine          ? root
                         : rank == root ? MPI_ROOT
                                        : MPI_PROC_NULL,
                         mine && rank == root, sizes[i], root + i);
            }
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
