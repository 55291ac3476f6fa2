/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank consists of. */
#ifndef EP_DROPIN_RANK_H
#define EP_DROPIN_RANK_H

#include <pthread.h>

#include "base/base.h"
#include "dropin/dropin.h"

struct rank_data;

enum phase { BEFORE, INSIDE, AFTER };

/* The COMMON blocks of a rank's images (fortran.c). */
struct fortran_blocks {
    struct lock lock;
    struct ep_fortran_block *all; /* under the lock */
};

struct mpi_rank {
    /* constant once bound */
    ep_comm world;
    pthread_t main;
    bool has_main;
    struct rank_data *data; /* data.c: what others may access; NULL: nothing. From before the program runs */
    struct fortran_blocks fortran;
    struct shmem_pe *shmem; /* src/shmem: set by the thread that begins it, before others use it */
    /* the rank's threads */
    void (*at_exit)(void *); /* ep_rank_exits */
    void *at_exit_arg;
    int level;         /* what MPI_Init_thread provided */
    _Atomic int phase; /* release rank_enter, acquire ep_rank_is_inside */
    /* phase is INSIDE: what the binding of its threads looks at; release enter, acquire thread_world (by
     * pointer) */
    _Atomic bool inside;
};

#endif
