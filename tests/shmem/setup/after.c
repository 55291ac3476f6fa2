/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables and code outside SHMEM's life: what others have put stays, and the program goes on. */
#include "check.h"

static long word, before = 8;

int main(int argc, char **argv)
{
    CHECK(argc == 1 && argv[0] && !argv[1]);
    before++;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_long_p(&word, me + 1, right_of(1));
    shmem_long_atomic_add(&before, 100, right_of(1));
    shmem_finalize(); /* a barrier, too */
    if (word != (me + n - 1) % n + 1 || before != 109)
        return 3;
    before = 1;
    if (me == 0)
        printf(" No Errors\n");
    return 0;
}
