/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Get_count and MPI_Get_elements of messages that end within an element (MPI 4.1.11). */
#include "../expect.h"

struct pair {
    double number;
    int place;
};

static MPI_Datatype pair_type(void)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, sizeof(double)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, packed, type;

    MPI_Type_create_struct(2, lengths, places, types, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(struct pair), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&packed);
    return type;
}

static void counts(const char *what, MPI_Status *status, MPI_Datatype type, int count, int elements)
{
    int got;
    MPI_Count got_x;

    CALL(MPI_Get_count(status, type, &got));
    expect_int(what, got, count);
    CALL(MPI_Get_elements(status, type, &got));
    expect_int(what, got, elements);
    CALL(MPI_Get_elements_x(status, type, &got_x));
    expect_int(what, got_x, elements);
}

/* The sender's view is plain bytes of two and a half pairs: number, place, number, place, number. */
static void partial(MPI_Comm comm)
{
    struct pair in[4];
    int rank = rank_of(comm), size = size_of(comm);
    MPI_Datatype type = pair_type(), sent, types[2] = {type, MPI_DOUBLE};
    int lengths[2] = {2, 1};
    MPI_Aint places[2] = {0, 2 * sizeof(struct pair)};
    struct pair out[3] = {{1.5, 1}, {2.5, 2}, {3.5, 3}};
    MPI_Status status;

    MPI_Type_create_struct(2, lengths, places, types, &sent);
    MPI_Type_commit(&sent);
    memset(in, 0, sizeof in);
    CALL(MPI_Sendrecv(out, 1, sent, (rank + 1) % size, 1, in, 4, type, (rank + size - 1) % size, 1, comm,
                      &status));
    counts("two and a half", &status, type, MPI_UNDEFINED, 5);
    CHECK(in[1].number == 2.5 && in[1].place == 2 && in[2].number == 3.5 && in[2].place == 0);
    CALL(MPI_Sendrecv(out, 2, type, (rank + 1) % size, 1, in, 4, type, (rank + size - 1) % size, 1, comm,
                      &status));
    counts("two", &status, type, 2, 4);
    CALL(MPI_Sendrecv(out, 1, MPI_DOUBLE, (rank + 1) % size, 1, in, 4, type, (rank + size - 1) % size, 1,
                      comm, &status));
    counts("half a pair", &status, type, MPI_UNDEFINED, 1);
    CALL(MPI_Sendrecv(out, 0, type, (rank + 1) % size, 1, in, 4, type, (rank + size - 1) % size, 1, comm,
                      &status));
    counts("none", &status, type, 0, 0);
    MPI_Type_free(&sent);
    MPI_Type_free(&type);
}

static void contiguous(MPI_Comm comm)
{
    MPI_Datatype five, empty;
    int out[12] = {0}, in[15], count;
    MPI_Status status;

    MPI_Type_contiguous(5, MPI_INT, &five);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&five);
    MPI_Type_commit(&empty);
    CALL(MPI_Sendrecv(out, 12, MPI_INT, 0, 1, in, 3, five, 0, 1, comm, &status));
    counts("twelve ints in fives", &status, five, MPI_UNDEFINED, 12);
    counts("twelve ints", &status, MPI_INT, 12, 12);
    CALL(MPI_Sendrecv(out, 10, MPI_INT, 0, 1, in, 3, five, 0, 1, comm, &status));
    counts("ten ints in fives", &status, five, 2, 10);
    CALL(MPI_Sendrecv(out, 0, MPI_INT, 0, 1, in, 3, five, 0, 1, comm, &status));
    CALL(MPI_Get_count(&status, empty, &count));
    expect_int("count of empty elements", count, 0);
    MPI_Type_free(&five);
    MPI_Type_free(&empty);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    partial(MPI_COMM_WORLD);
    contiguous(MPI_COMM_SELF);
    return conform_end(0);
}
