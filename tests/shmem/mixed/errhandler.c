/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of SHMEM are raised on MPI_COMM_WORLD: where its handler lets the program go on, a wrong call has had no effect. */
#include "check.h"

#include <mpi.h>

static long word = 5;
static int raised;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    raised += *comm == MPI_COMM_WORLD && *code != MPI_SUCCESS;
}

static void wrong_calls(void)
{
    long local = 7;
    int n = shmem_n_pes();
    shmem_ctx_t ctx;

    shmem_long_p(&word, 1, n);
    shmem_long_p(&local, 1, 0);
    CHECK(shmem_long_g(&local, 0) == 0);
    CHECK(shmem_long_atomic_fetch_add(&word, 3, -1) == 0);
    shmem_long_wait_until(&word, 99, 3); /* does not wait */
    shmem_long_iput(&word, &local, 0, 1, 1, 0);
    shmem_ctx_long_p(SHMEM_CTX_INVALID, &word, 1, 0);
    CHECK(shmem_team_sync(SHMEM_TEAM_INVALID) != 0);
    CHECK(raised == 8);
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0);
    CHECK(local == 7 && word == 5);
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    shmem_init();
    shmem_barrier_all();
    wrong_calls();
    shmem_barrier_all();
    CHECK(word == 5);
    shmem_barrier_all(); /* and all goes on */
    shmem_long_p(&word, shmem_my_pe(), right_of(1));
    shmem_barrier_all();
    CHECK(word == left_of(1));
    MPI_Errhandler_free(&handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    check_end();
    MPI_Finalize();
    return 0;
}
