/* SPDX-License-Identifier: BSD-3-Clause */
/* Delete callbacks that communicate on the communicator that is freed, and that free other objects. */
#include "conform.h"

#include <stddef.h>

struct kept {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Group group;
};

static int sum, calls;

static int drop(MPI_Comm comm, int keyval, void *value, void *state)
{
    struct kept *kept = value;
    int rank;

    (void)keyval;
    CHECK(state == &calls);
    calls++;
    CALL(MPI_Comm_rank(comm, &rank));
    CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CALL(MPI_Barrier(kept->comm));
    CALL(MPI_Comm_free(&kept->comm));
    CALL(MPI_Type_free(&kept->type));
    CALL(MPI_Group_free(&kept->group));
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int key, size;
    struct kept kept;

    conform_init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CALL(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, &calls));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Comm_dup(comm, &kept.comm));
    CALL(MPI_Type_contiguous(3, MPI_INT, &kept.type));
    CALL(MPI_Comm_group(comm, &kept.group));
    CALL(MPI_Comm_set_attr(comm, key, &kept));
    CALL(MPI_Comm_free_keyval(&key));
    CALL(MPI_Comm_free(&comm));
    CHECK(calls == 1 && sum == size * (size - 1) / 2);
    CHECK(kept.comm == MPI_COMM_NULL && kept.group == MPI_GROUP_NULL);
    return conform_end(0);
}
