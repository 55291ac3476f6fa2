/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: env SHMEM_INFO=1 SHMEM_SYMMETRIC_SIZE=64M */
/* shmem: says SHMEM_SYMMETRIC_SIZE.*67108864 */
/* What the environment may say is printed at the start, with the values that hold. */
#include "check.h"

int main(void)
{
    shmem_init();
    shmem_finalize();
    return 0;
}
