/* SPDX-License-Identifier: BSD-3-Clause */
/* Thousands of types made and freed, nested deeply, with messages between. */
#include "../expect.h"

enum { TYPES = 3000, DEPTH = 30 };

static void nested(MPI_Comm comm)
{
    MPI_Datatype type, next;
    int rank = rank_of(comm), size = size_of(comm), data[64], in[64], bytes;

    MPI_Type_contiguous(2, MPI_INT, &type);
    for (int i = 0; i < DEPTH; i++) {
        if (i % 2)
            MPI_Type_dup(type, &next);
        else
            MPI_Type_contiguous(1, type, &next);
        MPI_Type_free(&type);
        type = next;
    }
    CALL(MPI_Type_commit(&type));
    MPI_Type_size(type, &bytes);
    expect_int("size", bytes, 2 * sizeof(int));
    fill(data, 64, rank);
    CALL(MPI_Sendrecv(data, 32, type, (rank + 1) % size, 1, in, 64, MPI_INT, (rank + size - 1) % size, 1,
                      comm, MPI_STATUS_IGNORE));
    expect_int("first difference", differs(in, 64, (rank + size - 1) % size), -1);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Datatype *types = malloc(TYPES * sizeof *types);
    int data[40] = {0}, in[40];

    conform_init(&argc, &argv);
    for (int i = 0; i < TYPES; i++) {
        MPI_Type_vector(1 + i % 10, 1, 2, MPI_INT, &types[i]);
        MPI_Type_commit(&types[i]);
    }
    for (int i = 0; i < TYPES; i += 100) {
        MPI_Status status;
        int count;

        CALL(MPI_Sendrecv(data, 1, types[i + 37], 0, 1, in, 40, MPI_INT, 0, 1, MPI_COMM_SELF, &status));
        MPI_Get_count(&status, MPI_INT, &count);
        expect_int("ints", count, 1 + (i + 37) % 10);
    }
    for (int i = 0; i < TYPES; i++)
        MPI_Type_free(&types[i]);
    free(types);
    nested(MPI_COMM_WORLD);
    return conform_end(0);
}
