/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks that call MPI themselves: messages on the communicator, other attributes, the handle compares equal. */
#include "conform.h"

#include <stdlib.h>

struct cache {
    MPI_Comm private;
    int uses;
};

static int key = MPI_KEYVAL_INVALID, made, freed;

/* A library that keeps a communicator of its own for each one that it is given. */
static int drop(MPI_Comm comm, int keyval, void *value, void *state)
{
    struct cache *cache = value;
    int size, other;

    (void)state;
    CHECK(keyval == key);
    CALL(MPI_Comm_size(comm, &size));
    CALL(MPI_Comm_size(cache->private, &other));
    CHECK(size == other);
    CALL(MPI_Comm_free(&cache->private));
    free(cache);
    freed++;
    return MPI_SUCCESS;
}

static struct cache *of(MPI_Comm comm)
{
    struct cache *cache;
    int flag;

    CALL(MPI_Comm_get_attr(comm, key, &cache, &flag));
    if (flag)
        return cache;
    cache = malloc(sizeof *cache);
    cache->uses = 0;
    CALL(MPI_Comm_dup(comm, &cache->private));
    CALL(MPI_Comm_set_attr(comm, key, cache));
    made++;
    return cache;
}

static int copy_state(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    void *inside;
    int rank, sum = -1, size;

    CHECK(comm == *(MPI_Comm *)state);
    CALL(MPI_Comm_get_attr(comm, keyval, &inside, flag));
    CALL(MPI_Comm_rank(comm, &rank));
    CALL(MPI_Comm_size(comm, &size));
    CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == size * (size - 1) / 2);
    *(void **)out = in;
    *flag = 0;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Comm comm, copy;
    int i, other;

    conform_init(&argc, &argv);
    CALL(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    for (i = 0; i < 5; i++) {
        of(comm)->uses++;
        of(MPI_COMM_WORLD)->uses++;
        of(MPI_COMM_SELF)->uses++;
        CALL(MPI_Barrier(of(MPI_COMM_WORLD)->private));
    }
    CHECK(made == 3 && of(comm)->uses == 5);
    CALL(MPI_Comm_free(&comm));
    CHECK(freed == 1);
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
    CHECK(freed == 2);

    comm = MPI_COMM_WORLD;
    CALL(MPI_Comm_create_keyval(copy_state, MPI_COMM_NULL_DELETE_FN, &other, &comm));
    CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, other, NULL));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, other));
    CALL(MPI_Comm_free_keyval(&other));
    return conform_end(0);
}
