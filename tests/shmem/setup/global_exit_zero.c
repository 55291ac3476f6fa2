/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: says ^leaving$ */
/* With status 0 it is an end in which all is well. */
#include "check.h"

int main(void)
{
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        printf("leaving\n");
        fflush(stdout);
        shmem_global_exit(0);
    }
    for (;;)
        shmem_barrier_all();
}
