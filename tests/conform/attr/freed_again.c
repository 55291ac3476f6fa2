/* SPDX-License-Identifier: BSD-3-Clause */
/* A keyval that attributes still use is freed several times, also by the delete callback, and used to delete. */
#include "conform.h"

#include <stddef.h>

static int deleted;

static int drop(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm;
    (void)value;
    (void)state;
    deleted++;
    CHECK(keyval != MPI_KEYVAL_INVALID);
    return MPI_Comm_free_keyval(&keyval);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;
    int keyval, second, third, flag, value, *got;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &keyval, NULL));
    second = third = keyval;
    CALL(MPI_Comm_dup(MPI_COMM_SELF, &copy));
    CALL(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &value));
    CALL(MPI_Comm_set_attr(copy, keyval, &value));
    CALL(MPI_Comm_free(&copy));
    CHECK(deleted == 1);
    CALL(MPI_Comm_free_keyval(&keyval));
    CHECK(keyval == MPI_KEYVAL_INVALID);
    CALL(MPI_Comm_get_attr(MPI_COMM_SELF, third, &got, &flag));
    CHECK(flag && got == &value);
    CALL(MPI_Comm_free_keyval(&second));
    CALL(MPI_Comm_delete_attr(MPI_COMM_SELF, third));
    CHECK(deleted == 2);
    return conform_end(0);
}
