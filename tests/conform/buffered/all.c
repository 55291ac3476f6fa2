/* SPDX-License-Identifier: BSD-3-Clause */
/* Everybody sends buffered messages to everybody before anybody receives; derived types, too. */
#include "../expect.h"

enum { COUNT = 100 };

int main(int argc, char **argv)
{
    int rank, size, packed, total, data[2 * COUNT], in[COUNT];
    MPI_Datatype type;
    void *space;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    MPI_Type_vector(COUNT, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Pack_size(1, type, MPI_COMM_WORLD, &packed);
    total = size * 2 * (packed + MPI_BSEND_OVERHEAD);
    space = malloc((size_t)total);
    CALL(MPI_Buffer_attach(space, total));
    for (int to = 0; to < size; to++)
        for (int tag = 0; tag < 2; tag++) {
            for (int i = 0; i < 2 * COUNT; i++)
                data[i] = i % 2 ? -1 : (rank + tag * to) * 7919 + i / 2;
            CALL(MPI_Bsend(data, 1, type, to, tag, MPI_COMM_WORLD));
        }
    MPI_Type_free(&type);
    for (int from = 0; from < size; from++)
        for (int tag = 1; tag >= 0; tag--) {
            CALL(MPI_Recv(in, COUNT, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            expect_int("first difference", differs(in, COUNT, from + tag * rank), -1);
        }
    CALL(MPI_Buffer_detach(&space, &total));
    free(space);
    return conform_end(0);
}
