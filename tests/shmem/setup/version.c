/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: env SHMEM_VERSION=1 */
/* shmem: says ^.*OpenSHMEM.* 1\.5 */
/* The library's version is printed at the start. */
#include "check.h"

int main(void)
{
    shmem_init();
    shmem_finalize();
    return 0;
}
