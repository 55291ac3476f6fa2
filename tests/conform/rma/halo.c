/* SPDX-License-Identifier: BSD-3-Clause */
/* A 2D stencil: halos by subarrays and vectors, put under PSCW by neighbours and got under fence,
 * against one rank alone. */
#include "rma.h"

enum { N = 16, STEPS = 12, W = N + 2 };

static int dims[2], coords[2];

static int start_value(int row, int col)
{
    return (row * 37 + col * 11) % 101;
}

/* All of the torus by one rank. */
static void reference(int *all, int rows, int cols)
{
    int *next = malloc(sizeof(int) * (size_t)(rows * cols));

    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            all[r * cols + c] = start_value(r, c);
    for (int s = 0; s < STEPS; s++) {
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++)
                next[r * cols + c] =
                    (all[(r + 1) % rows * cols + c] + all[(r + rows - 1) % rows * cols + c] +
                     all[r * cols + (c + 1) % cols] + all[r * cols + (c + cols - 1) % cols]) %
                    1009;
        memcpy(all, next, sizeof(int) * (size_t)(rows * cols));
    }
    free(next);
}

static void step(int *mem)
{
    int next[W * W];

    for (int r = 1; r <= N; r++)
        for (int c = 1; c <= N; c++)
            next[r * W + c] =
                (mem[(r + 1) * W + c] + mem[(r - 1) * W + c] + mem[r * W + c + 1] + mem[r * W + c - 1]) %
                1009;
    for (int r = 1; r <= N; r++)
        memcpy(&mem[r * W + 1], &next[r * W + 1], N * sizeof(int));
}

static void run(MPI_Comm grid, int fence)
{
    int sides[4], places[4][2] = {{1, 1}, {N, 1}, {1, 1}, {1, N}},
                  halos[4][2] = {{N + 1, 1}, {0, 1}, {1, N + 1}, {1, 0}};
    int *mem, *all = malloc(sizeof(int) * (size_t)(N * dims[0] * N * dims[1])), n = 0, unique[4];
    int size_w[2] = {W, W};
    MPI_Datatype own[4], halo[4];
    MPI_Group neighbours;
    MPI_Win win;

    CALL(MPI_Win_allocate(W * W * sizeof(int), sizeof(int), MPI_INFO_NULL, grid, &mem, &win));
    for (int i = 0; i < 4; i++) {
        int extent[2] = {i < 2 ? 1 : N, i < 2 ? N : 1};

        MPI_Type_create_subarray(2, size_w, extent, places[i], MPI_ORDER_C, MPI_INT, &own[i]);
        MPI_Type_create_subarray(2, size_w, extent, halos[i], MPI_ORDER_C, MPI_INT, &halo[i]);
        MPI_Type_commit(&own[i]);
        MPI_Type_commit(&halo[i]);
        MPI_Cart_shift(grid, i / 2, 1, &sides[i / 2 * 2], &sides[i / 2 * 2 + 1]);
    }
    for (int i = 0; i < 4; i++) {
        int known = 0;

        for (int k = 0; k < n; k++)
            known |= unique[k] == sides[i];
        if (!known)
            unique[n++] = sides[i];
    }
    neighbours = group_of(grid, unique, n);
    for (int r = 1; r <= N; r++)
        for (int c = 1; c <= N; c++)
            mem[r * W + c] = start_value(coords[0] * N + r - 1, coords[1] * N + c - 1);
    for (int s = 0; s < STEPS; s++) {
        if (fence)
            CALL(MPI_Win_fence(0, win));
        else {
            CALL(MPI_Win_post(neighbours, 0, win));
            CALL(MPI_Win_start(neighbours, 0, win));
        }
        /* My edge is the halo at the other side of my neighbour. */
        for (int i = 0; i < 4; i++)
            if (fence)
                CALL(MPI_Get(mem, 1, halo[i], sides[i ^ 1], 0, 1, own[i], win));
            else
                CALL(MPI_Put(mem, 1, own[i], sides[i], 0, 1, halo[i], win));
        if (fence)
            CALL(MPI_Win_fence(MPI_MODE_NOSTORE, win));
        else {
            CALL(MPI_Win_complete(win));
            CALL(MPI_Win_wait(win));
        }
        step(mem);
    }
    reference(all, N * dims[0], N * dims[1]);
    for (int r = 1; r <= N; r++)
        for (int c = 1; c <= N; c++)
            if (!CHECK(mem[r * W + c] == all[(coords[0] * N + r - 1) * N * dims[1] + coords[1] * N + c - 1]))
                r = c = N;
    CALL(MPI_Win_free(&win));
    MPI_Group_free(&neighbours);
    for (int i = 0; i < 4; i++) {
        MPI_Type_free(&own[i]);
        MPI_Type_free(&halo[i]);
    }
    free(all);
}

int main(int argc, char **argv)
{
    int periods[2] = {1, 1};
    MPI_Comm grid;

    conform_init(&argc, &argv);
    MPI_Dims_create(size_of(MPI_COMM_WORLD), 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank_of(grid), 2, coords);
    run(grid, 0);
    run(grid, 1);
    MPI_Comm_free(&grid);
    return conform_end(0);
}
