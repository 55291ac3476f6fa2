/* SPDX-License-Identifier: BSD-3-Clause */
/* Size, extent, bounds and true extent of all constructors (MPI 4.1.6 to 4.1.8). */
#include "../expect.h"

/* Of ints: all numbers in ints. Frees the type. */
static void expect_type(const char *what, MPI_Datatype type, int size, int lb, int extent, int true_lb,
                        int true_extent)
{
    const int unit = sizeof(int);
    int got;
    MPI_Aint low, length;
    MPI_Count low_x, length_x, size_x;

    CALL(MPI_Type_size(type, &got));
    CALL(MPI_Type_get_extent(type, &low, &length));
    if (got != size * unit || low != lb * unit || length != extent * unit)
        conform_error("%s: size %d, lb %ld, extent %ld", what, got, (long)low, (long)length);
    CALL(MPI_Type_get_true_extent(type, &low, &length));
    if (low != true_lb * unit || length != true_extent * unit)
        conform_error("%s: true lb %ld, true extent %ld", what, (long)low, (long)length);
    CALL(MPI_Type_size_x(type, &size_x));
    CALL(MPI_Type_get_extent_x(type, &low_x, &length_x));
    CHECK(size_x == size * unit && low_x == lb * unit && length_x == extent * unit);
    CALL(MPI_Type_get_true_extent_x(type, &low_x, &length_x));
    CHECK(low_x == true_lb * unit && length_x == true_extent * unit);
    CALL(MPI_Type_commit(&type));
    CALL(MPI_Type_free(&type));
    CHECK(type == MPI_DATATYPE_NULL);
}

static void simple(void)
{
    MPI_Datatype type;
    int lengths[3] = {2, 0, 1}, places[3] = {5, 100, -2};

    CALL(MPI_Type_contiguous(7, MPI_INT, &type));
    expect_type("contiguous", type, 7, 0, 7, 0, 7);
    CALL(MPI_Type_contiguous(0, MPI_INT, &type));
    expect_type("contiguous of nothing", type, 0, 0, 0, 0, 0);
    CALL(MPI_Type_vector(3, 2, 5, MPI_INT, &type));
    expect_type("vector", type, 6, 0, 12, 0, 12);
    CALL(MPI_Type_vector(3, 2, -5, MPI_INT, &type));
    expect_type("vector backwards", type, 6, -10, 12, -10, 12);
    CALL(MPI_Type_create_hvector(2, 1, 4 * (MPI_Aint)sizeof(int), MPI_INT, &type));
    expect_type("hvector", type, 2, 0, 5, 0, 5);
    CALL(MPI_Type_indexed(3, lengths, places, MPI_INT, &type));
    expect_type("indexed", type, 3, -2, 9, -2, 9);
    CALL(MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type));
    expect_type("indexed_block", type, 6, -2, 104, -2, 104);
    CALL(MPI_Type_dup(MPI_INT, &type));
    expect_type("dup", type, 1, 0, 1, 0, 1);
}

static void by_bytes(void)
{
    MPI_Datatype type, types[2] = {MPI_INT, MPI_INT};
    MPI_Aint places[2] = {3 * sizeof(int), 8 * sizeof(int)};
    int lengths[2] = {1, 4};

    CALL(MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &type));
    expect_type("hindexed", type, 5, 3, 9, 3, 9);
    CALL(MPI_Type_create_hindexed_block(2, 2, places, MPI_INT, &type));
    expect_type("hindexed_block", type, 4, 3, 7, 3, 7);
    CALL(MPI_Type_create_struct(2, lengths, places, types, &type));
    expect_type("struct", type, 5, 3, 9, 3, 9);
}

static void resized(void)
{
    MPI_Datatype vector, type, again;

    MPI_Type_vector(2, 1, 3, MPI_INT, &vector);
    CALL(MPI_Type_create_resized(vector, -2 * (MPI_Aint)sizeof(int), 10 * (MPI_Aint)sizeof(int), &type));
    MPI_Type_contiguous(2, type, &again);
    expect_type("resized", type, 2, -2, 10, 0, 4);
    expect_type("two resized", again, 4, -2, 20, 0, 14);
    CALL(MPI_Type_create_resized(vector, 0, sizeof(int), &type));
    MPI_Type_contiguous(3, type, &again);
    expect_type("shrunk", type, 2, 0, 1, 0, 4);
    expect_type("three shrunk", again, 6, 0, 3, 0, 6);
    MPI_Type_free(&vector);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    simple();
    by_bytes();
    resized();
    return conform_end(0);
}
