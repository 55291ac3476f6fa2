/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of all kinds in one array: messages, persistent, generalized, collective, dup, null, PROC_NULL. */
#include "../expect.h"

enum { KINDS = 9 };

static int query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = *(int *)state;
    status->MPI_TAG = 17;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    ++*(int *)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static int state, data[4], sum;
static MPI_Comm twin;

static void start(MPI_Comm comm, MPI_Request *r, int rank, int size)
{
    int next = (rank + 1) % size, before = (rank + size - 1) % size;

    state = rank;
    data[0] = data[1] = rank;
    CALL(MPI_Irecv(&data[2], 1, MPI_INT, before, 1, comm, &r[0]));
    CALL(MPI_Recv_init(&data[3], 1, MPI_INT, before, 2, comm, &r[1]));
    CALL(MPI_Start(&r[1]));
    CALL(MPI_Grequest_start(query, release, cancel, &state, &r[2]));
    CALL(MPI_Iallreduce(&data[0], &sum, 1, MPI_INT, MPI_SUM, comm, &r[3]));
    r[4] = MPI_REQUEST_NULL;
    CALL(MPI_Irecv(&data[3], 1, MPI_INT, MPI_PROC_NULL, 1, comm, &r[5]));
    CALL(MPI_Comm_idup(comm, &twin, &r[6]));
    CALL(MPI_Isend(&data[0], 1, MPI_INT, next, 1, comm, &r[7]));
    CALL(MPI_Issend(&data[1], 1, MPI_INT, next, 2, comm, &r[8]));
    CALL(MPI_Grequest_complete(r[2]));
}

static void check(MPI_Request *r, const MPI_Status *s, int rank, int size)
{
    int before = (rank + size - 1) % size, number;

    expect_status("receive", &s[0], before, 1, 1);
    expect_status("persistent receive", &s[1], before, 2, 1);
    expect_status("generalized", &s[2], rank, 17, 1);
    expect_empty("null", &s[4]);
    expect_status("from nobody", &s[5], MPI_PROC_NULL, MPI_ANY_TAG, 0);
    CHECK(data[2] == before && data[3] == before && state == rank + 1);
    expect_int("sum", sum, size * (size - 1) / 2);
    MPI_Comm_rank(twin, &number);
    expect_int("rank in the dup", number, rank);
    MPI_Comm_free(&twin);
    for (int i = 0; i < KINDS; i++)
        CHECK((r[i] == MPI_REQUEST_NULL) == (i != 1));
    CALL(MPI_Request_free(&r[1]));
}

int main(int argc, char **argv)
{
    MPI_Request r[KINDS];
    MPI_Status s[KINDS], some[KINDS];
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank, size, place, flag, done, indices[KINDS];

    conform_init(&argc, &argv);
    rank = rank_of(comm);
    size = size_of(comm);
    for (int round = 0; round < 4; round++) {
        start(comm, r, rank, size);
        if (round == 0)
            CALL(MPI_Waitall(KINDS, r, s));
        for (flag = 0; round == 1 && !flag;)
            CALL(MPI_Testall(KINDS, r, &flag, s));
        for (int n = 0; round == 2 && n < KINDS - 1; n++) {
            CALL(MPI_Waitany(KINDS, r, &place, &some[0]));
            if (CHECK(place >= 0 && place < KINDS))
                s[place] = some[0];
        }
        for (int n = 0; round == 3 && n < KINDS - 1; n += done) {
            CALL(MPI_Waitsome(KINDS, r, &done, indices, some));
            for (int i = 0; i < done; i++)
                s[indices[i]] = some[i];
        }
        if (round > 1)
            CALL(MPI_Wait(&r[4], &s[4]));
        check(r, s, rank, size);
    }
    return conform_end(0);
}
