/* SPDX-License-Identifier: BSD-3-Clause */
/* across.h: for tests of messages between processes of one machine, through memory or with EP_SHARED_MEMORY=0 by MPI. */
#ifndef EP_TEST_ACROSS_H
#define EP_TEST_ACROSS_H

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "pairs.h"

/* A setting as a number. */
static inline long across_setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 0) : otherwise;
}

/* Do processes reach each other's memory? Only then does ep promise more than MPI does. Collective, main threads. */
static inline int across_by_memory(void)
{
    struct {
        long pid;
        const void *at;
    } mine = {(long)getpid(), &mine}, *all;
    int size, ok = across_setting("EP_SHARED_MEMORY", 1) != 0 && !getenv("EP_TEST_REFUSE"), every = 0;
    char byte;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all = xmalloc((size_t)size * sizeof *all);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    for (int p = 0; p < size; p++) {
        struct iovec to = {&byte, 1}, from = {(void *)(uintptr_t)all[p].at, 1};
        ok &= process_vm_readv((pid_t)all[p].pid, &to, 1, &from, 1, 0) == 1;
    }
    MPI_Allreduce(&ok, &every, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    free(all);
    return every;
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
