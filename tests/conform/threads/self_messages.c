/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank send to each other: blocking synchronous sends, long ones, any tag, a generalized request. */
#include "conform.h"

#include <pthread.h>
#include <stddef.h>

enum { LONG = 200000 };

static int rank, out[LONG], in[LONG];
static MPI_Request pending;

static int query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 4;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    *(int *)state = -1;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static void *send(void *arg)
{
    int i;

    for (i = 0; i < LONG; i++)
        out[i] = rank + i;
    CALL(MPI_Ssend(out, 1, MPI_INT, rank, 1, MPI_COMM_WORLD));
    CALL(MPI_Send(out, LONG, MPI_INT, rank, 2, MPI_COMM_WORLD));
    CALL(MPI_Grequest_complete(pending));
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    MPI_Status status;
    int i, n, state = 7;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CALL(MPI_Grequest_start(query, release, cancel, &state, &pending));
    pthread_create(&thread, NULL, send, NULL);
    CALL(MPI_Probe(rank, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
    CHECK(status.MPI_TAG == 1);
    CALL(MPI_Recv(in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &status));
    CALL(MPI_Recv(in, LONG, MPI_INT, rank, 2, MPI_COMM_WORLD, &status));
    for (i = 0; i < LONG; i++)
        if (in[i] != rank + i) {
            conform_error("element %d is %d", i, in[i]);
            break;
        }
    CALL(MPI_Wait(&pending, &status));
    CHECK(status.MPI_SOURCE == 3 && status.MPI_TAG == 4 && state == -1);
    CALL(MPI_Get_elements(&status, MPI_INT, &n));
    CHECK(n == 7);
    pthread_join(thread, NULL);
    return conform_end(0);
}
