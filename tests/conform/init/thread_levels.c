/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init_thread with each level (given as argument or by rank), MPI_Query_thread, MPI_Is_thread_main. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>

static void *elsewhere(void *arg)
{
    int flag = 7, provided = -1;

    MPI_Is_thread_main(&flag);
    CHECK(flag == 0);
    MPI_Query_thread(&provided);
    CHECK(provided == *(int *)arg);
    MPI_Initialized(&flag);
    CHECK(flag);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided = -1, asked, flag = 7;
    pthread_t thread;

    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED &&
          MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    CALL(MPI_Query_thread(&asked));
    CHECK(asked == provided);
    CALL(MPI_Is_thread_main(&flag));
    CHECK(flag == 1);
    if (provided == MPI_THREAD_MULTIPLE) {
        pthread_create(&thread, NULL, elsewhere, &provided);
        pthread_join(thread, NULL);
    }
    return conform_end(0);
}
