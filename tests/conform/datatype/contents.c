/* SPDX-License-Identifier: BSD-3-Clause */
/* Envelopes and contents of derived types give back what the constructors were given (MPI 4.1.13). */
#include "../expect.h"

enum { MOST = 20 };

static int numbers[MOST];
static MPI_Aint places[MOST];
static MPI_Datatype types[MOST];

static void decode(MPI_Datatype *type, int combiner, int integers, int addresses, int inner)
{
    int got[4];

    CALL(MPI_Type_get_envelope(*type, &got[0], &got[1], &got[2], &got[3]));
    if (got[3] != combiner || got[0] != integers || got[1] != addresses || got[2] != inner)
        conform_error("combiner %d: %d, %d, %d, %d", combiner, got[0], got[1], got[2], got[3]);
    else
        CALL(MPI_Type_get_contents(*type, integers, addresses, inner, numbers, places, types));
    CALL(MPI_Type_free(type));
}

static void simple(void)
{
    MPI_Datatype type;
    int lengths[2] = {4, 5}, displs[2] = {7, 20};

    CALL(MPI_Type_contiguous(7, MPI_INT, &type));
    decode(&type, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
    CHECK(numbers[0] == 7 && types[0] == MPI_INT);
    CALL(MPI_Type_vector(3, 2, 5, MPI_DOUBLE, &type));
    decode(&type, MPI_COMBINER_VECTOR, 3, 0, 1);
    CHECK(numbers[0] == 3 && numbers[1] == 2 && numbers[2] == 5 && types[0] == MPI_DOUBLE);
    CALL(MPI_Type_create_hvector(3, 2, 500, MPI_CHAR, &type));
    decode(&type, MPI_COMBINER_HVECTOR, 2, 1, 1);
    CHECK(numbers[0] == 3 && numbers[1] == 2 && places[0] == 500 && types[0] == MPI_CHAR);
    CALL(MPI_Type_indexed(2, lengths, displs, MPI_SHORT, &type));
    decode(&type, MPI_COMBINER_INDEXED, 5, 0, 1);
    CHECK(numbers[0] == 2 && numbers[1] == 4 && numbers[2] == 5 && numbers[3] == 7 && numbers[4] == 20);
    CALL(MPI_Type_create_indexed_block(2, 3, displs, MPI_LONG, &type));
    decode(&type, MPI_COMBINER_INDEXED_BLOCK, 4, 0, 1);
    CHECK(numbers[0] == 2 && numbers[1] == 3 && numbers[2] == 7 && numbers[3] == 20 && types[0] == MPI_LONG);
    CALL(MPI_Type_dup(MPI_FLOAT, &type));
    decode(&type, MPI_COMBINER_DUP, 0, 0, 1);
    CHECK(types[0] == MPI_FLOAT);
}

static void by_bytes(void)
{
    MPI_Datatype type, inner[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Aint displs[2] = {80, -16};
    int lengths[2] = {4, 5};

    CALL(MPI_Type_create_hindexed(2, lengths, displs, MPI_INT, &type));
    decode(&type, MPI_COMBINER_HINDEXED, 3, 2, 1);
    CHECK(numbers[0] == 2 && numbers[2] == 5 && places[0] == 80 && places[1] == -16);
    CALL(MPI_Type_create_hindexed_block(2, 6, displs, MPI_INT, &type));
    decode(&type, MPI_COMBINER_HINDEXED_BLOCK, 2, 2, 1);
    CHECK(numbers[0] == 2 && numbers[1] == 6 && places[0] == 80 && places[1] == -16);
    CALL(MPI_Type_create_struct(2, lengths, displs, inner, &type));
    decode(&type, MPI_COMBINER_STRUCT, 3, 2, 2);
    CHECK(numbers[0] == 2 && numbers[1] == 4 && places[1] == -16 && types[0] == MPI_INT &&
          types[1] == MPI_DOUBLE);
    CALL(MPI_Type_create_resized(MPI_INT, -4, 32, &type));
    decode(&type, MPI_COMBINER_RESIZED, 0, 2, 1);
    CHECK(places[0] == -4 && places[1] == 32 && types[0] == MPI_INT);
}

static void arrays(void)
{
    MPI_Datatype type;
    int sizes[2] = {10, 20}, parts[2] = {3, 4}, starts[2] = {5, 6};
    int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, args[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
    int grid[2] = {2, 2};

    CALL(MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type));
    decode(&type, MPI_COMBINER_SUBARRAY, 8, 0, 1);
    CHECK(numbers[0] == 2 && numbers[1] == 10 && numbers[2] == 20 && numbers[3] == 3 && numbers[4] == 4);
    CHECK(numbers[5] == 5 && numbers[6] == 6 && numbers[7] == MPI_ORDER_FORTRAN && types[0] == MPI_INT);
    CALL(MPI_Type_create_darray(4, 1, 2, sizes, distribs, args, grid, MPI_ORDER_C, MPI_INT, &type));
    decode(&type, MPI_COMBINER_DARRAY, 12, 0, 1);
    CHECK(numbers[0] == 4 && numbers[1] == 1 && numbers[2] == 2 && numbers[3] == 10 && numbers[4] == 20);
    CHECK(numbers[5] == MPI_DISTRIBUTE_BLOCK && numbers[6] == MPI_DISTRIBUTE_CYCLIC && numbers[8] == 2);
    CHECK(numbers[9] == 2 && numbers[10] == 2 && numbers[11] == MPI_ORDER_C);
}

/* The inner derived type is a new handle, to be freed; the outer one's is usable after the inner is gone. */
static void nested(void)
{
    MPI_Datatype inner, outer, copy;
    int got[4], size;

    MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
    MPI_Type_contiguous(3, inner, &outer);
    MPI_Type_free(&inner);
    CALL(MPI_Type_get_envelope(outer, &got[0], &got[1], &got[2], &got[3]));
    CALL(MPI_Type_get_contents(outer, 1, 0, 1, numbers, places, types));
    copy = types[0];
    CALL(MPI_Type_get_envelope(copy, &got[0], &got[1], &got[2], &got[3]));
    expect_int("inner combiner", got[3], MPI_COMBINER_VECTOR);
    CALL(MPI_Type_size(copy, &size));
    expect_int("inner size", size, 2 * sizeof(int));
    CALL(MPI_Type_free(&copy));
    CALL(MPI_Type_commit(&outer));
    CALL(MPI_Type_size(outer, &size));
    expect_int("outer size", size, 6 * sizeof(int));
    CALL(MPI_Type_free(&outer));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    simple();
    by_bytes();
    arrays();
    nested();
    return conform_end(0);
}
