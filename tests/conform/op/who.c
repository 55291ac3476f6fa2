/* SPDX-License-Identifier: BSD-3-Clause */
/* An operator of the user asks who it is, uses static memory and other calls of MPI that are local. */
#include "../expect.h"

enum { MOST = 20000 };

static int my_rank, strangers, inside, overlaps, scratch[MOST];

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int rank, size, bytes;

    if (__atomic_fetch_add(&inside, 1, __ATOMIC_ACQ_REL) != 0)
        __atomic_add_fetch(&overlaps, 1, __ATOMIC_RELAXED);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_size(*type, &bytes);
    if (rank != my_rank || size < 1 || bytes != sizeof(int))
        __atomic_add_fetch(&strangers, 1, __ATOMIC_RELAXED);
    memcpy(scratch, in, (size_t)*count * sizeof(int));
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += scratch[i];
    __atomic_sub_fetch(&inside, 1, __ATOMIC_ACQ_REL);
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 100, MOST};
    static int out[MOST], in[MOST];
    MPI_Op op;
    MPI_Request request;
    int size;

    conform_init(&argc, &argv);
    my_rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    MPI_Op_create(add, 1, &op);
    for (int n = 0; n < 12; n++) {
        int count = counts[n % 3];

        for (int i = 0; i < count; i++)
            out[i] = my_rank + i;
        if (n < 6) {
            CALL(MPI_Allreduce(out, in, count, MPI_INT, op, MPI_COMM_WORLD));
        } else {
            CALL(MPI_Iallreduce(out, in, count, MPI_INT, op, MPI_COMM_WORLD, &request));
            CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
        for (int i = 0; i < count; i++)
            if (in[i] != size * (size - 1) / 2 + size * i) {
                conform_error("count %d: element %d is %d", count, i, in[i]);
                break;
            }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_int("calls by another rank", strangers, 0);
    expect_int("calls at the same time", overlaps, 0);
    MPI_Op_free(&op);
    return conform_end(0);
}
