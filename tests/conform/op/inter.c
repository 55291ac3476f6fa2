/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions over intercommunicators: each group gets what the other one gives (MPI 5.2.3), in order. */
#include "../expect.h"

/* Digits in the order of ranks: does not commute. */
struct text {
    int length, digits[16];
};

static void append(void *in, void *inout, int *count, MPI_Datatype *type)
{
    struct text *left = in, *right = inout;

    (void)type;
    for (int n = 0; n < *count; n++) {
        struct text all = left[n];

        for (int i = 0; i < right[n].length && all.length < 16; i++)
            all.digits[all.length++] = right[n].digits[i];
        right[n] = all;
    }
}

static void expect_text(const char *what, const struct text *got, int ranks, int base)
{
    expect_int(what, got->length, ranks < 16 ? ranks : 16);
    for (int i = 0; i < got->length && i < ranks; i++)
        expect_int(what, got->digits[i], base + i);
}

static void ordered(MPI_Comm comm, MPI_Op op, MPI_Datatype type)
{
    int low = is_low(comm), rank = rank_of(comm), peers = peers_of(comm, 1);
    struct text out = {1, {(low ? 100 : 200) + rank}}, in = {0, {0}};

    CALL(MPI_Allreduce(&out, &in, 1, type, op, comm));
    expect_text("allreduce", &in, peers, low ? 200 : 100);
    for (int side = 0; side < 2; side++) {
        memset(&in, 0, sizeof in);
        if (side == low) {
            CALL(MPI_Reduce(NULL, &in, 1, type, op, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, comm));
            if (rank == 0)
                expect_text("reduce", &in, peers, low ? 200 : 100);
        } else {
            CALL(MPI_Reduce(&out, NULL, 1, type, op, 0, comm));
        }
    }
}

/* As many elements for both groups; each rank of a group gets a part of the other's result. */
static void scattered(MPI_Comm comm)
{
    int size = size_of(comm), peers = peers_of(comm, 1), rank = rank_of(comm), total = size * peers * 3;
    int *out = malloc((size_t)total * sizeof(int)), *in = malloc((size_t)total * sizeof(int));
    int *counts = malloc((size_t)size * sizeof(int)), first = rank * peers * 3;

    for (int i = 0; i < total; i++)
        out[i] = rank + i;
    for (int i = 0; i < size; i++)
        counts[i] = peers * 3;
    for (int block = 0; block < 2; block++) {
        if (block)
            CALL(MPI_Reduce_scatter_block(out, in, peers * 3, MPI_INT, MPI_SUM, comm));
        else
            CALL(MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, comm));
        for (int i = 0; i < peers * 3; i++)
            expect_int("part", in[i], peers * (peers - 1) / 2 + peers * (first + i));
    }
    free(out);
    free(in);
    free(counts);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Op op;
    MPI_Datatype type;
    int is_inter;

    conform_init(&argc, &argv);
    MPI_Type_contiguous(17, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(append, 0, &op);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && is_inter) {
            ordered(comm, op, type);
            scattered(comm);
        }
        conform_free_comm(&comm);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    return conform_end(0);
}
