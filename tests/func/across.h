/* SPDX-License-Identifier: BSD-3-Clause */
/* across.h: for tests of messages between processes of one machine, through memory or with EP_SHARED_MEMORY=0 by MPI. */
#ifndef EP_TEST_ACROSS_H
#define EP_TEST_ACROSS_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pairs.h"
#include "reach.h"

/* A setting as a number. */
static inline long across_setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 0) : otherwise;
}

/* All endpoints of the team meet here, and meanwhile nobody is in ep: nothing makes progress. comm: of the processes that have
 * endpoints, used by their threads 0 alone. */
static inline void still_barrier(const team_t *t, MPI_Comm comm)
{
#pragma omp barrier
    if (t->index == 0) {
        MPI_Request request;
        int done = 0;
        MPI_Ibarrier(comm, &request);
        for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
             MPI_Test(&request, &done, MPI_STATUS_IGNORE))
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
#pragma omp barrier
}

#endif
