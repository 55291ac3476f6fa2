/* SPDX-License-Identifier: BSD-3-Clause */
/* Subarrays of up to three dimensions in both orders: sent from one place of an array to another. */
#include "../expect.h"

enum { A = 6, B = 7, C = 8 };

static MPI_Datatype part(int order, const int *starts, const int *lengths)
{
    int sizes[3] = {A, B, C}, parts[3], from[3];
    MPI_Datatype type;

    if (order == MPI_ORDER_FORTRAN)
        for (int i = 0; i < 3; i++) {
            sizes[i] = i == 0 ? C : i == 1 ? B : A;
            parts[i] = lengths[2 - i];
            from[i] = starts[2 - i];
        }
    else
        for (int i = 0; i < 3; i++) {
            parts[i] = lengths[i];
            from[i] = starts[i];
        }
    CALL(MPI_Type_create_subarray(3, sizes, parts, from, order, MPI_INT, &type));
    CALL(MPI_Type_commit(&type));
    return type;
}

static void pass(int order, int other_order, const int *starts, const int *targets, const int *lengths)
{
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), out[A][B][C], in[A][B][C];
    MPI_Datatype sent = part(order, starts, lengths), received = part(other_order, targets, lengths);
    MPI_Aint lb, extent;

    MPI_Type_get_extent(sent, &lb, &extent);
    CHECK(lb == 0 && extent == (MPI_Aint)sizeof out);
    fill(&out[0][0][0], A * B * C, 1);
    memset(in, 0, sizeof in);
    CALL(MPI_Sendrecv(out, 1, sent, (rank + 1) % size, 1, in, 1, received, (rank + size - 1) % size, 1,
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    for (int i = 0; i < A; i++)
        for (int j = 0; j < B; j++)
            for (int k = 0; k < C; k++) {
                int x = i - targets[0], y = j - targets[1], z = k - targets[2];
                int inside = x >= 0 && x < lengths[0] && y >= 0 && y < lengths[1] && z >= 0 && z < lengths[2];

                if (in[i][j][k] != (inside ? out[starts[0] + x][starts[1] + y][starts[2] + z] : 0))
                    conform_error("element %d %d %d is %d", i, j, k, in[i][j][k]);
            }
    MPI_Type_free(&sent);
    MPI_Type_free(&received);
}

int main(int argc, char **argv)
{
    static const int corners[4][3] = {{0, 0, 0}, {1, 2, 3}, {3, 3, 4}, {2, 0, 1}};
    static const int lengths[3][3] = {{3, 4, 4}, {1, 1, 1}, {2, 1, 4}};

    conform_init(&argc, &argv);
    for (int i = 0; i < 4; i++)
        for (int n = 0; n < 3; n++) {
            pass(MPI_ORDER_C, MPI_ORDER_C, corners[i], corners[(i + 1) % 4], lengths[n]);
            pass(MPI_ORDER_C, MPI_ORDER_FORTRAN, corners[i], corners[(i + 2) % 4], lengths[n]);
            pass(MPI_ORDER_FORTRAN, MPI_ORDER_FORTRAN, corners[i], corners[3], lengths[n]);
        }
    return conform_end(0);
}
