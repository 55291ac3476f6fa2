/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives with MPI_BOTTOM and types of absolute addresses, one per rank in the w form. */
#include "../expect.h"

enum { MOST = 64 };

static int out[MOST], in[MOST];

static MPI_Datatype at(const int *place)
{
    MPI_Aint address;
    MPI_Datatype type;

    MPI_Get_address(place, &address);
    MPI_Type_create_hindexed_block(1, 1, &address, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

static void exchange(MPI_Comm comm, int wait)
{
    int rank = rank_of(comm), size = size_of(comm), ones[MOST], zeros[MOST] = {0};
    MPI_Datatype from[MOST], to[MOST];
    MPI_Request request;

    for (int i = 0; i < size; i++) {
        out[i] = rank * 100 + i;
        in[i] = -1;
        ones[i] = 1;
        from[i] = at(&out[size - 1 - i]);
        to[i] = at(&in[i]);
    }
    if (wait) {
        CALL(MPI_Ialltoallw(MPI_BOTTOM, ones, zeros, from, MPI_BOTTOM, ones, zeros, to, comm, &request));
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else {
        CALL(MPI_Alltoallw(MPI_BOTTOM, ones, zeros, from, MPI_BOTTOM, ones, zeros, to, comm));
    }
    for (int i = 0; i < size; i++) {
        expect_int("alltoallw", in[i], i * 100 + size - 1 - rank);
        MPI_Type_free(&from[i]);
        MPI_Type_free(&to[i]);
    }
}

static void rooted(MPI_Comm comm)
{
    int rank = rank_of(comm), size = size_of(comm), word = -1;
    MPI_Datatype mine = at(&out[0]), back = at(&word);

    out[0] = 7 * rank;
    CALL(MPI_Gather(MPI_BOTTOM, 1, mine, in, 1, MPI_INT, 0, comm));
    for (int i = 0; rank == 0 && i < size; i++)
        expect_int("gather", in[i], 7 * i);
    CALL(MPI_Scatter(in, 1, MPI_INT, MPI_BOTTOM, 1, back, 0, comm));
    expect_int("scatter", word, 7 * rank);
    CALL(MPI_Bcast(MPI_BOTTOM, 1, back, size - 1, comm));
    expect_int("bcast", word, 7 * (size - 1));
    CALL(MPI_Allgather(MPI_BOTTOM, 1, mine, in, 1, MPI_INT, comm));
    for (int i = 0; i < size; i++)
        expect_int("allgather", in[i], 7 * i);
    MPI_Type_free(&mine);
    MPI_Type_free(&back);
}

/* On a ring, as a cartesian communicator. */
static void neighbours(MPI_Comm comm)
{
    int size = size_of(comm), periodic = 1, ones[2] = {1, 1}, rank;
    MPI_Aint zeros[2] = {0, 0};
    MPI_Datatype from[2] = {at(&out[1]), at(&out[2])}, to[2] = {at(&in[3]), at(&in[5])};
    MPI_Comm ring;

    MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    out[1] = rank * 10 + 1;
    out[2] = rank * 10 + 2;
    CALL(MPI_Neighbor_alltoallw(MPI_BOTTOM, ones, zeros, from, MPI_BOTTOM, ones, zeros, to, ring));
    if (size > 2) {
        expect_int("from below", in[3], (rank + size - 1) % size * 10 + 2);
        expect_int("from above", in[5], (rank + 1) % size * 10 + 1);
    }
    MPI_Comm_free(&ring);
    for (int i = 0; i < 2; i++) {
        MPI_Type_free(&from[i]);
        MPI_Type_free(&to[i]);
    }
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    if (size_of(MPI_COMM_WORLD) <= MOST) {
        exchange(MPI_COMM_WORLD, 0);
        exchange(MPI_COMM_WORLD, 1);
        rooted(MPI_COMM_WORLD);
        neighbours(MPI_COMM_WORLD);
    }
    return conform_end(0);
}
