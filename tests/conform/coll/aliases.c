/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is sent and what is received may not overlap (MPI 5.1), and MPI_IN_PLACE stands for a buffer only where MPI says so: errors
 * of class MPI_ERR_BUFFER before anybody waits. Everybody makes the same mistake. Blocks of nothing, and those of edges that
 * end at MPI_PROC_NULL, overlap nothing.
 */
#include "../expect.h"

enum { MOST = 64 };

static int array[4 * MOST], other[4 * MOST], counts[MOST], none[MOST], displs[MOST], behind[MOST], bytes[MOST];
static MPI_Aint places[MOST];
static MPI_Datatype types[MOST];
static MPI_Request request;

/* Only the root has two buffers. */
static void rooted(MPI_Comm self)
{
    FAILS(MPI_ERR_BUFFER, MPI_Gather(array, 1, MPI_INT, array, 1, MPI_INT, 0, self));
    FAILS(MPI_ERR_BUFFER, MPI_Gatherv(array, 1, MPI_INT, array, counts, displs, MPI_INT, 0, self));
    FAILS(MPI_ERR_BUFFER, MPI_Igatherv(array, 1, MPI_INT, array, counts, displs, MPI_INT, 0, self, &request));
    FAILS(MPI_ERR_BUFFER, MPI_Scatter(array, 1, MPI_INT, array, 1, MPI_INT, 0, self));
    FAILS(MPI_ERR_BUFFER, MPI_Scatterv(array, counts, displs, MPI_INT, array, 1, MPI_INT, 0, self));
    FAILS(MPI_ERR_BUFFER, MPI_Iscatterv(array, counts, displs, MPI_INT, array, 1, MPI_INT, 0, self, &request));
    CALL(MPI_Gatherv(array, 1, MPI_INT, array, counts, behind, MPI_INT, 0, self));
    CALL(MPI_Scatterv(array, counts, behind, MPI_INT, array, 1, MPI_INT, 0, self));
    CALL(MPI_Gatherv(array, 0, MPI_INT, array, none, displs, MPI_INT, 0, self));
    CALL(MPI_Scatterv(array, none, displs, MPI_INT, array, 0, MPI_INT, 0, self));
}

static void all(MPI_Comm comm)
{
    FAILS(MPI_ERR_BUFFER, MPI_Allgatherv(array, 1, MPI_INT, array, counts, displs, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Alltoall(array, 1, MPI_INT, array, 1, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER,
          MPI_Alltoallv(array, counts, displs, MPI_INT, array, counts, displs, MPI_INT, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Alltoallw(array, counts, bytes, types, array, counts, bytes, types, comm));
}

/* In each form, from and to these buffers. */
static void neighbours(int class, void *from, void *to, const int *n, MPI_Comm comm)
{
    FAILS(class, MPI_Neighbor_allgather(from, n[0], MPI_INT, to, n[0], MPI_INT, comm));
    FAILS(class, MPI_Neighbor_allgatherv(from, n[0], MPI_INT, to, n, displs, MPI_INT, comm));
    FAILS(class, MPI_Neighbor_alltoall(from, n[0], MPI_INT, to, n[0], MPI_INT, comm));
    FAILS(class, MPI_Neighbor_alltoallv(from, n, displs, MPI_INT, to, n, displs, MPI_INT, comm));
    FAILS(class, MPI_Neighbor_alltoallw(from, n, places, types, to, n, places, types, comm));
}

static void finish(int class, int code)
{
    FAILS(class, code);
    if (code == MPI_SUCCESS)
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void neighbours_later(int class, void *from, void *to, const int *n, MPI_Comm comm)
{
    finish(class, MPI_Ineighbor_allgather(from, n[0], MPI_INT, to, n[0], MPI_INT, comm, &request));
    finish(class, MPI_Ineighbor_allgatherv(from, n[0], MPI_INT, to, n, displs, MPI_INT, comm, &request));
    finish(class, MPI_Ineighbor_alltoall(from, n[0], MPI_INT, to, n[0], MPI_INT, comm, &request));
    finish(class,
           MPI_Ineighbor_alltoallv(from, n, displs, MPI_INT, to, n, displs, MPI_INT, comm, &request));
    finish(class, MPI_Ineighbor_alltoallw(from, n, places, types, to, n, places, types, comm, &request));
}

static void both(int class, void *from, void *to, const int *n, MPI_Comm comm)
{
    neighbours(class, from, to, n, comm);
    neighbours_later(class, from, to, n, comm);
}

static MPI_Comm grid_of(MPI_Comm world, int periodic)
{
    MPI_Comm grid;
    int size = size_of(world);

    CALL(MPI_Cart_create(world, 1, &size, &periodic, 0, &grid));
    return grid;
}

static void on_ring(MPI_Comm world)
{
    MPI_Comm ring = grid_of(world, 1);
    MPI_Datatype column;
    int first[2] = {1, 0}, second[2] = {0, 1};

    both(MPI_ERR_BUFFER, array, array, counts, ring);
    FAILS(MPI_ERR_BUFFER, MPI_Neighbor_alltoall(array, 1, MPI_INT, array + 1, 1, MPI_INT, ring));
    FAILS(MPI_ERR_BUFFER,
          MPI_Neighbor_alltoallv(array, counts, displs, MPI_INT, array + 1, counts, displs, MPI_INT, ring));
    FAILS(MPI_ERR_BUFFER, MPI_Neighbor_allgather(array + 1, 1, MPI_INT, array, 1, MPI_INT, ring));
    both(MPI_SUCCESS, array, array + MOST, counts, ring);
    both(MPI_SUCCESS, array, other, counts, ring);
    both(MPI_SUCCESS, array, array, none, ring);
    /* one array, where only blocks of nothing lie in those of the other side */
    CALL(MPI_Neighbor_alltoallv(array, first, displs, MPI_INT, array, second, displs, MPI_INT, ring));
    /* types with gaps: the same places; others in between */
    CALL(MPI_Type_vector(2, 1, 2, MPI_INT, &column));
    CALL(MPI_Type_commit(&column));
    FAILS(MPI_ERR_BUFFER, MPI_Neighbor_alltoall(array, 1, column, array, 1, column, ring));
    CALL(MPI_Neighbor_allgather(array, 1, column, array + 1, 1, column, ring));
    CALL(MPI_Type_free(&column));
    CALL(MPI_Comm_free(&ring));
}

/* The block of whoever is beyond an end may be anywhere. */
static void on_line(MPI_Comm world)
{
    MPI_Comm line = grid_of(world, 0);
    int rank = rank_of(world), size = size_of(world), from[2] = {0, 1}, to[2] = {2, 3};

    if (size == 1) {
        both(MPI_SUCCESS, array, array, counts, line);
    } else {
        for (int i = 0; i < 2; i++)
            array[i] = 10 * rank + i;
        if (rank == 0)
            to[0] = 1;
        if (rank == size - 1)
            from[1] = 2;
        CALL(MPI_Neighbor_alltoallv(array, counts, from, MPI_INT, array, counts, to, MPI_INT, line));
        if (rank > 0)
            expect_int("from below", array[2], 10 * (rank - 1) + 1);
        if (rank < size - 1)
            expect_int("from above", array[3], 10 * (rank + 1));
    }
    CALL(MPI_Comm_free(&line));
}

static void in_place(MPI_Comm comm, MPI_Comm self)
{
    void *here = MPI_IN_PLACE;
    int rank = rank_of(comm), size = size_of(comm), root = (rank + 1) % size;
    MPI_Comm ring = grid_of(comm, 1);

    FAILS(MPI_ERR_BUFFER, MPI_Send(here, 1, MPI_INT, rank, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Ssend(here, 1, MPI_INT, rank, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Rsend(here, 1, MPI_INT, rank, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Bsend(here, 1, MPI_INT, rank, 0, comm));
    FAILS(MPI_ERR_BUFFER, MPI_Isend(here, 1, MPI_INT, rank, 0, comm, &request));
    FAILS(MPI_ERR_BUFFER, MPI_Issend(here, 1, MPI_INT, rank, 0, comm, &request));
    FAILS(MPI_ERR_BUFFER, MPI_Irsend(here, 1, MPI_INT, rank, 0, comm, &request));
    FAILS(MPI_ERR_BUFFER, MPI_Ibsend(here, 1, MPI_INT, rank, 0, comm, &request));
    FAILS(MPI_ERR_BUFFER, MPI_Send_init(here, 1, MPI_INT, rank, 0, comm, &request));
    FAILS(MPI_ERR_BUFFER, MPI_Recv(here, 1, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_BUFFER, MPI_Irecv(here, 1, MPI_INT, rank, 0, comm, &request));
    FAILS(MPI_ERR_BUFFER, MPI_Recv_init(here, 1, MPI_INT, rank, 0, comm, &request));
    FAILS(MPI_ERR_BUFFER,
          MPI_Sendrecv(here, 1, MPI_INT, rank, 0, other, 1, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_BUFFER,
          MPI_Sendrecv(other, 1, MPI_INT, rank, 0, here, 1, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_BUFFER,
          MPI_Sendrecv_replace(here, 1, MPI_INT, rank, 0, rank, 0, comm, MPI_STATUS_IGNORE));
    FAILS(MPI_ERR_BUFFER, MPI_Bcast(here, 1, MPI_INT, 0, comm));
    if (size > 1) {
        FAILS(MPI_ERR_BUFFER, MPI_Gather(here, 1, MPI_INT, other, 1, MPI_INT, root, comm));
        FAILS(MPI_ERR_BUFFER, MPI_Gatherv(here, 1, MPI_INT, other, counts, displs, MPI_INT, root, comm));
        FAILS(MPI_ERR_BUFFER, MPI_Reduce(here, other, 1, MPI_INT, MPI_SUM, root, comm));
    }
    FAILS(MPI_ERR_BUFFER, MPI_Scatter(here, 1, MPI_INT, other, 1, MPI_INT, 0, self));
    FAILS(MPI_ERR_BUFFER, MPI_Scatterv(here, counts, displs, MPI_INT, other, 1, MPI_INT, 0, self));
    FAILS(MPI_ERR_BUFFER, MPI_Reduce_local(here, other, 1, MPI_INT, MPI_SUM));
    both(MPI_ERR_BUFFER, here, other, counts, ring);
    both(MPI_ERR_BUFFER, other, here, counts, ring);
    CALL(MPI_Comm_free(&ring));
}

int main(int argc, char **argv)
{
    MPI_Comm comm, self;

    conform_init(&argc, &argv);
    for (int i = 0; i < MOST; i++) {
        counts[i] = 1;
        displs[i] = i;
        behind[i] = MOST + i;
        places[i] = bytes[i] = i * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    CALL(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CALL(MPI_Comm_dup(MPI_COMM_SELF, &self));
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    rooted(self);
    if (size_of(comm) <= MOST)
        all(comm);
    on_ring(comm);
    on_line(comm);
    in_place(comm, self);
    CALL(MPI_Comm_free(&comm));
    CALL(MPI_Comm_free(&self));
    return conform_end(0);
}
