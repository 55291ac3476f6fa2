/* SPDX-License-Identifier: BSD-3-Clause */
/* Values: NULL is one, so are integers of the size of a pointer; keys of one rank are its own. */
#include "conform.h"

#include <stddef.h>
#include <stdint.h>

int main(int argc, char **argv)
{
    int keyval, other, flag, rank;
    void *value = &flag;
    MPI_Comm comm;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL));
    CALL(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL));
    CHECK(keyval != other);
    while (conform_comm(&comm, NULL)) {
        if (comm == MPI_COMM_NULL)
            continue;
        CALL(MPI_Comm_set_attr(comm, keyval, NULL));
        CALL(MPI_Comm_get_attr(comm, keyval, &value, &flag));
        CHECK(flag && value == NULL);
        CALL(MPI_Comm_get_attr(comm, other, &value, &flag));
        CHECK(!flag);
        CALL(MPI_Comm_set_attr(comm, keyval, (void *)(intptr_t)(rank - 1000)));
        CALL(MPI_Comm_get_attr(comm, keyval, &value, &flag));
        CHECK(flag && (intptr_t)value == rank - 1000);
        CALL(MPI_Comm_delete_attr(comm, keyval));
        CALL(MPI_Comm_get_attr(comm, keyval, &value, &flag));
        CHECK(!flag);
        conform_free_comm(&comm);
    }
    CALL(MPI_Comm_free_keyval(&keyval));
    CALL(MPI_Comm_free_keyval(&other));
    return conform_end(0);
}
