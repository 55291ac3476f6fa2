/* SPDX-License-Identifier: BSD-3-Clause */
/* A type freed while messages with it are under way, and types made of freed ones (MPI 4.1.9). */
#include "../expect.h"

enum { COUNT = 20000 };

static MPI_Datatype strided(void)
{
    MPI_Datatype inner, outer, type;

    MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, 4 * sizeof(int), &outer);
    MPI_Type_free(&inner);
    MPI_Type_contiguous(COUNT / 2, outer, &type);
    MPI_Type_free(&outer);
    CALL(MPI_Type_commit(&type));
    return type;
}

int main(int argc, char **argv)
{
    int *out = malloc(2 * COUNT * sizeof(int)), *in = malloc(2 * COUNT * sizeof(int)), rank, size, before,
        count;
    MPI_Datatype type;
    MPI_Request requests[3];
    MPI_Status statuses[3];

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    before = (rank + size - 1) % size;
    for (int i = 0; i < 2 * COUNT; i++) {
        out[i] = rank * 1000 + i;
        in[i] = -1;
    }
    type = strided();
    CALL(MPI_Irecv(in, 1, type, before, 1, MPI_COMM_WORLD, &requests[0]));
    CALL(MPI_Isend(out, 1, type, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]));
    CALL(MPI_Ibcast(out, 1, type, 0, MPI_COMM_SELF, &requests[2]));
    CALL(MPI_Type_free(&type));
    for (int i = 0; i < 50; i++) {
        type = strided();
        MPI_Type_free(&type);
    }
    CALL(MPI_Waitall(3, requests, statuses));
    for (int i = 0; i < 2 * COUNT; i++)
        if (in[i] != (i % 2 ? -1 : before * 1000 + i)) {
            conform_error("element %d is %d", i, in[i]);
            break;
        }
    MPI_Get_elements(&statuses[0], MPI_INT, &count);
    expect_int("elements", count, COUNT);
    free(out);
    free(in);
    return conform_end(0);
}
