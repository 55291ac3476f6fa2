// SPDX-License-Identifier: BSD-3-Clause
// The same in C++, where names have types.
#include <cstdio>
#include <mpi.h>
#include <shmem.h>

static long sum;

int main()
{
    shmem_init();
    shmem_long_atomic_add(&sum, shmem_my_pe() + 1, 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        std::printf("%ld\n", sum);
    shmem_finalize();
}
