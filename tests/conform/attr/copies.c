/* SPDX-License-Identifier: BSD-3-Clause */
/* Copy and delete callbacks: when, with which arguments, what they answer. */
#include "conform.h"

#include <stddef.h>
#include <stdint.h>

static MPI_Comm original;
static int copied, deleted, key = MPI_KEYVAL_INVALID;
static char extra[] = "extra";
static void *last_deleted;
static MPI_Comm last_comm;

static int copy(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    copied++;
    CHECK(comm == original);
    CHECK(keyval == key);
    CHECK(state == extra);
    *(void **)out = (void *)((intptr_t)in + 1);
    *flag = (intptr_t)in != 50;
    return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int keyval, void *value, void *state)
{
    deleted++;
    CHECK(keyval == key);
    CHECK(state == extra);
    last_deleted = value;
    last_comm = comm;
    return MPI_SUCCESS;
}

/* The value of key on comm; -1: none. */
static intptr_t value_of(MPI_Comm comm)
{
    void *value = (void *)-7;
    int flag = 9;

    CALL(MPI_Comm_get_attr(comm, key, &value, &flag));
    CHECK(flag == 0 || flag == 1);
    return flag ? (intptr_t)value : -1;
}

static void one(MPI_Comm comm)
{
    MPI_Comm second, third, freed;

    original = comm;
    copied = deleted = 0;
    CHECK(value_of(comm) == -1);
    CALL(MPI_Comm_set_attr(comm, key, (void *)40));
    CHECK(deleted == 0);
    CALL(MPI_Comm_set_attr(comm, key, (void *)48));
    CHECK(deleted == 1 && last_deleted == (void *)40 && last_comm == comm);
    CALL(MPI_Comm_dup(comm, &second));
    CHECK(copied == 1 && value_of(second) == 49 && value_of(comm) == 48);
    original = second;
    CALL(MPI_Comm_set_attr(second, key, (void *)50));
    CALL(MPI_Comm_dup(second, &third));
    CHECK(copied == 2 && value_of(third) == -1);
    CALL(MPI_Comm_free(&third));
    CHECK(deleted == 2);
    freed = second;
    CALL(MPI_Comm_free(&second));
    CHECK(deleted == 3 && last_deleted == (void *)50 && last_comm == freed);
    CALL(MPI_Comm_delete_attr(comm, key));
    CHECK(deleted == 4 && last_deleted == (void *)48 && last_comm == comm);
    CHECK(value_of(comm) == -1);
}

/* Neither split nor create hands attributes on. */
static void not_by_split(void)
{
    MPI_Comm part;

    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, key, (void *)1));
    copied = 0;
    CALL(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part));
    CHECK(copied == 0 && value_of(part) == -1);
    CALL(MPI_Comm_free(&part));
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int old;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_create_keyval(copy, drop, &key, extra));
    CHECK(key != MPI_KEYVAL_INVALID);
    while (conform_comm(&comm, NULL)) {
        if (comm != MPI_COMM_NULL)
            one(comm);
        conform_free_comm(&comm);
    }
    not_by_split();
    old = key;
    CALL(MPI_Comm_free_keyval(&key));
    CHECK(key == MPI_KEYVAL_INVALID && old != MPI_KEYVAL_INVALID);
    return conform_end(0);
}
