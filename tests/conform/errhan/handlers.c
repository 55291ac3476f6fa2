/* SPDX-License-Identifier: BSD-3-Clause */
/* Error handlers per communicator: set, get, free; inherited by dup; the predefined ones can be got. */
#include "conform.h"

#include <stddef.h>

static MPI_Comm expected;
static int calls, codes;

static void first(MPI_Comm *comm, int *code, ...)
{
    int class;

    CHECK(*comm == expected);
    MPI_Error_class(*code, &class);
    codes = class;
    calls++;
}

static void second(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    calls += 100;
}

static void wrong_rank(MPI_Comm comm, int expected_calls, int line)
{
    int value = 0;

    calls = codes = 0;
    expected = comm;
    CHECK(MPI_Send(&value, 1, MPI_INT, 100000, 0, comm) != MPI_SUCCESS);
    if (calls != expected_calls)
        conform_error("line %d, %s: %d calls, not %d", line, conform_comm_name(), calls, expected_calls);
    if (expected_calls == 1)
        CHECK(codes == MPI_ERR_RANK);
}

static void one(MPI_Comm comm, MPI_Errhandler one, MPI_Errhandler two)
{
    MPI_Comm copy;
    MPI_Errhandler got, before;

    CALL(MPI_Comm_get_errhandler(comm, &before));
    CALL(MPI_Comm_set_errhandler(comm, one));
    wrong_rank(comm, 1, __LINE__);
    CALL(MPI_Comm_get_errhandler(comm, &got));
    CHECK(got == one);
    CALL(MPI_Errhandler_free(&got));
    CHECK(got == MPI_ERRHANDLER_NULL);
    wrong_rank(comm, 1, __LINE__);
    CALL(MPI_Comm_dup(comm, &copy));
    wrong_rank(copy, 1, __LINE__);
    CALL(MPI_Comm_set_errhandler(copy, two));
    wrong_rank(copy, 100, __LINE__);
    wrong_rank(comm, 1, __LINE__);
    CALL(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN));
    wrong_rank(copy, 0, __LINE__);
    CALL(MPI_Comm_get_errhandler(copy, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Comm_set_errhandler(comm, before));
    CALL(MPI_Errhandler_free(&before));
}

int main(int argc, char **argv)
{
    MPI_Errhandler one_handler, two_handler, got;
    MPI_Comm comm;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    CALL(MPI_Comm_get_errhandler(MPI_COMM_SELF, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    CALL(MPI_Comm_create_errhandler(first, &one_handler));
    CALL(MPI_Comm_create_errhandler(second, &two_handler));
    while (conform_comm(&comm, NULL)) {
        if (comm != MPI_COMM_NULL)
            one(comm, one_handler, two_handler);
        conform_free_comm(&comm);
    }
    CALL(MPI_Errhandler_free(&one_handler));
    CALL(MPI_Errhandler_free(&two_handler));
    CHECK(two_handler == MPI_ERRHANDLER_NULL);
    return conform_end(0);
}
