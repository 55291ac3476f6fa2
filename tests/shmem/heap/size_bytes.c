/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: env SMA_SYMMETRIC_SIZE=20000000 */
/* The heap's size: bytes, by the older name. */
#include "check.h"

int main(void)
{
    shmem_init();
    char *at = shmem_malloc(((size_t)19900000));
    CHECK(at != NULL);
    shmem_char_p(at + ((size_t)19900000) - 1, (char)(shmem_my_pe() + 1), right_of(1)); /* to its end */
    shmem_barrier_all();
    CHECK(at[((size_t)19900000) - 1] == left_of(1) + 1);
    shmem_barrier_all();
    shmem_free(at);
    CHECK(shmem_malloc(((size_t)24000000)) == NULL);
    return check_end();
}
