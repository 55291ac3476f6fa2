/* SPDX-License-Identifier: BSD-3-Clause */
/* Types of absolute addresses with MPI_BOTTOM, in sends, receives and collectives (MPI 4.1.5, 4.1.12). */
#include "../expect.h"

static int number;
static double values[5];
static char word[8];

/* Globals, in one type. */
static MPI_Datatype everything(void)
{
    int lengths[3] = {1, 5, 8};
    MPI_Aint places[3];
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, type;

    MPI_Get_address(&number, &places[0]);
    MPI_Get_address(values, &places[1]);
    MPI_Get_address(word, &places[2]);
    MPI_Type_create_struct(3, lengths, places, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void set(int seed)
{
    number = seed;
    for (int i = 0; i < 5; i++)
        values[i] = seed + i / 8.0;
    snprintf(word, sizeof word, "w%d", seed);
}

static void check(const char *what, int seed)
{
    char expected[8];

    snprintf(expected, sizeof expected, "w%d", seed);
    expect_int(what, number, seed);
    for (int i = 0; i < 5; i++)
        CHECK(values[i] == seed + i / 8.0);
    CHECK(strcmp(word, expected) == 0);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Datatype type;
    MPI_Status status;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    type = everything();
    set(rank);
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            CALL(MPI_Recv(MPI_BOTTOM, 1, type, i, 1, MPI_COMM_WORLD, &status));
            check("received", i);
        }
        set(100);
    } else {
        CALL(MPI_Send(MPI_BOTTOM, 1, type, 0, 1, MPI_COMM_WORLD));
        set(0);
    }
    CALL(MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD));
    check("broadcast", 100);
    set(200 + rank);
    CALL(MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, (rank + 1) % size, 2, (rank + size - 1) % size, 2,
                              MPI_COMM_WORLD, &status));
    check("replaced", 200 + (rank + size - 1) % size);
    MPI_Type_free(&type);
    return conform_end(0);
}
