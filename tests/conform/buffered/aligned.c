/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that begin at any address, messages of odd lengths, gaps reused while others are pending. */
#include "../expect.h"

enum { MESSAGES = 8, LONGEST = 300 };

static void one_offset(MPI_Comm comm, char *space, int room, int offset)
{
    char data[LONGEST], in[LONGEST];
    int rank = rank_of(comm), size = size_of(comm), back_size;
    void *back;

    CALL(MPI_Buffer_attach(space + offset, room));
    for (int i = 0; i < MESSAGES; i++) {
        int length = (i * 37 + offset) % LONGEST;

        for (int n = 0; n < length; n++)
            data[n] = (char)(n + i + rank);
        CALL(MPI_Bsend(data, length, MPI_CHAR, (rank + 1) % size, i, comm));
    }
    for (int n = 0, i = 3; n < MESSAGES; n++, i = (i + 3) % MESSAGES) {
        int length = (i * 37 + offset) % LONGEST, before = (rank + size - 1) % size, count;
        MPI_Status status;

        CALL(MPI_Recv(in, LONGEST, MPI_CHAR, before, i, comm, &status));
        MPI_Get_count(&status, MPI_CHAR, &count);
        expect_int("length", count, length);
        for (int k = 0; k < length; k++)
            CHECK(in[k] == (char)(k + i + before));
    }
    CALL(MPI_Buffer_detach(&back, &back_size));
    CHECK(back == space + offset && back_size == room);
}

int main(int argc, char **argv)
{
    int room = MESSAGES * (LONGEST + MPI_BSEND_OVERHEAD);
    char *space = malloc((size_t)room + 64);

    conform_init(&argc, &argv);
    for (int offset = 0; offset < 33; offset++)
        one_offset(MPI_COMM_WORLD, space, room, offset);
    free(space);
    return conform_end(0);
}
