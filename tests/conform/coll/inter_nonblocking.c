/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-blocking collectives over intercommunicators, in both directions at once. */
#include "../expect.h"

enum { EACH = 20 };

static void exchange(MPI_Comm comm)
{
    int rank = rank_of(comm), peers = peers_of(comm, 1), low = is_low(comm), seed = low ? 0 : 50,
        other = 50 - seed;
    int *out = malloc((size_t)peers * EACH * sizeof(int)), *all = calloc((size_t)peers * EACH, sizeof(int));
    int *each = calloc((size_t)peers * EACH, sizeof(int)), sum = 0;
    MPI_Request r[4];

    fill(out, peers * EACH, seed + rank);
    CALL(MPI_Ibarrier(comm, &r[0]));
    CALL(MPI_Iallgather(out, EACH, MPI_INT, all, EACH, MPI_INT, comm, &r[1]));
    CALL(MPI_Ialltoall(out, EACH, MPI_INT, each, EACH, MPI_INT, comm, &r[2]));
    CALL(MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &r[3]));
    CALL(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
    expect_int("sum", sum, peers * (peers - 1) / 2);
    for (int i = 0; i < peers; i++) {
        expect_int("iallgather", differs(all + i * EACH, EACH, other + i), -1);
        for (int n = 0; n < EACH; n++)
            expect_int("ialltoall", each[i * EACH + n], (other + i) * 7919 + rank * EACH + n);
    }
    free(out);
    free(all);
    free(each);
}

/* From the high group's first, then the low one's. */
static void broadcast(MPI_Comm comm)
{
    int low = is_low(comm), word[2] = {low ? 0 : 41, low ? 42 : 0},
        target = rank_of(comm) == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Request r[2];

    CALL(MPI_Ibcast(&word[0], 1, MPI_INT, low ? 0 : target, comm, &r[0]));
    CALL(MPI_Ibcast(&word[1], 1, MPI_INT, low ? target : 0, comm, &r[1]));
    CALL(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK(word[0] == 41 && word[1] == 42);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && is_inter) {
            exchange(comm);
            broadcast(comm);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
