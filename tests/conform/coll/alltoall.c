/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw, in place too, blocks of different sizes and types. */
#include "../expect.h"

static int seed(int from, int to)
{
    return from * 100 + to;
}

static void even(MPI_Comm comm, int peers, int is_inter, int count)
{
    size_t bytes = ((size_t)peers * (size_t)count + 1) * sizeof(int);
    int rank = rank_of(comm), *out = malloc(bytes), *in = malloc(bytes);

    for (int i = 0; i < peers; i++)
        fill(out + i * count, count, seed(rank, i));
    CALL(MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, comm));
    for (int i = 0; i < peers; i++)
        expect_int("alltoall", differs(in + i * count, count, seed(i, rank)), -1);
    if (!is_inter) {
        CALL(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, MPI_INT, comm));
        for (int i = 0; i < peers; i++)
            expect_int("alltoall in place", differs(out + i * count, count, seed(i, rank)), -1);
    }
    free(out);
    free(in);
}

struct blocks {
    int *data, *counts, *displs, *bytes;
    MPI_Datatype *types;
};

/* Numbers between two ranks: the same both ways, so that in place works. Every second block is of pairs. */
static int length(int a, int b)
{
    return (a + b) % 4 * 10;
}

static struct blocks make(int rank, int peers, int pairs, int sending, MPI_Datatype pair)
{
    struct blocks b = {calloc((size_t)peers * 31, sizeof(int)), malloc((size_t)peers * sizeof(int)),
                       malloc((size_t)peers * sizeof(int)), malloc((size_t)peers * sizeof(int)),
                       malloc((size_t)peers * sizeof(MPI_Datatype))};

    for (int i = 0; i < peers; i++) {
        int two = pairs && (i + sending) % 2;

        b.counts[i] = length(rank, i) / (two ? 2 : 1);
        b.types[i] = two ? pair : MPI_INT;
        b.displs[i] = (peers - 1 - i) * 31;
        b.bytes[i] = b.displs[i] * (int)sizeof(int);
        if (sending)
            fill(b.data + b.displs[i], length(rank, i), seed(rank, i));
    }
    return b;
}

static void expect_blocks(const char *what, const struct blocks *b, int rank, int peers)
{
    for (int i = 0; i < peers; i++) {
        expect_int(what, differs(b->data + b->displs[i], length(rank, i), seed(i, rank)), -1);
        expect_int("gap", b->data[b->displs[i] + length(rank, i)], 0);
    }
}

static void release(struct blocks *b)
{
    free(b->data);
    free(b->counts);
    free(b->displs);
    free(b->bytes);
    free(b->types);
}

static void uneven(MPI_Comm comm, int peers, int is_inter, int w)
{
    int rank = rank_of(comm);
    MPI_Datatype pair;
    struct blocks out, in;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    out = make(rank, peers, w, 1, pair);
    in = make(rank, peers, w, 0, pair);
    if (w)
        CALL(MPI_Alltoallw(out.data, out.counts, out.bytes, out.types, in.data, in.counts, in.bytes, in.types,
                           comm));
    else
        CALL(MPI_Alltoallv(out.data, out.counts, out.displs, MPI_INT, in.data, in.counts, in.displs, MPI_INT,
                           comm));
    expect_blocks(w ? "alltoallw" : "alltoallv", &in, rank, peers);
    if (!is_inter && w)
        CALL(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, out.data, out.counts, out.bytes, out.types, comm));
    else if (!is_inter)
        CALL(MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, out.data, out.counts, out.displs,
                           MPI_INT, comm));
    if (!is_inter)
        expect_blocks("in place", &out, rank, peers);
    release(&out);
    release(&in);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 0, 10, 1000, 20000};
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && i < 5; i++) {
            even(comm, peers_of(comm, is_inter), is_inter, sizes[i]);
            uneven(comm, peers_of(comm, is_inter), is_inter, i % 2);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
