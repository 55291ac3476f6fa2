/* SPDX-License-Identifier: BSD-3-Clause */
/* types.c: see types.h. Every layout has the signature of 24 ints. */
#include "types.h"

static MPI_Datatype reversed_ints(void)
{
    int lengths[24], displacements[24];
    MPI_Datatype type;
    for (int i = 0; i < 24; i++) {
        lengths[i] = 1;
        displacements[i] = 23 - i;
    }
    MPI_Type_indexed(24, lengths, displacements, MPI_INT, &type);
    return type;
}

static MPI_Datatype gaps_and_negatives(void)
{
    int lengths[4] = {5, 1, 10, 8};
    MPI_Aint displacements[4] = {80, -12, 120, 4};
    MPI_Datatype type;
    MPI_Type_create_hindexed(4, lengths, displacements, MPI_INT, &type);
    return type;
}

static MPI_Datatype middle_of_matrix(void)
{
    int sizes[2] = {7, 9}, part[2] = {4, 6}, starts[2] = {2, 1};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, MPI_INT, &type);
    return type;
}

static MPI_Datatype nested_vectors(void)
{
    MPI_Datatype inner, middle, type;
    MPI_Type_vector(3, 1, 2, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, 28, &middle);
    MPI_Type_vector(2, 4, 5, middle, &type);
    MPI_Type_free(&inner);
    MPI_Type_free(&middle);
    return type;
}

static MPI_Datatype mixed_struct(void)
{
    int lengths[3] = {2, 1, 3};
    MPI_Aint displacements[3] = {16, 4, 40};
    MPI_Datatype parts[3] = {MPI_INT, MPI_INT, MPI_INT}, type, resized;
    MPI_Type_create_struct(3, lengths, displacements, parts, &type);
    MPI_Type_create_resized(type, -4, 64, &resized);
    MPI_Type_free(&type);
    return resized;
}

static MPI_Datatype padded_int(void)
{
    MPI_Datatype type;
    MPI_Type_create_resized(MPI_INT, 0, 12, &type);
    return type;
}

static MPI_Datatype backwards(void)
{
    MPI_Datatype type;
    MPI_Type_create_hvector(12, 2, -12, MPI_INT, &type);
    return type;
}

static MPI_Datatype blocks(int block)
{
    MPI_Datatype type;
    MPI_Type_vector(24 / block, block, block + 1, MPI_INT, &type);
    return type;
}

static MPI_Datatype indexed_block(void)
{
    int displacements[6] = {20, 0, 8, 30, 14, 25};
    MPI_Datatype type;
    MPI_Type_create_indexed_block(6, 4, displacements, MPI_INT, &type);
    return type;
}

static MPI_Datatype contiguous(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(24, MPI_INT, &type);
    return type;
}

static MPI_Datatype duplicate(void)
{
    MPI_Datatype type;
    MPI_Type_dup(MPI_INT, &type);
    return type;
}

void layouts_make(layout l[LAYOUTS])
{
    const layout all[LAYOUTS] = {
        {"contiguous", contiguous(), 1},     {"duplicate", duplicate(), 24},
        {"vector of 3", blocks(3), 1},       {"vector of 1", blocks(1), 1},
        {"reversed", reversed_ints(), 1},    {"hindexed, negative", gaps_and_negatives(), 1},
        {"subarray", middle_of_matrix(), 1}, {"nested", nested_vectors(), 1},
        {"struct", mixed_struct(), 4},       {"padded", padded_int(), 24},
        {"negative stride", backwards(), 1}, {"indexed block", indexed_block(), 1},
    };
    for (int i = 0; i < LAYOUTS; i++) {
        l[i] = all[i];
        MPI_Type_commit(&l[i].type);
    }
}

void layouts_free(layout l[LAYOUTS])
{
    for (int i = 0; i < LAYOUTS; i++)
        MPI_Type_free(&l[i].type);
}

void layout_bounds(MPI_Datatype type, int count, MPI_Aint *below, MPI_Aint *above)
{
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    MPI_Aint last = (count - 1) * extent, low = true_lb, high = true_lb + true_extent;
    *below = -(low + (last < 0 ? last : 0));
    *above = high + (last > 0 ? last : 0);
    if (*below < 0)
        *below = 0;
}
