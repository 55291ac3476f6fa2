/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that were there before MPI_Init, thread-specific data, detached threads, threads started by threads. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static _Thread_local int own = 5;
static pthread_key_t key;
static int go, dropped, inner_done, rank;

static void drop(void *value)
{
    (void)value;
    __atomic_fetch_add(&dropped, 1, __ATOMIC_RELAXED);
}

static void *inner(void *arg)
{
    int here;

    (void)arg;
    CHECK(own == 5);
    CALL(MPI_Comm_rank(MPI_COMM_WORLD, &here));
    CHECK(here == rank);
    pthread_setspecific(key, &go);
    __atomic_store_n(&inner_done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void *early(void *arg)
{
    pthread_t thread;
    int in = -1;

    (void)arg;
    while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
        usleep(1000);
    own++;
    CALL(MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CHECK(in == rank);
    pthread_create(&thread, NULL, inner, NULL);
    pthread_detach(thread);
    while (!__atomic_load_n(&inner_done, __ATOMIC_ACQUIRE))
        usleep(1000);
    pthread_exit(&own);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *result = NULL;

    pthread_key_create(&key, drop);
    pthread_create(&thread, NULL, early, NULL);
    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    pthread_join(thread, &result);
    CHECK(result != NULL && own == 5);
    return conform_end(0);
}
