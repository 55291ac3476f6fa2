/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that returns from main, or exits, without shmem_finalize: what it has put arrives before others are gone. */
#include "check.h"

static long word;

static void look(void)
{
    if (shmem_my_pe() == 0 && word == shmem_n_pes()) {
        printf(" No Errors\n");
        fflush(stdout);
    }
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    shmem_long_atomic_inc(&word, 0);
    if (me == 0) {
        shmem_long_wait_until(&word, SHMEM_CMP_EQ, shmem_n_pes());
        look();
    }
    if (me % 2)
        exit(0);
    return 0;
}
