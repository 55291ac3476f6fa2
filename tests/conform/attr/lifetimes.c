/* SPDX-License-Identifier: BSD-3-Clause */
/* A keyval that is freed lives on in attributes: copies and deletions still call it. */
#include "conform.h"

#include <stddef.h>

static int copied, deleted;

static int copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)state;
    *(void **)out = in;
    *flag = 1;
    copied++;
    return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)state;
    deleted++;
    return MPI_SUCCESS;
}

static void freed_before_use(MPI_Comm comm)
{
    MPI_Comm one, two, three;
    int keyval, other, value;

    copied = deleted = 0;
    CALL(MPI_Comm_dup(comm, &one));
    CALL(MPI_Comm_create_keyval(copy, drop, &keyval, NULL));
    CALL(MPI_Comm_set_attr(one, keyval, &value));
    CALL(MPI_Comm_free_keyval(&keyval));
    CHECK(keyval == MPI_KEYVAL_INVALID);
    CHECK(copied == 0 && deleted == 0);
    CALL(MPI_Comm_create_keyval(copy, drop, &other, NULL));
    CALL(MPI_Comm_dup(one, &two));
    CHECK(copied == 1);
    CALL(MPI_Comm_set_attr(two, other, &value));
    CALL(MPI_Comm_dup(two, &three));
    CHECK(copied == 3);
    CALL(MPI_Comm_free(&one));
    CHECK(deleted == 1);
    CALL(MPI_Comm_free(&two));
    CHECK(deleted == 3);
    CALL(MPI_Comm_free_keyval(&other));
    CALL(MPI_Comm_free(&three));
    CHECK(deleted == 5);
}

static void many_keyvals(void)
{
    enum { N = 200 };
    static int keyvals[N], values[N];
    int i, flag, *got;
    MPI_Comm one, two;

    copied = deleted = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    for (i = 0; i < N; i++) {
        CALL(MPI_Comm_create_keyval(copy, drop, &keyvals[i], NULL));
        CALL(MPI_Comm_set_attr(one, keyvals[i], &values[i]));
    }
    CALL(MPI_Comm_dup(one, &two));
    CHECK(copied == N);
    for (i = 0; i < N; i++) {
        CALL(MPI_Comm_get_attr(two, keyvals[i], &got, &flag));
        CHECK(flag && got == &values[i]);
        if (i % 2)
            CALL(MPI_Comm_delete_attr(two, keyvals[i]));
        CALL(MPI_Comm_free_keyval(&keyvals[i]));
    }
    CHECK(deleted == N / 2);
    MPI_Comm_free(&two);
    CHECK(deleted == N);
    MPI_Comm_free(&one);
    CHECK(deleted == 2 * N);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, NULL)) {
        if (comm != MPI_COMM_NULL)
            freed_before_use(comm);
        conform_free_comm(&comm);
    }
    many_keyvals();
    return conform_end(0);
}
