/* SPDX-License-Identifier: BSD-3-Clause */
/* As many communicators at once as MPI gives, up to 1000; when it says no, those that there are still work. */
#include "conform.h"

int main(int argc, char **argv)
{
    enum { ALIVE = 1000 };
    static MPI_Comm comms[ALIVE];
    int rank, size, n, i, ok, all, sum;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (n = 0; n < ALIVE; n++) {
        ok = MPI_Comm_dup(MPI_COMM_WORLD, &comms[n]) == MPI_SUCCESS;
        CALL(MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
        CHECK(ok == all);
        if (!all)
            break;
    }
    CHECK(n >= 500);
    for (i = 0; i < n; i += n / 10 + 1) {
        CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[i]));
        CHECK(sum == size * (size - 1) / 2);
    }
    for (i = n - 1; i >= 0; i--)
        CALL(MPI_Comm_free(&comms[i]));
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]));
    CALL(MPI_Barrier(comms[0]));
    CALL(MPI_Comm_free(&comms[0]));
    return conform_end(0);
}
