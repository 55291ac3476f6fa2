/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks that fail: dup fails and gives no communicator; a failing deletion keeps the attribute. */
#include "conform.h"

#include <stddef.h>

static int copy_answer, delete_answer, deleted;

static int copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)state;
    *(void **)out = in;
    *flag = 1;
    return copy_answer;
}

static int drop(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)state;
    deleted++;
    return delete_answer;
}

static void failing_copy(MPI_Comm comm, int keyval)
{
    MPI_Comm copy_of = MPI_COMM_NULL;
    int value;

    CALL(MPI_Comm_set_attr(comm, keyval, &value));
    copy_answer = MPI_ERR_OTHER;
    CHECK(MPI_Comm_dup(comm, &copy_of) != MPI_SUCCESS);
    CHECK(copy_of == MPI_COMM_NULL);
    copy_answer = MPI_SUCCESS;
    CALL(MPI_Comm_dup(comm, &copy_of));
    CHECK(copy_of != MPI_COMM_NULL);
    CALL(MPI_Comm_free(&copy_of));
    CALL(MPI_Comm_delete_attr(comm, keyval));
}

static void failing_delete(MPI_Comm comm, int keyval)
{
    int value, other, *got, flag;

    CALL(MPI_Comm_set_attr(comm, keyval, &value));
    delete_answer = MPI_ERR_OTHER;
    deleted = 0;
    CHECK(MPI_Comm_delete_attr(comm, keyval) != MPI_SUCCESS);
    CHECK(deleted == 1);
    CALL(MPI_Comm_get_attr(comm, keyval, &got, &flag));
    CHECK(flag && got == &value);
    CHECK(MPI_Comm_set_attr(comm, keyval, &other) != MPI_SUCCESS);
    CHECK(deleted == 2);
    delete_answer = MPI_SUCCESS;
    CALL(MPI_Comm_delete_attr(comm, keyval));
    CALL(MPI_Comm_get_attr(comm, keyval, &got, &flag));
    CHECK(!flag);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int keyval;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Comm_create_keyval(copy, drop, &keyval, NULL));
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    failing_copy(comm, keyval);
    failing_delete(comm, keyval);
    MPI_Comm_free(&comm);
    failing_copy(MPI_COMM_WORLD, keyval);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    failing_delete(MPI_COMM_SELF, keyval);
    MPI_Comm_free_keyval(&keyval);
    return conform_end(0);
}
