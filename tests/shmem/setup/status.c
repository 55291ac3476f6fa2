/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: status 4 */
/* After shmem_finalize a PE's status is that of the job. */
#include "check.h"

int main(void)
{
    shmem_init();
    int status = shmem_my_pe() == shmem_n_pes() / 2 ? 4 : 0;
    shmem_finalize();
    return status;
}
