/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem: flags -Wno-deprecated-declarations */
/* OpenSHMEM 1.0's names of the symmetric heap's functions. */
#include "check.h"

int main(void)
{
    start_pes(0);
    CHECK(_my_pe() == shmem_my_pe() && _num_pes() == shmem_n_pes());
    long *a = shmalloc(10 * sizeof *a), *b = shmemalign(512, 10 * sizeof *b);
    CHECK(a && b && (uintptr_t)b % 512 == 0);
    for (int i = 0; i < 10; i++)
        a[i] = b[i] = -i;
    a = shrealloc(a, 1000 * sizeof *a);
    CHECK(a && a[9] == -9 && a[1] == -1);
    shmem_barrier_all();
    shmem_long_p(&a[999], shmem_my_pe() + 5L, right_of(1));
    shmem_long_p(&b[9], shmem_my_pe() + 6L, right_of(1));
    shmem_barrier_all();
    CHECK(a[999] == left_of(1) + 5 && b[9] == left_of(1) + 6);
    shfree(b);
    shfree(a);
    return check_end();
}
