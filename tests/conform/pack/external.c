/* SPDX-License-Identifier: BSD-3-Clause */
/* The external32 representation: big-endian, sizes of its own (MPI 13.5.2). */
#include "../expect.h"

static void numbers(void)
{
    unsigned char room[64];
    int data[3] = {0x01020304, -2, 5}, in[3] = {0};
    double value = -1.5, back = 0;
    short small = 0x0102, small_back = 0;
    MPI_Aint position = 0, size;

    CALL(MPI_Pack_external_size("external32", 3, MPI_INT, &size));
    expect_int("size of three ints", size, 12);
    CALL(MPI_Pack_external("external32", data, 3, MPI_INT, room, sizeof room, &position));
    expect_int("position", position, 12);
    CHECK(room[0] == 1 && room[1] == 2 && room[2] == 3 && room[3] == 4 && room[4] == 0xff && room[7] == 0xfe);
    CALL(MPI_Pack_external("external32", &value, 1, MPI_DOUBLE, room, sizeof room, &position));
    CHECK(position == 20 && room[12] == 0xbf && room[13] == 0xf8 && room[19] == 0);
    CALL(MPI_Pack_external("external32", &small, 1, MPI_SHORT, room, sizeof room, &position));
    CHECK(position == 22 && room[20] == 1 && room[21] == 2);
    position = 0;
    CALL(MPI_Unpack_external("external32", room, sizeof room, &position, in, 3, MPI_INT));
    CALL(MPI_Unpack_external("external32", room, sizeof room, &position, &back, 1, MPI_DOUBLE));
    CALL(MPI_Unpack_external("external32", room, sizeof room, &position, &small_back, 1, MPI_SHORT));
    CHECK(in[0] == 0x01020304 && in[1] == -2 && in[2] == 5 && back == -1.5 && small_back == 0x0102);
}

static void derived(void)
{
    MPI_Datatype type;
    int data[10], in[10] = {0};
    unsigned char room[64];
    MPI_Aint position = 0, size;

    MPI_Type_vector(5, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    fill(data, 10, 1);
    CALL(MPI_Pack_external_size("external32", 1, type, &size));
    expect_int("size of a vector", size, 20);
    CALL(MPI_Pack_external("external32", data, 1, type, room, sizeof room, &position));
    expect_int("position", position, 20);
    position = 0;
    CALL(MPI_Unpack_external("external32", room, sizeof room, &position, in, 1, type));
    for (int i = 0; i < 10; i++)
        expect_int("element", in[i], i % 2 ? 0 : data[i]);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    numbers();
    derived();
    return conform_end(0);
}
