/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Sendrecv and MPI_Sendrecv_replace around rings, with types with gaps and different counts per side. */
#include "../expect.h"

enum { COUNT = 1000 };

static void strided(MPI_Comm comm, int next, int before)
{
    int data[2 * COUNT];
    MPI_Datatype type;
    MPI_Status status;
    int count;

    MPI_Type_vector(COUNT, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 2 * COUNT; i++)
        data[i] = i % 2 ? -1 : rank_of(comm) + i;
    CALL(MPI_Sendrecv_replace(data, 1, type, next, 4, before, 4, comm, &status));
    MPI_Get_count(&status, type, &count);
    expect_int("count", count, 1);
    for (int i = 0; i < 2 * COUNT; i++)
        expect_int("element", data[i], i % 2 ? -1 : before + i);
    MPI_Type_free(&type);
}

static void uneven(MPI_Comm comm, int rank, int next, int before)
{
    int out[COUNT], in[COUNT];
    MPI_Status status;

    fill(out, COUNT, rank);
    CALL(
        MPI_Sendrecv(out, 10 + rank, MPI_INT, next, rank, in, COUNT, MPI_INT, before, before, comm, &status));
    expect_status("sendrecv", &status, before, before, 10 + before);
    expect_int("first difference", differs(in, 10 + before, before), -1);
    CALL(MPI_Sendrecv(out, 5, MPI_INT, next, 1, in, COUNT, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
                      &status));
    expect_status("wild sendrecv", &status, before, 1, 5);
    fill(in, COUNT, rank);
    CALL(MPI_Sendrecv_replace(in, COUNT, MPI_INT, next, 2, MPI_ANY_SOURCE, 2, comm, &status));
    expect_status("wild replace", &status, before, 2, COUNT);
    expect_int("first difference", differs(in, COUNT, before), -1);
}

/* A line instead of a ring: its ends have nobody. */
static void line(MPI_Comm comm, int rank, int size)
{
    int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int data = rank, in = -1;
    MPI_Status status;

    CALL(MPI_Sendrecv(&data, 1, MPI_INT, up, 5, &in, 1, MPI_INT, down, 5, comm, &status));
    expect_int("from below", in, rank - 1);
    expect_status("line", &status, down, rank > 0 ? 5 : MPI_ANY_TAG, rank > 0);
    CALL(MPI_Sendrecv_replace(&data, 1, MPI_INT, down, 6, up, 6, comm, &status));
    expect_int("from above", data, rank + 1 < size ? rank + 1 : rank);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && !is_inter) {
            int rank = rank_of(comm), size = size_of(comm), next = (rank + 1) % size;

            strided(comm, next, (rank + size - 1) % size);
            uneven(comm, rank, next, (rank + size - 1) % size);
            MPI_Barrier(comm);
            line(comm, rank, size);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
