/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_init_thread: the level SERIALIZED. */
#include "check.h"

int main(void)
{
    int provided = -1, asked = -1;

    CHECK(shmem_init_thread(SHMEM_THREAD_SERIALIZED, &provided) == 0);
    CHECK(provided >= SHMEM_THREAD_SERIALIZED && provided <= SHMEM_THREAD_MULTIPLE);
    shmem_query_thread(&asked);
    CHECK(asked == provided);
    return check_end();
}
