/* SPDX-License-Identifier: BSD-3-Clause */
/* What other ranks attach to a predefined type is theirs: a duplicate has what the caller attached, and callbacks are
 * called for that alone (MPI 6.7.4). */
#include "../expect.h"

static int copies, deletes;

static int copy(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    (void)type;
    (void)key;
    CHECK(extra == &copies);
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete (MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type;
    (void)key;
    CHECK(value == &deletes && extra == &copies);
    deletes++;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Datatype twin;
    int key, bare;
    void *got;
    int flag = 0;

    conform_init(&argc, &argv);
    CALL(MPI_Type_create_keyval(copy, delete, &key, &copies));
    CALL(MPI_Type_create_keyval(copy, MPI_TYPE_NULL_DELETE_FN, &bare, &copies));
    CALL(MPI_Type_set_attr(MPI_INT, key, &deletes));
    CALL(MPI_Type_set_attr(MPI_INT, bare, &deletes));
    MPI_Barrier(MPI_COMM_WORLD);
    CALL(MPI_Type_dup(MPI_INT, &twin));
    MPI_Barrier(MPI_COMM_WORLD);
    expect_int("copies", copies, 2);
    CALL(MPI_Type_get_attr(twin, key, &got, &flag));
    CHECK(flag && got == &deletes);
    CALL(MPI_Type_free(&twin));
    MPI_Barrier(MPI_COMM_WORLD);
    expect_int("deletes", deletes, 1);
    CALL(MPI_Type_delete_attr(MPI_INT, key));
    CALL(MPI_Type_delete_attr(MPI_INT, bare));
    expect_int("deletes at the end", deletes, 2);
    CALL(MPI_Type_free_keyval(&key));
    CALL(MPI_Type_free_keyval(&bare));
    return conform_end(0);
}
