/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_COMM_NULL_COPY_FN, MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, the names of MPI-1, all in one table. */
#include "conform.h"

#include <stddef.h>

static MPI_Comm_copy_attr_function *const copiers[] = {MPI_COMM_NULL_COPY_FN, MPI_COMM_DUP_FN,
                                                       MPI_NULL_COPY_FN, MPI_DUP_FN};
static MPI_Comm_delete_attr_function *const dropper = MPI_COMM_NULL_DELETE_FN;

static void kept_by_dup(int keyval, int expected)
{
    MPI_Comm copy;
    int value = 5, *got = NULL, flag;

    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CALL(MPI_Comm_get_attr(copy, keyval, &got, &flag));
    CHECK(flag == expected);
    if (flag)
        CHECK(got == &value);
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval));
}

static void old_names(void)
{
    int keyval, value = 6, *got = NULL, flag;
    MPI_Comm copy;

    CALL(MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &keyval, NULL));
    CALL(MPI_Attr_put(MPI_COMM_WORLD, keyval, &value));
    CALL(MPI_Attr_get(MPI_COMM_WORLD, keyval, &got, &flag));
    CHECK(flag && got == &value);
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    got = NULL;
    CALL(MPI_Attr_get(copy, keyval, &got, &flag));
    CHECK(flag && got == &value);
    CALL(MPI_Attr_delete(copy, keyval));
    CALL(MPI_Attr_get(copy, keyval, &got, &flag));
    CHECK(!flag);
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Attr_delete(MPI_COMM_WORLD, keyval));
    CALL(MPI_Keyval_free(&keyval));
    CHECK(keyval == MPI_KEYVAL_INVALID);
    CALL(MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &got, &flag));
    CHECK(flag && *got >= 32767);
}

int main(int argc, char **argv)
{
    int keyval, i;

    conform_init(&argc, &argv);
    for (i = 0; i < 4; i++) {
        CALL(MPI_Comm_create_keyval(copiers[i], dropper, &keyval, NULL));
        kept_by_dup(keyval, i % 2);
        CALL(MPI_Comm_free_keyval(&keyval));
    }
    old_names();
    return conform_end(0);
}
