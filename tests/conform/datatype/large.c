/* SPDX-License-Identifier: BSD-3-Clause */
/* Types larger than an int counts: sizes by the _x calls, MPI_UNDEFINED by the others; and sending with gaps
 * of that size only by address. */
#include "../expect.h"

static void sizes(void)
{
    MPI_Datatype million, type;
    MPI_Count size, lb, extent;
    int small;

    MPI_Type_contiguous(1000000, MPI_DOUBLE, &million);
    MPI_Type_contiguous(1000, million, &type);
    CALL(MPI_Type_commit(&type));
    CALL(MPI_Type_size_x(type, &size));
    expect_int("size", size, 8000000000LL);
    CALL(MPI_Type_size(type, &small));
    expect_int("size as int", small, MPI_UNDEFINED);
    CALL(MPI_Type_get_extent_x(type, &lb, &extent));
    CHECK(lb == 0 && extent == 8000000000LL);
    CALL(MPI_Type_get_true_extent_x(type, &lb, &extent));
    CHECK(lb == 0 && extent == 8000000000LL);
    MPI_Type_free(&type);
    MPI_Type_vector(3, 1, 500, million, &type);
    CALL(MPI_Type_size_x(type, &size));
    CALL(MPI_Type_get_extent_x(type, &lb, &extent));
    CHECK(size == 24000000 && lb == 0 && extent == 8008000000LL);
    MPI_Type_free(&type);
    MPI_Type_free(&million);
}

static void statuses(void)
{
    MPI_Datatype million;
    MPI_Status status;
    MPI_Count elements;
    int count;

    memset(&status, 0, sizeof status);
    MPI_Type_contiguous(1000000, MPI_DOUBLE, &million);
    MPI_Type_commit(&million);
    CALL(MPI_Status_set_elements_x(&status, MPI_DOUBLE, 3000000000LL));
    MPI_Get_elements_x(&status, million, &elements);
    expect_int("elements", elements, 3000000000LL);
    MPI_Get_elements(&status, million, &count);
    expect_int("elements as int", count, MPI_UNDEFINED);
    MPI_Get_count(&status, million, &count);
    expect_int("count", count, 3000);
    MPI_Type_free(&million);
}

/* Two ints that lie far apart in one type, by their addresses. */
static void apart(void)
{
    int *data[2], lengths[2] = {1, 1}, in[2] = {0};
    MPI_Aint places[2];
    MPI_Datatype type, types[2] = {MPI_INT, MPI_INT};

    for (int i = 0; i < 2; i++) {
        data[i] = malloc(i ? 40000000 : sizeof(int));
        *data[i] = 5 + i;
        MPI_Get_address(data[i], &places[i]);
    }
    CHECK(MPI_Aint_add(MPI_Aint_diff(places[1], places[0]), places[0]) == places[1]);
    CHECK(MPI_Aint_diff(places[1], places[0]) == (char *)data[1] - (char *)data[0]);
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    CALL(MPI_Sendrecv(MPI_BOTTOM, 1, type, 0, 1, in, 2, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CHECK(in[0] == 5 && in[1] == 6);
    MPI_Type_free(&type);
    free(data[0]);
    free(data[1]);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    sizes();
    statuses();
    apart();
    return conform_end(0);
}
