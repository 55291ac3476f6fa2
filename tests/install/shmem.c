/* SPDX-License-Identifier: BSD-3-Clause */
/* PE 0 prints the sum of 1, 2, ... that each PE adds to its word. */
#include <mpi.h>
#include <mpp/shmem.h>
#include <pshmem.h>
#include <stdio.h>

int main(void)
{
    static long sum;
    shmem_init();
    shmem_atomic_add(&sum, shmem_my_pe() + 1, 0);
    pshmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("%ld\n", sum);
    shmem_finalize();
    return 0;
}
