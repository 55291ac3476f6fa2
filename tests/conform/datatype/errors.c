/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments of type constructors are errors that go to the handler of MPI_COMM_WORLD (MPI 8.3). */
#include "../expect.h"

static int handled;

static void handler(MPI_Comm *comm, int *code, ...)
{
    CHECK(*comm == MPI_COMM_WORLD);
    CHECK(*code != MPI_SUCCESS);
    handled++;
}

static void wrong(void)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int lengths[2] = {1, -1}, places[2] = {0, 5};

    FAILS(MPI_ERR_COUNT, MPI_Type_contiguous(-1, MPI_INT, &type));
    CHECK(MPI_Type_vector(2, -1, 1, MPI_INT, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_indexed(2, lengths, places, MPI_INT, &type) != MPI_SUCCESS);
    FAILS(MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type));
    type = MPI_DATATYPE_NULL;
    FAILS(MPI_ERR_TYPE, MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
    MPI_Errhandler mine;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    wrong();
    expect_int("calls of the handler", handled, 0);
    CALL(MPI_Comm_create_errhandler(handler, &mine));
    CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine));
    CALL(MPI_Errhandler_free(&mine));
    wrong();
    expect_int("calls of the handler", handled, 5);
    return conform_end(0);
}
