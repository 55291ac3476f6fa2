/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of datatypes: copied by MPI_Type_dup, deleted by MPI_Type_free, callbacks get the type. */
#include "conform.h"

#include <stddef.h>

static int copied, deleted;
static MPI_Datatype original;

static int copy(MPI_Datatype type, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)keyval;
    CHECK(type == original);
    CHECK(state == &copied);
    *(void **)out = in;
    *flag = 1;
    copied++;
    return MPI_SUCCESS;
}

static int drop(MPI_Datatype type, int keyval, void *value, void *state)
{
    (void)type;
    (void)keyval;
    (void)value;
    CHECK(state == &copied);
    deleted++;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int keyval, null_copy, dup_copy, value = 3, *got, flag;
    MPI_Datatype type, second;

    conform_init(&argc, &argv);
    CALL(MPI_Type_create_keyval(copy, drop, &keyval, &copied));
    CALL(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &null_copy, NULL));
    CALL(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &dup_copy, NULL));
    CALL(MPI_Type_contiguous(3, MPI_INT, &type));
    original = type;
    CALL(MPI_Type_set_attr(type, keyval, &value));
    CALL(MPI_Type_set_attr(type, null_copy, &value));
    CALL(MPI_Type_set_attr(type, dup_copy, &value));
    CALL(MPI_Type_dup(type, &second));
    CHECK(copied == 1 && deleted == 0);
    CALL(MPI_Type_get_attr(second, keyval, &got, &flag));
    CHECK(flag && got == &value);
    CALL(MPI_Type_get_attr(second, null_copy, &got, &flag));
    CHECK(!flag);
    CALL(MPI_Type_get_attr(second, dup_copy, &got, &flag));
    CHECK(flag && got == &value);
    CALL(MPI_Type_delete_attr(second, keyval));
    CHECK(deleted == 1);
    CALL(MPI_Type_free_keyval(&keyval));
    CHECK(keyval == MPI_KEYVAL_INVALID);
    CALL(MPI_Type_free(&second));
    CALL(MPI_Type_free(&type));
    CHECK(deleted == 2);
    CALL(MPI_Type_free_keyval(&null_copy));
    CALL(MPI_Type_free_keyval(&dup_copy));
    return conform_end(0);
}
