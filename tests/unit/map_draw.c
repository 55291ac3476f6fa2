/* SPDX-License-Identifier: BSD-3-Clause */
/* map_draw.c: see map_draw.h. */
#include "map_draw.h"

#include <stddef.h>

#include "unit.h"

enum { MOST = 4, LARGEST = 20000, FARTHEST = 60000 };

/* MPICH packs arrays of elements with a negative extent wrongly. */
#ifdef OPEN_MPI
enum { LEAST_EXTENT = -40 };
#else
enum { LEAST_EXTENT = 0 };
#endif

static int between(int low, int high)
{
    return low + below(high - low + 1);
}

int map_draw_pair(MPI_Datatype basic, int *value, int *index)
{
    const struct {
        MPI_Datatype basic;
        size_t value, index;
    } pairs[] = {
        {MPI_SHORT_INT, sizeof(short),
         offsetof(
             struct {
                 short v;
                 int i;
             },
             i)},
        {MPI_FLOAT_INT, sizeof(float),
         offsetof(
             struct {
                 float v;
                 int i;
             },
             i)},
        {MPI_LONG_INT, sizeof(long),
         offsetof(
             struct {
                 long v;
                 int i;
             },
             i)},
        {MPI_DOUBLE_INT, sizeof(double),
         offsetof(
             struct {
                 double v;
                 int i;
             },
             i)},
        {MPI_LONG_DOUBLE_INT, sizeof(long double),
         offsetof(
             struct {
                 long double v;
                 int i;
             },
             i)},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (basic == pairs[i].basic) {
            *value = (int)pairs[i].value;
            *index = (int)pairs[i].index;
            return 1;
        }
    return 0;
}

static struct drawn draw_basic(void)
{
    /* no long double: libraries may leave its unused bytes out */
    const MPI_Datatype basics[] = {
        MPI_CHAR,     MPI_SHORT,      MPI_INT,    MPI_INT,       MPI_DOUBLE,
        MPI_DOUBLE,   MPI_DOUBLE,     MPI_BYTE,   MPI_2INT,      MPI_FLOAT_INT,
        MPI_LONG_INT, MPI_DOUBLE_INT, MPI_PACKED, MPI_SHORT_INT, MPI_C_DOUBLE_COMPLEX};
    struct drawn d = {basics[below((int)(sizeof basics / sizeof basics[0]))], MPI_DATATYPE_NULL};
    if (below(20) == 0)
        MPI_Type_create_f90_real(6, 30, &d.type);
    d.basic = d.type;
    return d;
}

void map_draw_free(MPI_Datatype *type)
{
    int a, b, c, combiner;
    MPI_Type_get_envelope(*type, &a, &b, &c, &combiner);
    if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL)
        MPI_Type_free(type);
}

/* ---- one constructor, of `in` ---- */

static void fill(int list[], int n, int low, int high)
{
    for (int i = 0; i < n; i++)
        list[i] = between(low, high);
}

/* Open MPI takes a distance of -1 byte for none given. */
static int distance(int low, int high)
{
    int n = between(low, high);
    return n == -1 ? 0 : n;
}

static void make_vector(MPI_Datatype in, MPI_Datatype *out)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(in, &lb, &extent);
    int stride = between(-4, 6);
    if (below(2) && stride * extent != -1)
        MPI_Type_vector(below(4), below(4), stride, in, out);
    else
        MPI_Type_create_hvector(below(4), below(4), distance(-40, 80), in, out);
}

static void make_indexed(MPI_Datatype in, MPI_Datatype *out)
{
    int n = below(MOST + 1), lengths[MOST], at[MOST], regular = below(3) == 0, step = between(-3, 5);
    MPI_Aint bytes[MOST];
    fill(lengths, n, 0, 3);
    fill(at, n, -5, 9);
    for (int i = 0; i < n; i++) {
        if (regular)
            at[i] = i * step;
        bytes[i] = regular ? i * step * 8 : between(-50, 90);
    }
    switch (below(4)) {
    case 0:
        MPI_Type_indexed(n, lengths, at, in, out);
        break;
    case 1:
        MPI_Type_create_hindexed(n, lengths, bytes, in, out);
        break;
    case 2:
        MPI_Type_create_indexed_block(n, below(4), at, in, out);
        break;
    default:
        MPI_Type_create_hindexed_block(n, below(4), bytes, in, out);
    }
}

static void make_subarray(MPI_Datatype in, MPI_Datatype *out)
{
    int n = between(1, 3), sizes[3], subsizes[3], starts[3];
    fill(sizes, n, 1, 5);
    for (int i = 0; i < n; i++) {
        subsizes[i] = between(1, sizes[i]);
        starts[i] = below(sizes[i] - subsizes[i] + 1);
    }
    MPI_Type_create_subarray(n, sizes, subsizes, starts, below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, in, out);
}

static void make_darray(MPI_Datatype in, MPI_Datatype *out)
{
    int n = between(1, 3), sizes[3], deals[3], arguments[3], grid[3], processes = 1;
    fill(sizes, n, 1, 7);
    for (int i = 0; i < n; i++) {
        const int all[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
        deals[i] = all[below(3)];
        grid[i] = deals[i] == MPI_DISTRIBUTE_NONE ? 1 : between(1, 3);
        int block = (sizes[i] + grid[i] - 1) / grid[i];
        arguments[i] = deals[i] == MPI_DISTRIBUTE_BLOCK ? between(block, block + 2) : between(1, 3);
        if (deals[i] == MPI_DISTRIBUTE_NONE || below(2))
            arguments[i] = MPI_DISTRIBUTE_DFLT_DARG;
        processes *= grid[i];
    }
    MPI_Type_create_darray(processes, below(processes), n, sizes, deals, arguments, grid,
                           below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, in, out);
}

static struct drawn draw_struct(int depth)
{
    int n = below(MOST + 1), lengths[MOST], any = 0;
    MPI_Aint at[MOST];
    struct drawn parts[MOST], d = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    MPI_Datatype types[MOST];
    fill(lengths, n, 0, 3);
    for (int i = 0; i < n; i++) {
        MPI_Count size;
        int again = i > 0 && below(3) == 0;
        parts[i] = again ? parts[i - 1] : map_draw(depth - 1);
        if (again)
            MPI_Type_dup(parts[i].type, &parts[i].type);
        MPI_Type_size_x(parts[i].type, &size);
        if (size == 0) { /* Open MPI counts their extent, and then forgets it */
            map_draw_free(&parts[i].type);
            parts[i] = draw_basic();
        }
        types[i] = parts[i].type;
        at[i] = between(-60, 200);
        if (lengths[i] == 0)
            continue;
        d.basic = !any || d.basic == parts[i].basic ? parts[i].basic : MPI_DATATYPE_NULL;
        any = 1;
    }
    MPI_Type_create_struct(n, lengths, at, types, &d.type);
    for (int i = 0; i < n; i++)
        map_draw_free(&types[i]);
    return d;
}

static struct drawn draw_derived(int depth)
{
    struct drawn in = map_draw(depth - 1), d = in;
    MPI_Count size;
    MPI_Type_size_x(in.type, &size);
    switch (below(size > 0 ? 7 : 6)) { /* Open MPI makes no distributed arrays of nothing */
    case 0:
        MPI_Type_dup(in.type, &d.type);
        break;
    case 1:
        MPI_Type_contiguous(below(5), in.type, &d.type);
        break;
    case 2:
        make_vector(in.type, &d.type);
        break;
    case 3:
        make_indexed(in.type, &d.type);
        break;
    case 4:
        make_subarray(in.type, &d.type);
        break;
    case 5:
        MPI_Type_create_resized(in.type, between(-24, 24), distance(LEAST_EXTENT, 80), &d.type);
        break;
    default:
        make_darray(in.type, &d.type);
    }
    map_draw_free(&in.type);
    return d;
}

struct drawn map_draw(int depth)
{
    while (depth > 0) {
        struct drawn d = below(5) == 0 ? draw_struct(depth) : draw_derived(depth);
        MPI_Count size;
        MPI_Aint lb, true_lb, extent, true_extent;
        MPI_Type_size_x(d.type, &size);
        MPI_Type_get_extent(d.type, &lb, &extent);
        MPI_Type_get_true_extent(d.type, &true_lb, &true_extent);
        if (size == 0)
            d.basic = MPI_DATATYPE_NULL;
        if (size <= LARGEST && true_extent <= FARTHEST && extent <= FARTHEST && extent >= -FARTHEST &&
            true_lb >= -FARTHEST && true_lb <= FARTHEST)
            return d;
        map_draw_free(&d.type);
        depth--;
    }
    return draw_basic();
}
