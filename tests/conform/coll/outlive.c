/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-blocking collectives whose communicator, type and operator are freed before they are complete. */
#include "../expect.h"

enum { COUNT = 5000, ROUNDS = 10 };

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    MPI_Aint lb, extent;

    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *count; i++)
        *(int *)((char *)inout + i * extent) += *(int *)((char *)in + i * extent);
}

static void one(MPI_Comm world, int *out, int *in)
{
    MPI_Comm comm;
    MPI_Datatype inner, type;
    MPI_Op op;
    MPI_Request r[4];
    int size = size_of(world), rank = rank_of(world);

    MPI_Comm_dup(world, &comm);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &inner);
    MPI_Type_dup(inner, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < 2 * COUNT; i++) {
        out[i] = i % 2 ? -1 : rank + i;
        in[i] = -1;
    }
    CALL(MPI_Ibarrier(comm, &r[0]));
    CALL(MPI_Iallreduce(out, in, COUNT, type, op, comm, &r[1]));
    CALL(MPI_Ibcast(out, 1, MPI_INT, 0, comm, &r[2]));
    CALL(MPI_Ibarrier(comm, &r[3]));
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Type_free(&inner);
    CALL(MPI_Comm_free(&comm));
    CALL(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
    for (int i = 2; i < 2 * COUNT; i++)
        if (in[i] != (i % 2 ? -1 : size * (size - 1) / 2 + size * i)) {
            conform_error("element %d is %d", i, in[i]);
            break;
        }
}

int main(int argc, char **argv)
{
    int *out = malloc(2 * COUNT * sizeof(int)), *in = malloc(2 * COUNT * sizeof(int));

    conform_init(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++)
        one(MPI_COMM_WORLD, out, in);
    free(out);
    free(in);
    return conform_end(0);
}
