/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_elements.c: counting basic elements, on random nested datatypes of which this file keeps its own list of elements.
 *
 * Catches: parts of structs taken for whole ones, an end inside of an element, the halves of pairs, empty parts.
 */
#include <stdlib.h>
#include <string.h>

#include "datatype/datatype.h"

#include "unit.h"

enum { DRAWS = 100, DEEP = 3, LARGEST = 100, MOST = 3 };

/* A datatype and the sizes of its elements. */
struct drawn {
    MPI_Datatype type;
    int n;
    unsigned char *size;
};

static struct drawn draw(int depth);

static void append(struct drawn *to, const struct drawn *from, int times)
{
    to->size = realloc(to->size, (size_t)(to->n + from->n * times) + 1);
    for (int i = 0; i < times; i++, to->n += from->n)
        memcpy(to->size + to->n, from->size, (size_t)from->n);
}

static void drop(struct drawn *d)
{
    int a, b, c, combiner;
    free(d->size);
    MPI_Type_get_envelope(d->type, &a, &b, &c, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(&d->type);
}

static struct drawn draw_basic(void)
{
    const struct {
        MPI_Datatype type;
        int n;
        unsigned char size[2];
    } basics[] = {{MPI_CHAR, 1, {1}},
                  {MPI_SHORT, 1, {2}},
                  {MPI_DOUBLE, 1, {8}},
                  {MPI_C_DOUBLE_COMPLEX, 1, {2 * sizeof(double)}},
                  {MPI_DOUBLE_INT, 2, {sizeof(double), sizeof(int)}},
                  {MPI_SHORT_INT, 2, {sizeof(short), sizeof(int)}}};
    int i = below((int)(sizeof basics / sizeof basics[0]));
    struct drawn d = {basics[i].type, basics[i].n, malloc(2)};
    memcpy(d.size, basics[i].size, 2);
    return d;
}

static MPI_Aint extent_of(MPI_Datatype type)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(type, &lb, &extent);
    return extent;
}

static struct drawn draw_struct(int depth)
{
    struct drawn d = {MPI_DATATYPE_NULL, 0, NULL}, part[MOST];
    int n = 1 + below(MOST), lengths[MOST];
    MPI_Aint at[MOST], end = 0;
    MPI_Datatype types[MOST];
    for (int i = 0; i < n; i++) {
        part[i] = draw(depth - 1);
        types[i] = part[i].type;
        lengths[i] = below(4);
        at[i] = end;
        end += extent_of(types[i]) * lengths[i] + 8;
        append(&d, &part[i], lengths[i]);
    }
    MPI_Type_create_struct(n, lengths, at, types, &d.type);
    for (int i = 0; i < n; i++)
        drop(&part[i]);
    return d;
}

static struct drawn draw_indexed(const struct drawn *in)
{
    struct drawn d = {MPI_DATATYPE_NULL, 0, NULL};
    int lengths[MOST], at[MOST], end = 0, n = 1 + below(MOST);
    for (int i = 0; i < n; i++) {
        lengths[i] = below(3);
        at[i] = end;
        end += lengths[i] + below(2);
        append(&d, in, lengths[i]);
    }
    MPI_Type_indexed(n, lengths, at, in->type, &d.type);
    return d;
}

static struct drawn draw(int depth)
{
    struct drawn in, d = {MPI_DATATYPE_NULL, 0, NULL};
    int times = 1 + below(3);
    if (depth == 0)
        return draw_basic();
    if (below(3) == 0)
        return draw_struct(depth);
    in = draw(depth - 1);
    switch (below(4)) {
    case 0:
        MPI_Type_contiguous(times, in.type, &d.type);
        append(&d, &in, times);
        break;
    case 1:
        MPI_Type_vector(times, 2, 3, in.type, &d.type);
        append(&d, &in, 2 * times);
        break;
    case 2:
        d = draw_indexed(&in);
        break;
    default:
        MPI_Type_create_resized(in.type, 0, extent_of(in.type) + 16, &d.type);
        append(&d, &in, 1);
    }
    drop(&in);
    return d;
}

static void check_count(MPI_Datatype t, MPI_Count bytes, MPI_Count want)
{
    MPI_Count got;
    ck_assert(elements_of_bytes(t, bytes, &got));
    ck_assert_int_eq(got, want);
}

static void check_type(const struct drawn *d)
{
    MPI_Count at = 0, bytes;
    for (int i = 0; i <= 2 * d->n; i++) {
        int size = d->size[i % d->n];
        check_count(d->type, at, i);
        ck_assert(elements_to_bytes(d->type, i, &bytes));
        ck_assert_int_eq(bytes, at);
        for (int k = 1; k < size; k++)
            check_count(d->type, at + k, MPI_UNDEFINED);
        at += size;
    }
}

START_TEST(random_types)
{
    for (int i = 0; i < DRAWS; i++) {
        struct drawn d = draw(1 + below(DEEP));
        if (d.n > 0 && d.n <= LARGEST)
            check_type(&d);
        drop(&d);
    }
}
END_TEST

/* A pair that is part of nothing is one element. */
START_TEST(predefined)
{
    MPI_Count bytes;
    int size;
    MPI_Type_size(MPI_DOUBLE_INT, &size);
    check_count(MPI_DOUBLE_INT, 3 * size, 3);
    check_count(MPI_DOUBLE_INT, 3 * size + (int)sizeof(double), MPI_UNDEFINED);
    ck_assert(elements_to_bytes(MPI_DOUBLE_INT, 3, &bytes));
    ck_assert_int_eq(bytes, 3 * size);
    check_count(MPI_INT, ((MPI_Count)1 << 40) + 4, ((MPI_Count)1 << 38) + 1);
    check_count(MPI_INT, 7, MPI_UNDEFINED);
}
END_TEST

int main(int argc, char **argv)
{
    int provided;
    const TTest *tests[] = {random_types, predefined};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (process_start() != MPI_SUCCESS)
        return EXIT_FAILURE;
    types_start();
    int rc = UNIT_MAIN("elements", tests);
    types_stop();
    process_stop();
    MPI_Finalize();
    return rc;
}
