/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads set, get and delete attributes, keyvals, error handlers and groups at the same time. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>

enum { THREADS = 4, TURNS = 200 };

static void ignore(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void *run(void *arg)
{
    int i, keyval, flag, *got, n;
    MPI_Errhandler handler;
    MPI_Group group, part;
    MPI_Info info;

    for (i = 0; i < TURNS; i++) {
        CALL(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL));
        CALL(MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, arg));
        CALL(MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &got, &flag));
        CHECK(flag && got == arg);
        CALL(MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval));
        CALL(MPI_Comm_free_keyval(&keyval));
        CALL(MPI_Comm_create_errhandler(ignore, &handler));
        CALL(MPI_Errhandler_free(&handler));
        CALL(MPI_Comm_group(MPI_COMM_WORLD, &group));
        n = 0;
        CALL(MPI_Group_incl(group, 1, &n, &part));
        CALL(MPI_Group_size(part, &n));
        CHECK(n == 1);
        CALL(MPI_Group_free(&part));
        CALL(MPI_Group_free(&group));
        CALL(MPI_Info_create(&info));
        CALL(MPI_Info_set(info, "key", "value"));
        CALL(MPI_Info_free(&info));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int i, values[THREADS];

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    for (i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, &values[i]);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return conform_end(0);
}
