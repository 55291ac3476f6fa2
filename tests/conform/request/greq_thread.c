/* SPDX-License-Identifier: BSD-3-Clause */
/* Another thread completes a generalized request while the rank waits for it (MPI 12.2, 12.4). */
#include "../expect.h"

#include <pthread.h>

static int released;

static int query(void *extra, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_BYTE, *(int *)extra);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    (void)extra;
    released++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

static void *work(void *arg)
{
    MPI_Request *request = arg;

    for (volatile int i = 0; i < 1000000; i++)
        ;
    CALL(MPI_Grequest_complete(*request));
    return NULL;
}

int main(int argc, char **argv)
{
    int bytes = 12, count, place;
    MPI_Request requests[2], copy;
    MPI_Status status;
    pthread_t thread;

    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    for (int i = 0; i < 4; i++) {
        requests[0] = MPI_REQUEST_NULL;
        CALL(MPI_Grequest_start(query, release, cancel, &bytes, &requests[1]));
        copy = requests[1];
        pthread_create(&thread, NULL, work, &copy);
        if (i % 2)
            CALL(MPI_Waitany(2, requests, &place, &status));
        else
            CALL(MPI_Wait(&requests[1], &status));
        CHECK(requests[1] == MPI_REQUEST_NULL);
        MPI_Get_count(&status, MPI_BYTE, &count);
        expect_int("count", count, 12);
        expect_int("released", released, i + 1);
        pthread_join(thread, NULL);
    }
    return conform_end(0);
}
