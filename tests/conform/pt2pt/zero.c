/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of nothing: no data, empty types, null buffers, in rooms of any size. */
#include "../expect.h"

static void ring(MPI_Comm comm, const void *out, int count, MPI_Datatype type, int room)
{
    int rank = rank_of(comm), size = size_of(comm), in[4] = {1, 2, 3, 4}, got;
    MPI_Status status;

    CALL(MPI_Sendrecv(out, count, type, (rank + 1) % size, 1, room ? in : NULL, room, MPI_INT,
                      (rank + size - 1) % size, 1, comm, &status));
    expect_status("nothing", &status, (rank + size - 1) % size, 1, 0);
    MPI_Get_elements(&status, MPI_INT, &got);
    expect_int("elements", got, 0);
    for (int i = 0; i < 4; i++)
        expect_int("untouched", in[i], i + 1);
}

int main(int argc, char **argv)
{
    MPI_Datatype empty, empty_struct;
    int data = 5, zero = 0;
    MPI_Aint place = 0;
    MPI_Datatype type = MPI_INT;

    conform_init(&argc, &argv);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    MPI_Type_create_struct(1, &zero, &place, &type, &empty_struct);
    MPI_Type_commit(&empty_struct);
    for (int room = 0; room <= 4; room += 2) {
        ring(MPI_COMM_WORLD, &data, 0, MPI_INT, room);
        ring(MPI_COMM_WORLD, NULL, 0, MPI_INT, room);
        ring(MPI_COMM_WORLD, NULL, 0, MPI_DOUBLE, room);
        ring(MPI_COMM_WORLD, &data, 1, empty, room);
        ring(MPI_COMM_WORLD, NULL, 3, empty, room);
        ring(MPI_COMM_WORLD, &data, 1, empty_struct, room);
    }
    CALL(MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD));
    CALL(MPI_Bcast(NULL, 2, empty, 0, MPI_COMM_WORLD));
    CALL(MPI_Allreduce(NULL, &data, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    MPI_Type_free(&empty);
    MPI_Type_free(&empty_struct);
    return conform_end(0);
}
