/* SPDX-License-Identifier: BSD-3-Clause */
/* All predefined operators on the integer types, by MPI_Allreduce, with few and with many elements. */
#include "../expect.h"

#include <stdint.h>

enum { MOST = 3000 };

static const MPI_Datatype types[] = {
    MPI_CHAR,     MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT,         MPI_UNSIGNED_SHORT,
    MPI_INT,      MPI_UNSIGNED,    MPI_LONG,          MPI_UNSIGNED_LONG, MPI_INT8_T,
    MPI_INT16_T,  MPI_INT32_T,     MPI_INT64_T,       MPI_UINT8_T,       MPI_UINT16_T,
    MPI_UINT32_T, MPI_UINT64_T,    MPI_LONG_LONG,     MPI_LONG_LONG_INT, MPI_UNSIGNED_LONG_LONG,
    MPI_AINT,     MPI_OFFSET,      MPI_COUNT,         MPI_BYTE,
};
static const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX,  MPI_MIN, MPI_BAND,
                             MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR};
enum { TYPES = sizeof types / sizeof *types, OPS = sizeof ops / sizeof *ops };

/* Numbers that no operator makes larger than 7 bits, in little-endian memory of any size. */
static int number(int rank, int i)
{
    return i % 5 == 0 ? rank % 2 : rank == i % 3 ? 2 + i % 2 : 1;
}

static int combine(int op, int a, int b)
{
    switch (op) {
    case 0:
        return a + b;
    case 1:
        return a * b;
    case 2:
        return a > b ? a : b;
    case 3:
        return a < b ? a : b;
    case 4:
        return a & b;
    case 5:
        return a | b;
    case 6:
        return a ^ b;
    case 7:
        return a && b;
    case 8:
        return a || b;
    default:
        return !a != !b;
    }
}

static void put(void *data, int size, int i, int value)
{
    char *place = (char *)data + (size_t)size * (size_t)i;

    if (size == 1)
        *(int8_t *)place = (int8_t)value;
    else if (size == 2)
        *(int16_t *)place = (int16_t)value;
    else if (size == 4)
        *(int32_t *)place = value;
    else
        *(int64_t *)place = value;
}

static long long get(const void *data, int size, int i)
{
    const char *place = (const char *)data + (size_t)size * (size_t)i;

    return size == 1   ? *(const int8_t *)place
           : size == 2 ? *(const int16_t *)place
           : size == 4 ? *(const int32_t *)place
                       : *(const int64_t *)place;
}

static void reduce(int type, int op, int count, MPI_Comm comm)
{
    int64_t out[MOST], in[MOST];
    int size, ranks = size_of(comm);

    MPI_Type_size(types[type], &size);
    for (int i = 0; i < count; i++)
        put(out, size, i, number(rank_of(comm), i));
    memset(in, 0x55, sizeof in);
    CALL(MPI_Allreduce(out, in, count, types[type], ops[op], comm));
    for (int i = 0; i < count; i++) {
        int want = number(0, i);

        for (int r = 1; r < ranks; r++)
            want = combine(op, want, number(r, i));
        if (get(in, size, i) != want) {
            conform_error("type %d, op %d, element %d: %lld, not %d", type, op, i, get(in, size, i), want);
            return;
        }
    }
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 10, MOST};

    conform_init(&argc, &argv);
    for (int type = 0; type < TYPES; type++)
        for (int op = 0; op < OPS; op++) {
            int bits = op >= 4 && op <= 6;

            /* MPI_BYTE is for the bit operators (MPI 5.9.2). */
            for (int i = 0; i < 3; i++)
                if (types[type] != MPI_BYTE || bits)
                    reduce(type, op, counts[i], MPI_COMM_WORLD);
        }
    return conform_end(0);
}
