/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests in both directions with all neighbours, restarted in changing order, types with
 * holes. */
#include "../expect.h"

enum { ROUNDS = 20, COUNT = 64 };

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Datatype type;
    MPI_Request *r;
    int rank, size, *out, *in, flag;

    conform_init(&argc, &argv);
    rank = rank_of(comm);
    size = size_of(comm);
    r = malloc(2 * (size_t)size * sizeof *r);
    out = malloc((size_t)size * 2 * COUNT * sizeof *out);
    in = malloc((size_t)size * COUNT * sizeof *in);
    MPI_Type_vector(COUNT, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < size; i++) {
        CALL(MPI_Send_init(out + i * 2 * COUNT, 1, type, i, 1, comm, &r[i]));
        CALL(MPI_Recv_init(in + i * COUNT, COUNT, MPI_INT, i, 1, comm, &r[size + i]));
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < size * 2 * COUNT; i++)
            out[i] = i % 2 ? -1 : rank * 7919 + i % (2 * COUNT) / 2 + round;
        if (round % 3)
            CALL(MPI_Startall(2 * size, r));
        else
            for (int i = 0; i < 2 * size; i++)
                CALL(MPI_Start(&r[(i + round) % (2 * size)]));
        if (round % 2)
            CALL(MPI_Waitall(2 * size, r, MPI_STATUSES_IGNORE));
        for (flag = 0; round % 2 == 0 && !flag;)
            CALL(MPI_Testall(2 * size, r, &flag, MPI_STATUSES_IGNORE));
        for (int i = 0; i < size * COUNT; i++)
            if (in[i] != i / COUNT * 7919 + i % COUNT + round) {
                conform_error("round %d: element %d is %d", round, i, in[i]);
                break;
            }
    }
    for (int i = 0; i < 2 * size; i++)
        CALL(MPI_Request_free(&r[i]));
    MPI_Type_free(&type);
    free(r);
    free(out);
    free(in);
    return conform_end(0);
}
