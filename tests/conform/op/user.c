/* SPDX-License-Identifier: BSD-3-Clause */
/* The user's operator that does not commute (2x2 matrices modulo a prime) in every reduction (MPI 5.9.5). */
#include "../expect.h"

enum { PRIME = 101, MOST = 500 };

struct matrix {
    int a, b, c, d;
};

static struct matrix times(struct matrix x, struct matrix y)
{
    struct matrix z = {(x.a * y.a + x.b * y.c) % PRIME, (x.a * y.b + x.b * y.d) % PRIME,
                       (x.c * y.a + x.d * y.c) % PRIME, (x.c * y.b + x.d * y.d) % PRIME};

    return z;
}

static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
    struct matrix *left = in, *right = inout;
    int size;

    MPI_Type_size(*type, &size);
    CHECK(size == sizeof(struct matrix));
    for (int i = 0; i < *count; i++)
        right[i] = times(left[i], right[i]);
}

static struct matrix start(int rank, int i)
{
    struct matrix m = {1 + rank, 2 + i, 3, rank + i};

    return m;
}

static struct matrix product(int first, int last, int i)
{
    struct matrix m = start(first, i);

    for (int r = first + 1; r <= last; r++)
        m = times(m, start(r, i));
    return m;
}

static void expect_product(const char *what, const struct matrix *got, int count, int last, int offset)
{
    for (int i = 0; i < count; i++) {
        struct matrix want = product(0, last, i + offset);

        if (memcmp(&want, &got[i], sizeof want) != 0) {
            conform_error("%s: wrong product %d", what, i);
            return;
        }
    }
}

static void reductions(MPI_Comm comm, int count, MPI_Datatype type, MPI_Op op)
{
    int rank = rank_of(comm), size = size_of(comm), last = size - 1;
    struct matrix *out = malloc((size_t)count * size * sizeof *out),
                  *in = malloc((size_t)count * size * sizeof *in);
    int *counts = malloc((size_t)size * sizeof *counts);

    for (int i = 0; i < count * size; i++)
        out[i] = start(rank, i);
    for (int root = 0; root < size; root++) {
        CALL(MPI_Reduce(out, in, count, type, op, root, comm));
        if (rank == root)
            expect_product("reduce", in, count, last, 0);
    }
    CALL(MPI_Allreduce(out, in, count, type, op, comm));
    expect_product("allreduce", in, count, last, 0);
    CALL(MPI_Scan(out, in, count, type, op, comm));
    expect_product("scan", in, count, rank, 0);
    CALL(MPI_Exscan(out, in, count, type, op, comm));
    if (rank > 0)
        expect_product("exscan", in, count, rank - 1, 0);
    CALL(MPI_Reduce_scatter_block(out, in, count, type, op, comm));
    expect_product("reduce_scatter_block", in, count, last, count * rank);
    for (int i = 0; i < size; i++)
        counts[i] = count;
    CALL(MPI_Reduce_scatter(out, in, counts, type, op, comm));
    expect_product("reduce_scatter", in, count, last, count * rank);
    memcpy(in, out, (size_t)count * sizeof *in);
    CALL(MPI_Allreduce(MPI_IN_PLACE, in, count, type, op, comm));
    expect_product("allreduce in place", in, count, last, 0);
    free(out);
    free(in);
    free(counts);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Op op;
    int is_inter, commutes = -1;

    conform_init(&argc, &argv);
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    CALL(MPI_Op_create(multiply, 0, &op));
    CALL(MPI_Op_commutative(op, &commutes));
    expect_int("commutes", commutes, 0);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && !is_inter) {
            reductions(comm, 1, type, op);
            reductions(comm, 7, type, op);
            reductions(comm, MOST, type, op);
        }
        conform_free_comm(&comm);
    }
    CALL(MPI_Op_free(&op));
    CHECK(op == MPI_OP_NULL);
    MPI_Type_free(&type);
    return conform_end(0);
}
