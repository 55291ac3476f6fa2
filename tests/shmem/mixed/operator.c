/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's operators are called by any thread of the process: in one, SHMEM's calls are those of the operator's PE, and behind it the
 * thread's own again. */
#include "check.h"

#include <mpi.h>

enum { ROUNDS = 50, COUNT = 100 };
static int me;
static long calls, seen;

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    CHECK(shmem_my_pe() == me);
    shmem_long_atomic_inc(&calls, me);
    CHECK(shmem_long_g(&calls, me) == ++seen);
    for (int i = 0; i < *n; i++)
        ((long *)inout)[i] += ((long *)in)[i];
}

int main(int argc, char **argv)
{
    static long mine[COUNT], all[COUNT];
    MPI_Op op;

    MPI_Init(&argc, &argv);
    shmem_init();
    me = shmem_my_pe();
    long n = shmem_n_pes();
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < COUNT; k++)
            mine[k] = me + k;
        MPI_Allreduce(mine, all, i % 2 ? COUNT : 1, MPI_LONG, op, MPI_COMM_WORLD);
        CHECK_AT(all[0] == n * (n - 1) / 2 && shmem_my_pe() == me, i);
    }
    shmem_barrier_all();
    MPI_Op_free(&op);
    MPI_Finalize();
    return check_end();
}
