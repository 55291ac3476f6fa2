/* SPDX-License-Identifier: BSD-3-Clause */
/* reach.h: whether processes reach each other's memory, which containers may forbid. */
#ifndef EP_TEST_REACH_H
#define EP_TEST_REACH_H

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Do processes reach each other's memory? Only then does ep promise more than MPI does. Collective,
 * main threads. */
static inline int across_by_memory(void)
{
    struct {
        long pid;
        const void *at;
    } mine = {(long)getpid(), &mine}, *all;
    const char *set = getenv("EP_SHARED_MEMORY");
    int size, ok = (!set || strcmp(set, "0") != 0) && !getenv("EP_TEST_REFUSE"), every = 0;
    char byte;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all = malloc((size_t)size * sizeof *all);
    if (!all)
        abort();
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    for (int p = 0; p < size; p++) {
        struct iovec to = {&byte, 1}, from = {(void *)(uintptr_t)all[p].at, 1};
        ok &= process_vm_readv((pid_t)all[p].pid, &to, 1, &from, 1, 0) == 1;
    }
    MPI_Allreduce(&ok, &every, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    free(all);
    return every;
}

#endif
