/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: status 37 */
/* shmem_global_exit of one PE ends all, wherever they are, with its status. */
#include "check.h"

#include <unistd.h>

static long never;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_barrier_all();
    if (me == n - 1)
        shmem_global_exit(37);
    switch (me % 3) {
    case 0: shmem_long_wait_until(&never, SHMEM_CMP_NE, 0); break;
    case 1: shmem_barrier_all(); break;
    default:
        for (;;)
            pause();
    }
    return 5;
}
