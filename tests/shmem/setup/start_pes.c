/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: flags -Wno-deprecated-declarations */
/* OpenSHMEM 1.0's programs: start_pes, which may be called again, and no end. */
#include "check.h"

static long to, source = 12;

int main(void)
{
    start_pes(0);
    start_pes(4);
    int me = _my_pe(), n = _num_pes();
    source += me;
    shmem_long_put(&to, &source, 1, (me + 1) % n);
    shmem_barrier_all();
    CHECK(to == 12 + (me + n - 1) % n);
    shmem_barrier_all();
    if (me == 0)
        printf(" No Errors\n");
    return 0;
}
