/* SPDX-License-Identifier: BSD-3-Clause */
/* Every non-blocking collective on every communicator, all under way at once, completed together (MPI
 * 5.12). */
#include "../expect.h"

enum { EACH = 50, KINDS = 12 };

struct data {
    int *out, *in[KINDS], *counts, *displs, *bytes;
    MPI_Datatype *types;
};

static struct data make(MPI_Comm comm, int rank, int size)
{
    struct data d;

    (void)comm;
    d.out = malloc((size_t)size * EACH * sizeof(int));
    fill(d.out, size * EACH, rank);
    d.counts = malloc((size_t)size * sizeof(int));
    d.displs = malloc((size_t)size * sizeof(int));
    d.bytes = malloc((size_t)size * sizeof(int));
    d.types = malloc((size_t)size * sizeof(MPI_Datatype));
    for (int i = 0; i < KINDS; i++)
        d.in[i] = calloc((size_t)size * EACH, sizeof(int));
    for (int i = 0; i < size; i++) {
        d.counts[i] = EACH;
        d.displs[i] = i * EACH;
        d.bytes[i] = i * EACH * (int)sizeof(int);
        d.types[i] = MPI_INT;
    }
    return d;
}

static void release(struct data *d)
{
    free(d->out);
    free(d->counts);
    free(d->displs);
    free(d->bytes);
    free(d->types);
    for (int i = 0; i < KINDS; i++)
        free(d->in[i]);
}

static void start(MPI_Comm comm, struct data *d, int root, int rank, MPI_Request *r)
{
    if (rank == root)
        fill(d->in[0], EACH, 77);
    CALL(MPI_Ibcast(d->in[0], EACH, MPI_INT, root, comm, &r[0]));
    CALL(MPI_Igather(d->out, EACH, MPI_INT, d->in[1], EACH, MPI_INT, root, comm, &r[1]));
    CALL(MPI_Iscatter(d->out, EACH, MPI_INT, d->in[2], EACH, MPI_INT, root, comm, &r[2]));
    CALL(MPI_Iallgather(d->out, EACH, MPI_INT, d->in[3], EACH, MPI_INT, comm, &r[3]));
    CALL(MPI_Iallgatherv(d->out, EACH, MPI_INT, d->in[4], d->counts, d->displs, MPI_INT, comm, &r[4]));
    CALL(MPI_Ialltoall(d->out, EACH, MPI_INT, d->in[5], EACH, MPI_INT, comm, &r[5]));
    CALL(MPI_Ialltoallv(d->out, d->counts, d->displs, MPI_INT, d->in[6], d->counts, d->displs, MPI_INT, comm,
                        &r[6]));
    CALL(MPI_Ialltoallw(d->out, d->counts, d->bytes, d->types, d->in[7], d->counts, d->bytes, d->types, comm,
                        &r[7]));
    CALL(MPI_Ireduce(d->out, d->in[8], EACH, MPI_INT, MPI_SUM, root, comm, &r[8]));
    CALL(MPI_Iallreduce(d->out, d->in[9], EACH, MPI_INT, MPI_SUM, comm, &r[9]));
    CALL(MPI_Iscan(d->out, d->in[10], EACH, MPI_INT, MPI_SUM, comm, &r[10]));
    CALL(MPI_Ireduce_scatter_block(d->out, d->in[11], EACH, MPI_INT, MPI_SUM, comm, &r[11]));
}

static int sum(int ranks, int i)
{
    return ranks * (ranks - 1) / 2 * 7919 + ranks * i;
}

static void check(const struct data *d, int root, int rank, int size)
{
    expect_int("ibcast", differs(d->in[0], EACH, 77), -1);
    for (int i = 0; i < EACH; i++) {
        expect_int("iscatter", d->in[2][i], root * 7919 + rank * EACH + i);
        if (rank == root)
            expect_int("ireduce", d->in[8][i], sum(size, i));
        expect_int("iallreduce", d->in[9][i], sum(size, i));
        expect_int("iscan", d->in[10][i], sum(rank + 1, i));
        expect_int("ireduce_scatter_block", d->in[11][i], sum(size, rank * EACH + i));
    }
    for (int i = 0; i < size; i++) {
        if (rank == root)
            expect_int("igather", differs(d->in[1] + i * EACH, EACH, i), -1);
        for (int kind = 3; kind < 5; kind++)
            expect_int("iallgather", differs(d->in[kind] + i * EACH, EACH, i), -1);
        for (int kind = 5; kind < 8; kind++)
            expect_int("ialltoall", d->in[kind][i * EACH], i * 7919 + rank * EACH);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int root = 0; comm != MPI_COMM_NULL && !is_inter && root < size_of(comm); root++) {
            int rank = rank_of(comm), size = size_of(comm);
            struct data d = make(comm, rank, size);
            MPI_Request requests[KINDS + 1];

            start(comm, &d, root, rank, requests);
            CALL(MPI_Ibarrier(comm, &requests[KINDS]));
            CALL(MPI_Waitall(KINDS + 1, requests, MPI_STATUSES_IGNORE));
            check(&d, root, rank, size);
            release(&d);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
