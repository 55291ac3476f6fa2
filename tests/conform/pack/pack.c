/* SPDX-License-Identifier: BSD-3-Clause */
/* Packed messages: sent as MPI_PACKED, received typed, the other way round, and in parts (MPI 4.2). */
#include "../expect.h"

struct parts {
    int number;
    double values[4];
    char word[5];
};

static int pack(const struct parts *parts, char *buffer, int size, MPI_Comm comm)
{
    int position = 0;

    CALL(MPI_Pack(&parts->number, 1, MPI_INT, buffer, size, &position, comm));
    CALL(MPI_Pack(parts->values, 4, MPI_DOUBLE, buffer, size, &position, comm));
    CALL(MPI_Pack(parts->word, 5, MPI_CHAR, buffer, size, &position, comm));
    return position;
}

static void unpack(struct parts *parts, const char *buffer, int size, MPI_Comm comm)
{
    int position = 0;

    CALL(MPI_Unpack(buffer, size, &position, &parts->number, 1, MPI_INT, comm));
    CALL(MPI_Unpack(buffer, size, &position, parts->values, 4, MPI_DOUBLE, comm));
    CALL(MPI_Unpack(buffer, size, &position, parts->word, 5, MPI_CHAR, comm));
}

static void ring(MPI_Comm comm)
{
    int rank = rank_of(comm), size = size_of(comm), before = (rank + size - 1) % size, used, bound = 0, part;
    struct parts out = {rank, {rank + 0.5, 1, 2, 3}, "word"}, in;
    char packed[200], room[200];
    MPI_Status status;

    MPI_Pack_size(1, MPI_INT, comm, &part);
    bound += part;
    MPI_Pack_size(4, MPI_DOUBLE, comm, &part);
    bound += part;
    MPI_Pack_size(5, MPI_CHAR, comm, &part);
    bound += part;
    CHECK(bound <= (int)sizeof packed);
    used = pack(&out, packed, bound, comm);
    CHECK(used <= bound);
    CALL(MPI_Sendrecv(packed, used, MPI_PACKED, (rank + 1) % size, 1, room, sizeof room, MPI_PACKED, before,
                      1, comm, &status));
    MPI_Get_count(&status, MPI_PACKED, &part);
    expect_int("count", part, used);
    unpack(&in, room, part, comm);
    CHECK(in.number == before && in.values[0] == before + 0.5 && strcmp(in.word, "word") == 0);
}

/* Typed on one side, packed on the other. */
static void mixed(MPI_Comm comm)
{
    int rank = rank_of(comm), size = size_of(comm), before = (rank + size - 1) % size, data[50], in[50],
        position = 0;
    char room[400];

    fill(data, 50, rank);
    CALL(MPI_Sendrecv(data, 50, MPI_INT, (rank + 1) % size, 1, room, sizeof room, MPI_PACKED, before, 1, comm,
                      MPI_STATUS_IGNORE));
    CALL(MPI_Unpack(room, sizeof room, &position, in, 50, MPI_INT, comm));
    expect_int("first difference", differs(in, 50, before), -1);
    position = 0;
    CALL(MPI_Pack(data, 20, MPI_INT, room, sizeof room, &position, comm));
    CALL(MPI_Pack(data + 20, 30, MPI_INT, room, sizeof room, &position, comm));
    CALL(MPI_Sendrecv(room, position, MPI_PACKED, (rank + 1) % size, 1, in, 50, MPI_INT, before, 1, comm,
                      MPI_STATUS_IGNORE));
    expect_int("first difference", differs(in, 50, before), -1);
    position = 0;
    if (rank == 0)
        CALL(MPI_Pack(data, 50, MPI_INT, room, sizeof room, &position, comm));
    CALL(MPI_Bcast(room, 200, MPI_PACKED, 0, comm));
    position = 0;
    CALL(MPI_Unpack(room, sizeof room, &position, in, 50, MPI_INT, comm));
    expect_int("broadcast", differs(in, 50, 0), -1);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL && !is_inter) {
            ring(comm);
            mixed(comm);
        }
        if (comm != MPI_COMM_NULL && is_inter) {
            int number = 5, position = 0, size;
            char room[100];

            CALL(MPI_Pack_size(1, MPI_INT, comm, &size));
            CALL(MPI_Pack(&number, 1, MPI_INT, room, sizeof room, &position, comm));
            number = position = 0;
            CALL(MPI_Unpack(room, sizeof room, &position, &number, 1, MPI_INT, comm));
            expect_int("number", number, 5);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
