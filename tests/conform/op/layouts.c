/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions by a user's operator of elements with holes before, between and behind their numbers. */
#include "../expect.h"

enum { MOST = 700, LAYOUTS = 4 };

static const struct {
    int lb, extent, first, second; /* in ints, from the element's address */
} layouts[LAYOUTS] = {{0, 5, 0, 3}, {0, 6, 2, 4}, {-2, 5, -2, 1}, {0, 2, 0, 1}};
static int which;

static MPI_Datatype make(int layout)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {layouts[layout].first * (MPI_Aint)sizeof(int),
                          layouts[layout].second * (MPI_Aint)sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT}, inner, type;

    MPI_Type_create_struct(2, lengths, places, types, &inner);
    MPI_Type_create_resized(inner, layouts[layout].lb * (MPI_Aint)sizeof(int),
                            layouts[layout].extent * (MPI_Aint)sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&inner);
    return type;
}

/* Pairs (a, b) as x -> a x + b modulo 97: composing does not commute. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        int *l = (int *)in + i * layouts[which].extent, *r = (int *)inout + i * layouts[which].extent;
        int a = layouts[which].first, b = layouts[which].second, new_a = l[a] * r[a] % 97;

        r[b] = (l[b] * r[a] + r[b]) % 97;
        r[a] = new_a;
    }
}

static void expect_pairs(const char *what, const int *data, int ranks, int count, int first)
{
    for (int i = 0; i < count; i++) {
        int a = 1, b = 0, n = i + first;
        const int *got = data + i * layouts[which].extent;

        for (int r = 0; r < ranks; r++) {
            int ra = 1 + (r + n) % 96, rb = r * n % 97;

            b = (b * ra + rb) % 97;
            a = a * ra % 97;
        }
        if (got[layouts[which].first] != a || got[layouts[which].second] != b) {
            conform_error("%s: layout %d, element %d is wrong", what, which, i);
            return;
        }
    }
}

static void check_holes(const int *data, int count)
{
    for (int i = layouts[which].lb; i < count * layouts[which].extent + layouts[which].lb; i++) {
        int place = (i - layouts[which].lb) % layouts[which].extent + layouts[which].lb;

        if (place != layouts[which].first && place != layouts[which].second && data[i] != -6) {
            conform_error("layout %d: hole %d is %d", which, i, data[i]);
            return;
        }
    }
}

static void reductions(MPI_Comm comm, MPI_Op op, int count)
{
    int size = size_of(comm), rank = rank_of(comm), room = count * size * 6 + 10;
    int *out = malloc((size_t)room * sizeof(int)), *in = malloc((size_t)room * sizeof(int));
    MPI_Datatype type = make(which);

    for (int i = 0; i < room; i++)
        out[i] = in[i] = -6;
    for (int i = 0; i < count * size; i++) {
        out[4 + i * layouts[which].extent + layouts[which].first] = 1 + (rank + i) % 96;
        out[4 + i * layouts[which].extent + layouts[which].second] = rank * i % 97;
    }
    CALL(MPI_Reduce(out + 4, in + 4, count, type, op, size - 1, comm));
    if (rank == size - 1)
        expect_pairs("reduce", in + 4, size, count, 0);
    CALL(MPI_Allreduce(out + 4, in + 4, count, type, op, comm));
    expect_pairs("allreduce", in + 4, size, count, 0);
    CALL(MPI_Scan(out + 4, in + 4, count, type, op, comm));
    expect_pairs("scan", in + 4, rank + 1, count, 0);
    CALL(MPI_Reduce_scatter_block(out + 4, in + 4, count, type, op, comm));
    expect_pairs("reduce_scatter_block", in + 4, size, count, rank * count);
    check_holes(in + 4, count);
    check_holes(out + 4, count * size);
    MPI_Type_free(&type);
    free(out);
    free(in);
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 9, MOST};
    MPI_Op op;

    conform_init(&argc, &argv);
    MPI_Op_create(compose, 0, &op);
    for (which = 0; which < LAYOUTS; which++)
        for (int i = 0; i < 3; i++)
            reductions(MPI_COMM_WORLD, op, counts[i]);
    MPI_Op_free(&op);
    return conform_end(0);
}
