/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of types: copied by dup if the callback says so, deleted with the type (MPI 6.7.4). */
#include "../expect.h"

static int copies, deletes, fail_delete;

static int copy(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    (void)type;
    (void)key;
    CHECK(extra == &copies);
    copies++;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete (MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type;
    (void)key;
    (void)value;
    CHECK(extra == &copies);
    deletes++;
    return fail_delete ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void expect_value(MPI_Datatype type, int key, void *value)
{
    void *got = NULL;
    int flag = -1;

    CALL(MPI_Type_get_attr(type, key, &got, &flag));
    CHECK(flag == (value != NULL));
    if (flag)
        CHECK(got == value);
}

static void life(MPI_Datatype type)
{
    char values[10];
    int key, plain, lost;
    MPI_Datatype twin;

    copies = deletes = 0;
    CALL(MPI_Type_create_keyval(copy, delete, &key, &copies));
    CALL(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &plain, NULL));
    CALL(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &lost, NULL));
    expect_value(type, key, NULL);
    CALL(MPI_Type_set_attr(type, key, &values[1]));
    CALL(MPI_Type_set_attr(type, plain, &values[5]));
    CALL(MPI_Type_set_attr(type, lost, &values[6]));
    expect_value(type, key, &values[1]);
    CALL(MPI_Type_set_attr(type, key, &values[2]));
    expect_int("deletes by set", deletes, 1);
    CALL(MPI_Type_dup(type, &twin));
    expect_int("copies", copies, 1);
    expect_value(twin, key, &values[3]);
    expect_value(twin, plain, &values[5]);
    expect_value(twin, lost, NULL);
    CALL(MPI_Type_free(&twin));
    expect_int("deletes by free", deletes, 2);
    CALL(MPI_Type_delete_attr(type, key));
    expect_int("deletes", deletes, 3);
    expect_value(type, key, NULL);
    CALL(MPI_Type_delete_attr(type, plain));
    CALL(MPI_Type_delete_attr(type, lost));
    CALL(MPI_Type_free_keyval(&plain));
    CALL(MPI_Type_free_keyval(&lost));
    CALL(MPI_Type_free_keyval(&key));
    expect_int("key", key, MPI_KEYVAL_INVALID);
}

/* The callback's error is the call's, and the attribute stays. */
static void refused(void)
{
    int key, value;
    MPI_Datatype type;

    deletes = 0;
    CALL(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete, &key, &copies));
    MPI_Type_contiguous(2, MPI_INT, &type);
    CALL(MPI_Type_set_attr(type, key, &value));
    fail_delete = 1;
    CHECK(MPI_Type_delete_attr(type, key) != MPI_SUCCESS);
    expect_value(type, key, &value);
    fail_delete = 0;
    CALL(MPI_Type_delete_attr(type, key));
    CALL(MPI_Type_set_attr(type, key, &value));
    CALL(MPI_Type_free_keyval(&key));
    CALL(MPI_Type_free(&type));
    expect_int("deletes after the key was freed", deletes, 3);
}

int main(int argc, char **argv)
{
    MPI_Datatype type;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    life(MPI_INT);
    MPI_Type_vector(2, 2, 3, MPI_INT, &type);
    life(type);
    MPI_Type_free(&type);
    refused();
    return conform_end(0);
}
