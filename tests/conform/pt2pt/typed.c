/* SPDX-License-Identifier: BSD-3-Clause */
/* Sender and receiver lay the same numbers out differently: only the signature counts (MPI 3.3.1). */
#include "../expect.h"

enum { LAYOUTS = 6, PLACES = 400000 };

/* n ints, for n divisible by 4, as one element each. */
static MPI_Datatype layout(int which, int n)
{
    MPI_Datatype type = MPI_DATATYPE_NULL, half;
    int lengths[2] = {n / 4, n - n / 4}, places[2] = {n / 2 + n, 3};

    if (which == 0) {
        MPI_Type_contiguous(n, MPI_INT, &type);
    } else if (which == 1) {
        MPI_Type_vector(n, 1, 2, MPI_INT, &type);
    } else if (which == 2) {
        MPI_Type_vector(n / 4, 4, 5, MPI_INT, &type);
    } else if (which == 3) {
        MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    } else if (which == 4) {
        MPI_Type_create_hvector(n / 2, 2, 3 * sizeof(int), MPI_INT, &type);
    } else {
        MPI_Type_contiguous(n / 2, MPI_INT, &half);
        MPI_Type_vector(2, 1, -1, half, &type);
        MPI_Type_free(&half);
    }
    MPI_Type_commit(&type);
    return type;
}

/* Where the first int of the buffer is, so that a negative stride stays in it. */
static int *start(int *data, int which, int n)
{
    return which == 5 ? data + n / 2 : data;
}

static void put(int *data, int which, int n)
{
    int position = 0, *plain = malloc((size_t)n * sizeof(int));
    MPI_Datatype type = layout(which, n);

    fill(plain, n, n);
    MPI_Unpack(plain, n * (int)sizeof(int), &position, start(data, which, n), 1, type, MPI_COMM_SELF);
    MPI_Type_free(&type);
    free(plain);
}

static void check(int *data, int which, int n)
{
    int position = 0, *plain = malloc((size_t)n * sizeof(int));
    MPI_Datatype type = layout(which, n);

    MPI_Pack(start(data, which, n), 1, type, plain, n * (int)sizeof(int), &position, MPI_COMM_SELF);
    expect_int("packed", position, n * (int)sizeof(int));
    expect_int("first difference", differs(plain, n, n), -1);
    MPI_Type_free(&type);
    free(plain);
}

static void pass(int *data, int n, int from, int to)
{
    int rank = rank_of(MPI_COMM_WORLD), last = size_of(MPI_COMM_WORLD) - 1, count;
    MPI_Datatype type = layout(rank == 0 ? from : to, n);
    MPI_Status status;

    memset(data, 0, PLACES * sizeof(int));
    if (rank == 0) {
        put(data, from, n);
        CALL(MPI_Send(start(data, from, n), 1, type, last, 1, MPI_COMM_WORLD));
    } else if (rank == last) {
        CALL(MPI_Recv(start(data, to, n), 1, type, 0, 1, MPI_COMM_WORLD, &status));
        MPI_Get_count(&status, type, &count);
        expect_int("count", count, 1);
        MPI_Get_elements(&status, type, &count);
        expect_int("elements", count, n);
        check(data, to, n);
    }
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {4, 400, 100000};
    int *data = malloc(PLACES * sizeof(int));

    conform_init(&argc, &argv);
    for (int i = 0; i < 3 && size_of(MPI_COMM_WORLD) > 1; i++)
        for (int from = 0; from < LAYOUTS; from++)
            for (int to = 0; to < LAYOUTS; to++)
                pass(data, sizes[i], from, to);
    free(data);
    return conform_end(0);
}
