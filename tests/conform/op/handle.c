/* SPDX-License-Identifier: BSD-3-Clause */
/* What an operator of the user is given: the type of the call, and what the program's globals say (MPI
 * 5.9.5). */
#include "../expect.h"

static MPI_Datatype expected;
static int factor, wrong_types, wrong_factors;

/* x op y = x + y, if the factor is as the program set it. */
static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    MPI_Aint lb, extent;

    if (*type != expected)
        __atomic_add_fetch(&wrong_types, 1, __ATOMIC_RELAXED);
    if (factor != 3)
        __atomic_add_fetch(&wrong_factors, 1, __ATOMIC_RELAXED);
    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *count; i++) {
        int *from = (int *)((char *)in + i * extent), *to = (int *)((char *)inout + i * extent);

        to[0] += from[0];
        to[1] += from[1];
    }
}

static void blocking(MPI_Comm comm, MPI_Op op, int count)
{
    int size = size_of(comm), *out = malloc(2 * (size_t)count * size * sizeof(int));
    int *in = malloc(2 * (size_t)count * size * sizeof(int));

    for (int i = 0; i < 2 * count * size; i++)
        out[i] = rank_of(comm) + i;
    CALL(MPI_Allreduce(out, in, count, expected, op, comm));
    for (int i = 0; i < 2 * count; i++)
        expect_int("allreduce", in[i], size * (size - 1) / 2 + size * i);
    CALL(MPI_Reduce(out, in, count, expected, op, size - 1, comm));
    CALL(MPI_Scan(out, in, count, expected, op, comm));
    CALL(MPI_Reduce_scatter_block(out, in, count, expected, op, comm));
    CALL(MPI_Reduce_local(out, in, count, expected, op));
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 40, 3000};
    MPI_Op op;
    MPI_Request request;
    int out[2], in[2], size;

    conform_init(&argc, &argv);
    factor = 3;
    size = size_of(MPI_COMM_WORLD);
    MPI_Type_contiguous(2, MPI_INT, &expected);
    MPI_Type_commit(&expected);
    CALL(MPI_Op_create(add, 1, &op));
    for (int i = 0; i < 3; i++)
        blocking(MPI_COMM_WORLD, op, counts[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_int("calls with another type", wrong_types, 0);
    /* A call that does not block may be given a duplicate: the program may free its handle meanwhile. */
    out[0] = 1;
    out[1] = rank_of(MPI_COMM_WORLD);
    CALL(MPI_Iallreduce(out, in, 1, expected, op, MPI_COMM_WORLD, &request));
    CALL(MPI_Op_free(&op));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(in[0] == size && in[1] == size * (size - 1) / 2);
    MPI_Barrier(MPI_COMM_WORLD);
    expect_int("calls with another factor", wrong_factors, 0);
    MPI_Type_free(&expected);
    return conform_end(0);
}
