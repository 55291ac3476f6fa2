/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: status 9 */
/* shmem_global_exit by all at once. */
#include "check.h"

int main(void)
{
    shmem_init();
    shmem_barrier_all();
    shmem_global_exit(9);
}
